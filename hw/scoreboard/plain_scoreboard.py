"""The simplest display: lines of ASCII text, for people who build their own.

Each page is sent whole: a form feed (0C) clears the display and goes to its start, then
come the lines, each ended by CR LF. What does not fit in a line is cut off.
"""

from __future__ import annotations

from collections.abc import Callable

from hw.scoreboard.charset import ASCII, to_ascii
from hw.scoreboard.spelling import respelled

CLEAR = b"\x0c"


class PlainScoreboard:
    """Encodes pages and hands the bytes to `write`."""

    def __init__(self, write: Callable[[bytes], object], columns: int = 20) -> None:
        self.columns = columns
        self._write = write
        self._open = True

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        spelled = tuple(respelled(line, language, ASCII, self.columns) for line in lines)
        self._write(encode(spelled, self.columns))

    def close(self) -> None:
        if self._open:
            self._open = False
            self._write(CLEAR)


def encode(lines: tuple[str, ...], columns: int) -> bytes:
    """The bytes that show these lines."""
    text = "".join(f"{to_ascii(line)[:columns].rstrip()}\r\n" for line in lines)
    return CLEAR + text.encode("ascii")
