"""Signs with a cursor, to which only the lines that change are sent: CD5220, Epson DM-D and VT100."""

from __future__ import annotations

from hw.scoreboard.charset import CHARSETS, PC437, PC850, Charset, for_terminals
from hw.scoreboard.serial_sign import SECOND_NS, Page, ShownLines, SignFrame, padded

POLE_COLUMNS = 20
INIT_NS = 100_000_000
CLEAR = b"\x0c"
SELECT = b"\x1b=\x02"
"""What follows is for the display, not for a printer behind it."""
INIT = b"\x1b@"


class CursorSign:
    """Two lines, each sent whole: what goes to its start, its letters and blanks up to its end, and `end`.

    `modes` are sent again with each repainted page: power may have failed for a moment, and then they are
    forgotten.
    """

    rows = 2
    baud = 9600
    bits = 8
    parity = "N"
    set_up_every_ns = 300 * SECOND_NS
    filler = b""

    def __init__(
        self,
        columns: int,
        charset: Charset,
        set_up: list[SignFrame],
        starts: tuple[bytes, bytes],
        *,
        end: bytes = b"",
        modes: bytes = b"",
        clear: bytes = CLEAR,
    ) -> None:
        self.columns = columns
        self.charset = charset
        self._set_up, self._starts, self._end, self._modes, self._clear = set_up, starts, end, modes, clear
        self._shown = ShownLines(self.rows, columns, charset)

    def start(self) -> list[SignFrame]:
        self._shown.forget()
        return list(self._set_up)

    def change(self, page: Page) -> list[SignFrame]:
        lines = self._shown.write(page)
        data = b"".join(self._starts[row] + padded(cells, self.columns) + self._end for row, cells in lines)
        return [SignFrame(data)] if data else []

    def repaint(self, page: Page) -> list[SignFrame]:
        self._shown.forget()
        return [SignFrame(self._modes + frame.data) for frame in self.change(page)]

    def blank(self) -> bytes:
        self._shown.forget()
        return self._clear


def cd5220_sign(columns: int = POLE_COLUMNS, charset: str = "ascii") -> CursorSign:
    """The encoder for a CD5220 pole display, which has twenty columns and a command for each whole line.

    After a line command the display only takes further line commands until it is cleared. So its
    set-up begins with a clear. Its letters beyond ASCII depend on the maker.
    """
    overwrite, no_cursor = b"\x1b\x11", b"\x1b_\x00"
    set_up = [SignFrame(SELECT + CLEAR + INIT + overwrite + no_cursor, INIT_NS)]
    return CursorSign(POLE_COLUMNS, CHARSETS[charset], set_up, (b"\x1bQA", b"\x1bQB"), end=b"\r")


DMD_TABLES = {PC437.name: 0, PC850.name: 2}


def dmd_sign(columns: int = POLE_COLUMNS, charset: str = PC850.name) -> CursorSign:
    """The encoder for an Epson DM-D pole display, which has twenty columns, cursor addressing and code pages.

    Code page 850 has the accents of all six languages. In all but the plain variant of ASCII some
    brackets are letters.
    """
    letters = b"\x1bt" + bytes([DMD_TABLES[charset]]) + b"\x1bR\x00"
    overwrite, no_blinking, no_reverse, no_cursor = b"\x1f\x01", b"\x1fE\x00", b"\x1fr\x00", b"\x1fC\x00"
    return CursorSign(
        POLE_COLUMNS,
        CHARSETS[charset],
        [SignFrame(SELECT + INIT + CLEAR, INIT_NS), SignFrame(letters + overwrite + no_cursor)],
        (b"\x1f$\x01\x01", b"\x1f$\x01\x02"),
        modes=SELECT + letters + overwrite + no_blinking + no_reverse,
    )


def vt100_sign(columns: int = 20, charset: str = "ascii") -> CursorSign:
    """The encoder for a VT100 or whatever behaves like one.

    Its modes are plain letters, no new line after the last column, and no cursor; a display that has
    none of them can ignore them. A sequence of which a part was lost is broken off before. A terminal takes
    80 to 9F for commands, so these are only sent as a part of a UTF-8 letter.
    """
    break_off, clear = b"\x18", b"\x1b[2J"
    modes = break_off + b"\x1b[0m\x1b[?7l\x1b[?25l"
    return CursorSign(
        columns,
        for_terminals(CHARSETS[charset]),
        [SignFrame(modes + clear)],
        (b"\x1b[1;1H", b"\x1b[2;1H"),
        modes=modes,
        clear=break_off + clear,
    )
