"""Texts without control characters, so that the name of an event can't control somebody's terminal."""

from __future__ import annotations

from collections.abc import Iterator


def _obeyed() -> Iterator[int]:
    """All characters that a terminal takes for a command, or that turn the direction of the text."""
    yield from (code for code in range(0x20) if chr(code) not in "\t\n")
    yield from range(0x7F, 0xA0)  # DEL, and the commands of 8 bits
    yield from (0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x2070))
    yield from (0xFEFF, *range(0xFFF9, 0xFFFC))
    yield from range(0xD800, 0xE000)  # bytes that were no text when they were read


_ESCAPES = {code: f"\\u{code:04x}" for code in _obeyed()}


def visible(text: str) -> str:
    """The text with a JSON escape for each such character; line ends and tabs stay."""
    return text.translate(_ESCAPES)


def in_a_line(text: str) -> str:
    """The text with an escape for each character that would be invisible, or would begin another line."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
