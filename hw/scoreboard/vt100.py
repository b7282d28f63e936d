"""A VT100 or whatever behaves like one: only the lines that change are sent.

    1B [ row ; 1 H  line

The row counts from 1; the line has blanks up to its end. To set it up, and to blank it, the
display is cleared by 1B [ 2 J. Two more commands hide the cursor of a terminal and keep it
from beginning a new line after the last column; a display that has neither can ignore them.

A terminal takes 80 to 9F for commands, so these are only sent as a part of a UTF-8 letter.
"""

from __future__ import annotations

from hw.scoreboard.charset import ASCII, CHARSETS, Charset, for_terminals
from hw.scoreboard.serial_sign import SECOND_NS, Page, ShownLines, SignFrame, padded

BREAK_OFF = b"\x18"
"""Ends a sequence of which a part was lost."""
MODES = b"\x1b[0m\x1b[?7l\x1b[?25l"
"""Plain letters, no new line after the last column, no cursor."""
CLEAR = b"\x1b[2J"


class Vt100Sign:
    """Cursor addressing, and nothing fancy."""

    rows = 2
    baud = 9600
    bits = 8
    parity = "N"
    set_up_every_ns = 300 * SECOND_NS
    filler = b""

    def __init__(self, columns: int = 20, charset: Charset = ASCII) -> None:
        self.columns = columns
        self.charset = for_terminals(charset)
        self._shown = ShownLines(self.rows, columns, self.charset)

    def start(self) -> list[SignFrame]:
        self._shown.forget()
        return [SignFrame(BREAK_OFF + MODES + CLEAR)]

    def change(self, page: Page) -> list[SignFrame]:
        lines = self._shown.write(page)
        data = b"".join(b"\x1b[%d;1H" % (row + 1) + padded(cells, self.columns) for row, cells in lines)
        return [SignFrame(data)] if data else []

    def repaint(self, page: Page) -> list[SignFrame]:
        self._shown.forget()
        return [SignFrame(BREAK_OFF + MODES + frame.data) for frame in self.change(page)]

    def blank(self) -> bytes:
        self._shown.forget()
        return BREAK_OFF + CLEAR


def vt100_sign(columns: int, charset: str) -> Vt100Sign:
    """The encoder for a VT100."""
    return Vt100Sign(columns, CHARSETS[charset])
