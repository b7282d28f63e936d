"""A TEXT file as a person reads it: the control codes among the letters, obeyed or left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

LOOK, CALL, COLOUR, LETTER = 0x1B, 0x10, 0x1C, 0x08
NEW_LINE, NEW_PAGE = 0x0D, 0x0C
PARAMETERS = {0x05: 1, 0x06: 1, 0x07: 1, 0x0B: 1, 0x14: 1, 0x1A: 1, 0x1D: 2, 0x1E: 1, 0x1F: 14}
"""Codes that change how letters look, or put in what is not kept here, and how much follows them."""

COLOUR_NAMES = {"1": "red", "2": "green", "3": "amber"}
HALF_SPACE, BLOCK = 0x7E, 0x7F
LETTERS = dict(enumerate(bytes(range(0x80, 0xA9)).decode("cp437"), start=0x20)) | {
    0x49: "°", 0x4A: "¡", 0x5A: "Á", 0x5F: "Í",
}  # fmt: skip
NONE = "\0"
UNKNOWN = "?"
"""What a sign shows for a letter that it does not have."""


class RenderedText(NamedTuple):
    """The lines, the colour that each begins in ("" for the sign's own), and how they come up."""

    lines: tuple[str, ...]
    colours: tuple[str, ...]
    position: str
    mode: str


class _Pen:
    """What has been written so far."""

    def __init__(self) -> None:
        self.lines = [""]
        self.colours = [""]
        self.colour = ""

    def write(self, letter: str) -> None:
        """A letter, or nothing."""
        if not self.lines[-1]:
            self.colours[-1] = self.colour
        self.lines[-1] += letter

    def new_line(self) -> None:
        self.lines.append("")
        self.colours.append(self.colour)


def render(text: bytes, strings: Mapping[bytes, bytes]) -> RenderedText:
    """What stands on the sign for a TEXT file; `strings` are the STRING files it may call."""
    position, mode = "", ""
    if text[:1] == bytes([LOOK]):
        position, mode, text = text[1:2].decode("ascii"), text[2:3].decode("ascii"), text[3:]
    pen = _Pen()
    _write(pen, text, strings)
    return RenderedText(tuple(pen.lines), tuple(pen.colours), position, mode)


def _write(pen: _Pen, text: bytes, strings: Mapping[bytes, bytes] | None) -> None:
    """Colours outlast the STRING they are set in; a STRING can call no other one (then: None)."""
    codes = iter(text)
    for code in codes:
        if code == COLOUR:
            pen.colour = COLOUR_NAMES.get(_next(codes), "other")
        elif code == LETTER:
            letter = _next(codes)
            pen.write(LETTERS.get(ord(letter), UNKNOWN) if letter != NONE else "")
        elif code == CALL and strings is not None:
            _write(pen, strings.get(_next(codes).encode("ascii"), b""), None)
        elif code in (NEW_LINE, NEW_PAGE):
            pen.new_line()
        elif code == LOOK:
            _next(codes), _next(codes)
            pen.new_line()
        elif code in PARAMETERS:
            for _ in range(PARAMETERS[code]):
                _next(codes)
        elif code == HALF_SPACE:
            pen.write(" ")
        elif code >= 0x20:
            pen.write("█" if code == BLOCK else chr(code))


def _next(codes: Iterator[int]) -> str:
    """The parameter that follows, if one does."""
    return chr(next(codes, ord(NONE)))
