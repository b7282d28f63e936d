"""The messages by which docs/trouble.md is searched are messages of the program."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OF_OTHERS = ("command not found",)
"""Said by the shell."""


def _messages() -> list[str]:
    """What is in backticks in the first column, up to a place where the program puts a name or number."""
    page = (ROOT / "docs" / "trouble.md").read_text(encoding="utf-8")
    first = [line.split("|")[1] for line in page.splitlines() if line.startswith("| ")]
    found = {quote for cell in first for quote in re.findall(r"`([^`]+)`", cell)}
    return sorted(quote for quote in found if quote not in OF_OTHERS and "●" not in quote and " " in quote)


@cache
def _sources() -> str:
    """All texts of the program, with strings joined and values left out as `…`."""
    files = (path for folder in ("firmware_host", "hw") for path in (ROOT / folder).glob("**/*.py"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    joined = re.sub(r'"\s*\n\s*f?"', "", text)
    return re.sub(r"\{[^{}]*\}", "…", joined)


@pytest.mark.parametrize("message", _messages())
def test_a_message_of_the_guide_is_one_of_the_program(message: str) -> None:
    assert message.replace("aplay", "…") in _sources()
