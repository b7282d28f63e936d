"""Whole numbers as people write them: ASCII digits, and no more of them than make sense."""

from __future__ import annotations

MOST_DIGITS = 9


def whole_number(text: str) -> int | None:
    """The number that a text is, or None if it is none (or absurdly long)."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return None
    return int(text)
