"""Whole numbers as people write them: ASCII digits, and only as many as make sense."""

from __future__ import annotations

MOST_DIGITS = 9


def whole_number(text: str) -> int | None:
    """The number in a text; None if it is not a number, or is absurdly long."""
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        return None
    return int(text)
