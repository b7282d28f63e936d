"""What pole displays have in common: two lines, a cursor, and commands of a few bytes.

A command is a beginning of one to three bytes and its parameters. Bytes come one by one and
in any quality: what begins no command is dropped, and the next good one counts again.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import NamedTuple

BLANK = " "


class CharacterGrid:
    """Rows and columns of characters, both counted from 0."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self._cells = [[BLANK] * columns for _ in range(rows)]

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads: each row without the blanks at its end."""
        return tuple("".join(row).rstrip() for row in self._cells)

    def put(self, row: int, column: int, letter: str) -> None:
        """Show a character in one cell."""
        self._cells[row][column] = letter

    def write_row(self, row: int, text: str) -> None:
        """Show a text in a row from its start, cut to the row; the rest of the row is blank."""
        self._cells[row] = list(text[: self.columns].ljust(self.columns))

    def clear(self) -> None:
        """Blank everything."""
        for row in range(self.rows):
            self.write_row(row, "")

    def clear_cells(self, row: int, start: int, end: int) -> None:
        """Blank some cells of a row, `end` not included."""
        for column in range(max(start, 0), min(end, self.columns)):
            self._cells[row][column] = BLANK

    def scroll_up(self) -> None:
        """Every row goes one higher; the last one is blank."""
        self._cells = [*self._cells[1:], [BLANK] * self.columns]

    def shift_left(self, row: int) -> None:
        """Everything in a row goes one cell to the left."""
        self._cells[row] = [*self._cells[row][1:], BLANK]


ROWS, COLUMNS = 2, 20
BRIGHTEST = 4
SELECT = b"\x1b="
MOST_PENDING = 4096
NOT_THERE = "\N{REPLACEMENT CHARACTER}"


class Writing(Enum):
    """What happens at the end of a line."""

    OVERWRITE = auto()  # on to the other line
    VERTICAL = auto()  # below the last line the display rolls up
    HORIZONTAL = auto()  # the line moves left to make place


class PoleCommand(NamedTuple):
    """`length`: how many parameters it has, given those that came; None if it can't be known yet."""

    act: Callable[[bytes], None]
    length: Callable[[bytes], int | None]


def fixed(count: int) -> Callable[[bytes], int | None]:
    """The length of a command that always has this many parameters."""
    return lambda _: count


