"""Displays of text: a VT100, or as much of one as a scoreboard needs, and one that somebody has built.

With a charset of one byte a letter a VT100 takes 80 to 9F for commands, as real terminals do: each stands
for ESC and a letter, and some begin a text for the terminal itself, which is not shown.
"""

from __future__ import annotations

import codecs

from hw.sim.outputs import SimTextDisplay
from hw.sim.pole_displays import CharacterGrid

ESC, CANCEL, SUBSTITUTE = 0x1B, 0x18, 0x1A
MOST_PENDING = 32
INDEX, NEXT_LINE, REVERSE_INDEX, CSI, END_OF_TEXT = 0x84, 0x85, 0x8D, 0x9B, 0x9C
TEXTS = frozenset((0x90, 0x98, 0x9D, 0x9E, 0x9F))
BELL = 0x07
WRAPS, SHOWS_CURSOR = "?7", "?25"


class Vt100Model:
    """Cursor addressing, erasing, scrolling, and the end of a line with and without wrapping."""

    def __init__(self, rows: int = 2, columns: int = 20, codec: str = "ascii") -> None:
        self._rows, self._columns, self._codec = rows, columns, codec
        self._multibyte = codec == "utf-8"
        self._powered = True
        self._reset()

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads on it."""
        return self._screen.lines if self._powered else ("",) * self._rows

    def _reset(self) -> None:
        self._screen = CharacterGrid(self._rows, self._columns)
        self._decoder = codecs.getincrementaldecoder(self._codec)("replace")
        self._sequence = b""  # what has come of an escape sequence
        self._swallows = False  # a text for the terminal itself
        self.row = self.column = 0
        self._full = False  # the last column is written, and the next letter begins a new line
        self.wraps = True
        self.cursor = True

    # -- its end of the line

    def opened(self, now_ns: int) -> None:
        self._powered = True
        self._reset()

    def closed(self, now_ns: int) -> None:
        self._powered = False

    def received(self, data: bytes, now_ns: int) -> None:
        if self._powered:
            for code in data:
                self._take(code)

    def step(self, now_ns: int) -> int | None:
        return None

    def take_outgoing(self) -> bytes:
        return b""

    def _take(self, code: int) -> None:
        if code < 0x20:
            self._decoder.reset()  # half a letter is none
        if code in (CANCEL, SUBSTITUTE):
            self._sequence, self._swallows = b"", False
        elif code == ESC:
            self._sequence, self._swallows = b"\x1b", False
        elif self._swallows:
            self._swallows = code not in (BELL, END_OF_TEXT)
        elif 0x80 <= code < 0xA0 and not self._multibyte:
            self._high_control(code)
        elif code < 0x20:
            self._control(code)
        elif self._sequence:
            self._continue(bytes([code]))
        elif code != 0x7F:
            for letter in self._decoder.decode(bytes([code])):
                self._write(letter)

    # -- sequences

    def _continue(self, byte: bytes) -> None:
        """One more byte of an escape sequence; the last one says what it is."""
        self._sequence += byte
        if self._sequence == b"\x1b[":
            return
        if self._sequence.startswith(b"\x1b["):
            if byte < b"@" and len(self._sequence) < MOST_PENDING:
                return
            sequence, self._sequence = self._sequence, b""
            self._obey(byte, sequence[2:-1].decode("ascii", "replace"))
        elif byte >= b"0":  # those before it announce another one
            if self._sequence == b"\x1bc":
                self._reset()
            self._sequence = b""

    def _obey(self, final: bytes, parameters: str) -> None:
        if final in (b"h", b"l"):
            self._set_mode(parameters, final == b"h")
            return
        numbers = [int(each) if each.isdecimal() else 0 for each in parameters.split(";")]
        count = max(numbers[0], 1)
        if final in (b"H", b"f"):
            self._go(count - 1, max(numbers[1], 1) - 1 if len(numbers) > 1 else 0)
        elif final == b"J":
            self._erase_display(numbers[0])
        elif final == b"K":
            self._erase_line(numbers[0])
        elif final in (b"A", b"B"):
            self._go(self.row + (count if final == b"B" else -count), self.column)
        elif final in (b"C", b"D"):
            self._go(self.row, self.column + (count if final == b"C" else -count))

    def _set_mode(self, mode: str, on: bool) -> None:
        if mode == WRAPS:
            self.wraps = on
        elif mode == SHOWS_CURSOR:
            self.cursor = on

    def _erase_display(self, how: int) -> None:
        """0: from the cursor on, 1: up to it, 2: all; the cursor stays."""
        if how <= 2:
            self._erase_line(how)
            for row in range(self._rows):
                if how == 2 or (row > self.row if how == 0 else row < self.row):
                    self._screen.write_row(row, "")

    def _erase_line(self, how: int) -> None:
        start = self.column if how == 0 else 0
        end = self.column + 1 if how == 1 else self._columns
        if how <= 2:
            self._screen.clear_cells(self.row, start, end)

    # -- letters and the cursor

    def _control(self, code: int) -> None:
        if code == 0x08:
            self._go(self.row, self.column - 1)
        elif code == 0x0D:
            self._go(self.row, 0)
        elif code in (0x0A, 0x0B, 0x0C):
            self._line_feed()

    def _high_control(self, code: int) -> None:
        self._sequence = b"\x1b[" if code == CSI else b""
        self._swallows = code in TEXTS
        if code in (INDEX, NEXT_LINE):
            self._line_feed()
        elif code == REVERSE_INDEX and self.row:
            self._go(self.row - 1, self.column)
        if code == NEXT_LINE:
            self._go(self.row, 0)

    def _write(self, letter: str) -> None:
        if self._full and self.wraps:
            self._go(self.row, 0)
            self._line_feed()
        self._screen.put(self.row, self.column, letter)
        if self.column == self._columns - 1:
            self._full = True
        else:
            self._go(self.row, self.column + 1)

    def _line_feed(self) -> None:
        if self.row == self._rows - 1:
            self._screen.scroll_up()
        self._go(self.row + 1, self.column)

    def _go(self, row: int, column: int) -> None:
        """To this place, or the nearest that is there."""
        self.row = min(max(row, 0), self._rows - 1)
        self.column = min(max(column, 0), self._columns - 1)
        self._full = False


def vt100_model(columns: int) -> Vt100Model:
    """One with two rows."""
    return Vt100Model(2, columns)


class TextModel:
    """A `SimTextDisplay` that loses what it shows with its power."""

    def __init__(self, rows: int = 2, columns: int = 20) -> None:
        self._rows, self._columns = rows, columns
        self._display: SimTextDisplay | None = self._new()

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads on it."""
        if self._display is None:
            return ("",) * self._rows
        return tuple(line.rstrip() for line in self._display.lines)

    def opened(self, now_ns: int) -> None:
        self._display = self._new()

    def closed(self, now_ns: int) -> None:
        self._display = None

    def received(self, data: bytes, now_ns: int) -> None:
        if self._display is not None:
            self._display.write(data)

    def step(self, now_ns: int) -> int | None:
        return None

    def take_outgoing(self) -> bytes:
        return b""

    def _new(self) -> SimTextDisplay:
        return SimTextDisplay(self._rows, self._columns, keep=0)


def text_model(columns: int) -> TextModel:
    """One with two rows."""
    return TextModel(2, columns)
