"""A sign on a serial line as its driver needs it: pages in, bytes out.

A sign is a pure encoder. It only remembers what it last showed, so that it can leave out
what has not changed.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from hw.scoreboard.charset import Cells, Charset

Page = tuple[str, ...]

SECOND_NS = 1_000_000_000


class SignFrame(NamedTuple):
    """Bytes that go out in one piece, and how long the sign needs a pause after them."""

    data: bytes
    rest_ns: int = 0


class SerialSign(Protocol):
    """One kind of display, and the settings of its serial line."""

    rows: int
    columns: int
    charset: Charset
    baud: int
    bits: int
    parity: str
    set_up_every_ns: int
    """How often to set it up from scratch, in case it has lost its settings unnoticed."""
    filler: bytes
    """A byte without meaning, to fill the time until the sign listens; empty if it always does."""

    def start(self) -> list[SignFrame]:
        """The frames that set it up from scratch; it is blank then."""

    def change(self, page: Page) -> list[SignFrame]:
        """The frames that show this page after the last one."""

    def repaint(self, page: Page) -> list[SignFrame]:
        """The frames for all of this page, whatever is shown now, without a flicker."""

    def blank(self) -> bytes:
        """The one frame that blanks it."""


class ShownLines:
    """The lines that a sign shows, as far as its encoder knows."""

    def __init__(self, rows: int, columns: int, charset: Charset) -> None:
        self._rows, self._columns, self._charset = rows, columns, charset
        self._lines: list[Cells | None] = [None] * rows

    def forget(self) -> None:
        """Forget the lines: what the sign shows is unknown."""
        self._lines = [None] * self._rows

    def write(self, page: Page) -> list[tuple[int, Cells]]:
        """Take over a page: the lines that differ, counted from 0, without blanks at their ends."""
        wanted = [self._cells(line) for line in (*page, *[""] * self._rows)[: self._rows]]
        changed = [(row, line) for row, line in enumerate(wanted) if line != self._lines[row]]
        self._lines = list(wanted)
        return changed

    def _cells(self, line: str) -> Cells:
        cells = self._charset.encode(line)[: self._columns]
        while cells and cells[-1] == b" ":
            cells = cells[:-1]
        return cells


def padded(cells: Cells, columns: int) -> bytes:
    """A line's bytes with blanks up to its end."""
    return b"".join(cells) + b" " * (columns - len(cells))
