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


# A CD5220 pole display to the byte.
#
# After a command for a whole line it is in string mode: it takes more of these, a clear, or
# the clearing of a line, and ignores everything else.


CLEARS = (b"\x0c", b"\x18")
END = 0x0D


class Cd5220Model(PoleModel):
    """`codec` is what the maker has put above ASCII: that differs, so the usual model has nothing there."""

    def __init__(self, codec: str = "ascii") -> None:
        self._codec = codec
        super().__init__()
        self._commands |= {
            b"\x1b\x11": self._write_so(Writing.OVERWRITE),
            b"\x1b\x12": self._write_so(Writing.VERTICAL),
            b"\x1b\x13": self._write_so(Writing.HORIZONTAL),
            b"\x1bQA": PoleCommand(lambda text: self._show_line(0, text), _string_length),
            b"\x1bQB": PoleCommand(lambda text: self._show_line(1, text), _string_length),
            b"\x1bl": PoleCommand(self._go_to, fixed(2)),
            b"\x1b*": PoleCommand(self._set_brightness, fixed(1)),
            b"\x1b_": PoleCommand(self._set_cursor, fixed(1)),
        }

    def _reset(self) -> None:
        super()._reset()
        self.string_mode = False
        self.cursor = True

    def _allows(self, beginning: bytes) -> bool:
        return not self.string_mode or beginning in CLEARS or beginning.startswith(b"\x1bQ")

    def _letter(self, code: int) -> str:
        return bytes([code]).decode(self._codec, "replace") if code > 0x7F else super()._letter(code)

    def _show_line(self, row: int, parameters: bytes) -> None:
        if parameters[-1:] == bytes([END]):
            self.string_mode = True
            self._screen.write_row(row, "".join(map(self._letter, parameters[:-1])))

    def _clear(self) -> None:
        super()._clear()
        self.string_mode = False

    def _clear_line(self) -> None:
        super()._clear_line()
        self.string_mode = False

    def _set_cursor(self, parameters: bytes) -> None:
        self.cursor = bool(parameters[0] & 1)


def _string_length(parameters: bytes) -> int | None:
    """Up to a carriage return; any other control code is the start of something else."""
    for place, code in enumerate(parameters):
        if code < 0x20:
            return place + 1 if code == END else place
    return None


def cd5220_model(columns: int) -> Cd5220Model:
    """One as they all are."""
    return Cd5220Model()


DARK = 255
CODECS = {0: "cp437", 2: "cp850", 3: "cp860", 4: "cp863", 5: "cp865", 16: "cp1252", 18: "cp852", 19: "cp858"}
"""The tables of `ESC t` that Python knows; the others show nothing that can be read here."""
NATIONAL = {
    1: dict(zip("@[\\]{|}~", "à°ç§éùè¨", strict=True)),
    2: dict(zip("@[\\]{|}~", "§ÄÖÜäöüß", strict=True)),
}
"""What `ESC R` puts in the place of some of ASCII: for France and for Germany."""
MOST_NATIONAL = 17


class DmdModel(PoleModel):
    """`blinks` is the rhythm it blinks in, in steps of 50 ms; 255 switches it dark."""

    def __init__(self) -> None:
        super().__init__()
        self._commands |= {
            b"\x1f\x01": self._write_so(Writing.OVERWRITE),
            b"\x1f\x02": self._write_so(Writing.VERTICAL),
            b"\x1f\x03": self._write_so(Writing.HORIZONTAL),
            b"\x1f$": PoleCommand(self._go_to, fixed(2)),
            b"\x1fX": PoleCommand(self._set_brightness, fixed(1)),
            b"\x1fE": PoleCommand(self._set_blinking, fixed(1)),
            b"\x1fr": PoleCommand(self._set_reverse, fixed(1)),
            b"\x1fC": PoleCommand(self._set_cursor, fixed(1)),
            b"\x1bt": PoleCommand(self._select_table, fixed(1)),
            b"\x1bR": PoleCommand(self._select_nation, fixed(1)),
        }

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads on it: nothing while it is dark."""
        return ("",) * ROWS if self.blinks == DARK else super().lines

    def _reset(self) -> None:
        super()._reset()
        self.blinks = 0
        self.reverse = False
        self.cursor = False
        self.table = 0
        self.nation = 0

    def _letter(self, code: int) -> str:
        if code >= 0x80:
            return bytes([code]).decode(CODECS.get(self.table, "ascii"), "replace")
        letter = super()._letter(code)
        return NATIONAL.get(self.nation, {}).get(letter, letter)

    def _select_table(self, parameters: bytes) -> None:
        self.table = parameters[0]

    def _select_nation(self, parameters: bytes) -> None:
        if parameters[0] <= MOST_NATIONAL:
            self.nation = parameters[0]

    def _set_blinking(self, parameters: bytes) -> None:
        self.blinks = parameters[0]

    def _set_reverse(self, parameters: bytes) -> None:
        self.reverse = bool(parameters[0] & 1)

    def _set_cursor(self, parameters: bytes) -> None:
        self.cursor = bool(parameters[0] & 1)


def dmd_model(columns: int) -> DmdModel:
    """One as they all are."""
    return DmdModel()
