"""Epson DM-D pole displays: two lines of twenty, with cursor addressing and code pages."""

from __future__ import annotations

from hw.scoreboard.charset import CHARSETS, PC437, PC850, Charset
from hw.scoreboard.serial_sign import SECOND_NS, Page, ShownLines, SignFrame, padded

COLUMNS = 20
CLEAR = b"\x0c"
SELECT = b"\x1b=\x02"
"""What follows is for the display, not for a printer behind it."""
INIT = b"\x1b@"
USA = b"\x1bR\x00"
"""The plain variant of ASCII: in others some brackets are letters."""
OVERWRITE = b"\x1f\x01"
NO_BLINKING = b"\x1fE\x00"
NO_REVERSE = b"\x1fr\x00"
NO_CURSOR = b"\x1fC\x00"
CODE_TABLE = b"\x1bt"
TABLE_OF = {PC437.name: 0, PC850.name: 2}
GO_TO = b"\x1f$"
INIT_NS = 100_000_000


class DmdSign:
    """Its code page 850 has the accents of all six languages."""

    rows = 2
    columns = COLUMNS
    baud = 9600
    bits = 8
    parity = "N"
    set_up_every_ns = 300 * SECOND_NS
    filler = b""

    def __init__(self, charset: Charset = PC850) -> None:
        self.charset = charset
        self._letters = CODE_TABLE + bytes([TABLE_OF[charset.name]]) + USA
        self._shown = ShownLines(self.rows, self.columns, charset)

    def start(self) -> list[SignFrame]:
        self._shown.forget()
        return [SignFrame(SELECT + INIT + CLEAR, INIT_NS), SignFrame(self._letters + OVERWRITE + NO_CURSOR)]

    def change(self, page: Page) -> list[SignFrame]:
        lines = self._shown.write(page)
        data = b"".join(GO_TO + bytes([1, row + 1]) + padded(cells, self.columns) for row, cells in lines)
        return [SignFrame(data)] if data else []

    def repaint(self, page: Page) -> list[SignFrame]:
        # Power may have failed for a moment: then these are forgotten too.
        modes = SELECT + self._letters + OVERWRITE + NO_BLINKING + NO_REVERSE
        self._shown.forget()
        return [SignFrame(modes + frame.data) for frame in self.change(page)]

    def blank(self) -> bytes:
        self._shown.forget()
        return CLEAR


def dmd_sign(columns: int, charset: str) -> DmdSign:
    """The encoder for a DM-D, which has as many columns as all have columns."""
    return DmdSign(CHARSETS[charset])
