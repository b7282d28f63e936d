"""CD5220 pole displays: two lines of twenty, and a command for each whole line.

After a line command the display only takes further line commands until it is cleared. So its
set-up begins with a clear.
"""

from __future__ import annotations

from hw.scoreboard.charset import ASCII, CHARSETS, Charset
from hw.scoreboard.serial_sign import SECOND_NS, Page, ShownLines, SignFrame, padded

COLUMNS = 20
CLEAR = b"\x0c"
SET_UP = b"\x1b=\x02" + CLEAR + b"\x1b@" + b"\x1b\x11" + b"\x1b_\x00"
"""Not to a printer behind it; clear, initialise, overwrite mode, no cursor."""
LINE = (b"\x1bQA", b"\x1bQB")
END = b"\r"
INIT_NS = 100_000_000


class Cd5220Sign:
    """Its letters beyond ASCII depend on the maker, so none are used unless `charset` has them."""

    rows = 2
    columns = COLUMNS
    baud = 9600
    bits = 8
    parity = "N"
    set_up_every_ns = 300 * SECOND_NS
    filler = b""

    def __init__(self, charset: Charset = ASCII) -> None:
        self.charset = charset
        self._shown = ShownLines(self.rows, self.columns, charset)

    def start(self) -> list[SignFrame]:
        self._shown.forget()
        return [SignFrame(SET_UP, INIT_NS)]

    def change(self, page: Page) -> list[SignFrame]:
        lines = self._shown.write(page)
        data = b"".join(LINE[row] + padded(cells, self.columns) + END for row, cells in lines)
        return [SignFrame(data)] if data else []

    def repaint(self, page: Page) -> list[SignFrame]:
        self._shown.forget()
        return self.change(page)

    def blank(self) -> bytes:
        self._shown.forget()
        return CLEAR


def cd5220_sign(columns: int, charset: str) -> Cd5220Sign:
    """The encoder for a CD5220, which has as many columns as all have columns."""
    return Cd5220Sign(CHARSETS[charset])