class PoleModel:
    """The commands that all of them know; subclasses add to `_commands`."""

    def __init__(self) -> None:
        self._commands: dict[bytes, PoleCommand] = {
            b"\x08": PoleCommand(lambda _: self._move(-1), fixed(0)),
            b"\x09": PoleCommand(lambda _: self._move(+1), fixed(0)),
            b"\x0a": PoleCommand(lambda _: self._down(), fixed(0)),
            b"\x0b": PoleCommand(lambda _: self._go(0, 0), fixed(0)),
            b"\x0c": PoleCommand(lambda _: self._clear(), fixed(0)),
            b"\x0d": PoleCommand(lambda _: self._go(self.row, 0), fixed(0)),
            b"\x18": PoleCommand(lambda _: self._clear_line(), fixed(0)),
            b"\x1b@": PoleCommand(lambda _: self._reset(), fixed(0)),
            b"\x1b&": PoleCommand(_ignore, _definitions_length),
            b"\x1b?": PoleCommand(_ignore, fixed(1)),
            b"\x1b%": PoleCommand(_ignore, fixed(1)),
            SELECT: PoleCommand(self._select_peripheral, fixed(1)),
        }
        self._powered = True
        self._pending = b""
        self._full = False  # in horizontal mode: the last column is written
        self._reset()

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads on it."""
        return self._screen.lines if self._powered else ("",) * ROWS

    # -- its end of the line

    def opened(self, now_ns: int) -> None:
        self._powered = True
        self._pending = b""
        self._reset()

    def closed(self, now_ns: int) -> None:
        self._powered = False

    def received(self, data: bytes, now_ns: int) -> None:
        if self._powered:
            for byte in data:
                self._take(bytes([byte]))

    def step(self, now_ns: int) -> int | None:
        return None

    def take_outgoing(self) -> bytes:
        return b""

    def _take(self, byte: bytes) -> None:
        self._pending += byte
        for length in (1, 2, 3):
            command = self._commands.get(self._pending[:length])
            if command is not None:
                self._finish(command, self._pending[:length], self._pending[length:])
                return
        if any(beginning.startswith(self._pending) for beginning in self._commands):
            return
        unknown, self._pending = self._pending, b""
        if len(unknown) > 1:
            self._take(byte)  # perhaps something new begins with it
        elif byte >= b" " and self._listens and self._allows(byte):
            self._write(self._letter(byte[0]))

    def _finish(self, command: PoleCommand, beginning: bytes, parameters: bytes) -> None:
        """Obey a command as soon as it is complete."""
        length = command.length(parameters)
        if (length is None or len(parameters) < length) and len(self._pending) < MOST_PENDING:
            return
        self._pending = b""
        if self._allows(beginning) and (self._listens or beginning == SELECT):
            command.act(parameters[:length])
        for byte in parameters[length:]:  # it was no part of it
            self._take(bytes([byte]))

    # -- what can differ

    def _allows(self, beginning: bytes) -> bool:
        """Whether this may be obeyed in the present mode."""
        return True

    def _letter(self, code: int) -> str:
        """What it shows for a code."""
        return chr(code) if code < 0x7F else NOT_THERE

    def _reset(self) -> None:
        self._screen = CharacterGrid(ROWS, COLUMNS)
        self._go(0, 0)
        self.writing = Writing.OVERWRITE
        self.brightness = BRIGHTEST
        self._listens = True

    # -- the cursor and what it writes

    def _write(self, letter: str) -> None:
        at_end = self.writing is Writing.HORIZONTAL and self.column == COLUMNS - 1
        if at_end and self._full:
            self._screen.shift_left(self.row)
        self._screen.put(self.row, self.column, letter)
        if at_end:
            self._full = True
        else:
            self._move(+1)

    def _move(self, by: int) -> None:
        place = self.row * COLUMNS + self.column + by
        if place == ROWS * COLUMNS and self.writing is Writing.VERTICAL:
            self._screen.scroll_up()
            self._go(ROWS - 1, 0)
        else:
            self._go(*divmod(place % (ROWS * COLUMNS), COLUMNS))

    def _down(self) -> None:
        if self.row == ROWS - 1 and self.writing is Writing.VERTICAL:
            self._screen.scroll_up()
        else:
            self._go((self.row + 1) % ROWS, self.column)

    def _up(self) -> None:
        self._go((self.row - 1) % ROWS, self.column)

    def _go(self, row: int, column: int) -> None:
        self.row, self.column = row, column
        self._full = False

    def _go_to(self, parameters: bytes) -> None:
        """Column and row, counted from 1; a place that is not there is ignored."""
        column, row = parameters
        if 1 <= column <= COLUMNS and 1 <= row <= ROWS:
            self._go(row - 1, column - 1)

    def _clear(self) -> None:
        self._screen.clear()
        self._go(0, 0)

    def _clear_line(self) -> None:
        self._screen.write_row(self.row, "")
        self._go(self.row, 0)

    # -- modes

    def _write_so(self, writing: Writing) -> PoleCommand:
        def act(_: bytes) -> None:
            self.writing = writing

        return PoleCommand(act, fixed(0))

    def _set_brightness(self, parameters: bytes) -> None:
        if 1 <= parameters[0] <= BRIGHTEST:
            self.brightness = parameters[0]

    def _select_peripheral(self, parameters: bytes) -> None:
        """Bit 1 is the display; a printer behind it takes the rest."""
        self._listens = bool(parameters[0] & 2)


def _ignore(_: bytes) -> None:
    """It changes nothing that is kept here."""


def _definitions_length(parameters: bytes) -> int | None:
    """Letters of one's own: 1, first and last code, then for each its width and that many bytes."""
    if parameters and parameters[0] != 1:
        return 0
    if len(parameters) < 3:
        return None
    first, last = parameters[1], parameters[2]
    length = 3
    for _ in range(first, last + 1):
        if len(parameters) <= length:
            return None
        if parameters[length] > 5:
            break
        length += 1 + parameters[length]
    return length
