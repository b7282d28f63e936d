"""How much the tests try: a few examples with each change, many before a release (`make test-long`)."""

from __future__ import annotations

_many = False


def try_many() -> None:
    """Let this run try as many examples as a release asks for; before any test is collected."""
    global _many
    _many = True


def tries(few: int, many: int) -> int:
    """How many of them this run tries."""
    return many if _many else few
