"""A CD5220 pole display to the byte.

After a command for a whole line it is in string mode: it takes more of these, a clear, or
the clearing of a line, and ignores everything else.
"""

from __future__ import annotations

from hw.sim.signs.pole import COLUMNS, ROWS, PoleCommand, PoleModel, Writing, fixed

CLEARS = (b"\x0c", b"\x18")
END = 0x0D
MOST_SCROLLED = 40


class Cd5220Model(PoleModel):
    """`scrolls` is the message that scrolls in the upper line, if one does.

    `codec` is what the maker has put above ASCII: that differs, so the usual model has nothing there.
    """

    def __init__(self, codec: str = "ascii") -> None:
        self._codec = codec
        super().__init__()
        self._commands |= {
            b"\x1b\x11": self._write_so(Writing.OVERWRITE),
            b"\x1b\x12": self._write_so(Writing.VERTICAL),
            b"\x1b\x13": self._write_so(Writing.HORIZONTAL),
            b"\x1bQA": PoleCommand(lambda text: self._show_line(0, text), _string_length),
            b"\x1bQB": PoleCommand(lambda text: self._show_line(1, text), _string_length),
            b"\x1bQD": PoleCommand(self._scroll, _string_length),
            b"\x1b[A": PoleCommand(lambda _: self._up(), fixed(0)),
            b"\x1b[B": PoleCommand(lambda _: self._down(), fixed(0)),
            b"\x1b[C": PoleCommand(lambda _: self._move(+1), fixed(0)),
            b"\x1b[D": PoleCommand(lambda _: self._move(-1), fixed(0)),
            b"\x1b[H": PoleCommand(lambda _: self._go(0, 0), fixed(0)),
            b"\x1b[K": PoleCommand(lambda _: self._go(ROWS - 1, 0), fixed(0)),
            b"\x1b[L": PoleCommand(lambda _: self._go(self.row, 0), fixed(0)),
            b"\x1b[R": PoleCommand(lambda _: self._go(self.row, COLUMNS - 1), fixed(0)),
            b"\x1bl": PoleCommand(self._go_to, fixed(2)),
            b"\x1b*": PoleCommand(self._set_brightness, fixed(1)),
            b"\x1b_": PoleCommand(self._set_cursor, fixed(1)),
        }
        # Windows, fonts, and letters of one's own in its memory: they change nothing that is kept here.
        for beginning, count in ((b"\x1bW", 4), (b"\x1bf", 1), (b"\x1bc", 1), (b"\x1bs", 1), (b"\x1bd", 1)):
            self._commands[beginning] = PoleCommand(lambda _: None, fixed(count))

    def _reset(self) -> None:
        super()._reset()
        self.string_mode = False
        self.cursor = True
        self.scrolls = ""

    def _allows(self, beginning: bytes) -> bool:
        return not self.string_mode or beginning in CLEARS or beginning.startswith(b"\x1bQ")

    def _letter(self, code: int) -> str:
        return bytes([code]).decode(self._codec, "replace") if code > 0x7F else super()._letter(code)

    def _text(self, parameters: bytes, most: int) -> str:
        return "".join(map(self._letter, parameters[:-1][:most]))

    def _show_line(self, row: int, parameters: bytes) -> None:
        if parameters[-1:] == bytes([END]):
            self.string_mode = True
            self.scrolls = ""
            self._screen.write_row(row, self._text(parameters, COLUMNS))

    def _scroll(self, parameters: bytes) -> None:
        if parameters[-1:] == bytes([END]):
            self.string_mode = True
            self.scrolls = self._text(parameters, MOST_SCROLLED)
            self._screen.write_row(0, self.scrolls)

    def _clear(self) -> None:
        super()._clear()
        self.string_mode = False
        self.scrolls = ""

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
