"""An Epson DM-D pole display to the byte."""

from __future__ import annotations

from hw.sim.signs.pole import COLUMNS, ROWS, PoleCommand, PoleModel, Writing, fixed

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
            b"\x1f\x0a": PoleCommand(lambda _: self._up(), fixed(0)),
            b"\x1f\x0d": PoleCommand(lambda _: self._go(self.row, COLUMNS - 1), fixed(0)),
            b"\x1fB": PoleCommand(lambda _: self._go(ROWS - 1, 0), fixed(0)),
            b"\x1f$": PoleCommand(self._go_to, fixed(2)),
            b"\x1fX": PoleCommand(self._set_brightness, fixed(1)),
            b"\x1fE": PoleCommand(self._set_blinking, fixed(1)),
            b"\x1fr": PoleCommand(self._set_reverse, fixed(1)),
            b"\x1fC": PoleCommand(self._set_cursor, fixed(1)),
            b"\x1f@": PoleCommand(lambda _: self._reset(), fixed(0)),
            b"\x1f.": PoleCommand(self._write_code, fixed(1)),
            b"\x1f,": PoleCommand(self._write_code, fixed(1)),
            b"\x1f;": PoleCommand(self._write_code, fixed(1)),
            b"\x1f#": PoleCommand(lambda _: None, fixed(2)),
            b"\x1bt": PoleCommand(self._select_table, fixed(1)),
            b"\x1bR": PoleCommand(self._select_nation, fixed(1)),
            b"\x1bW": PoleCommand(lambda _: None, _window_length),
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

    def _write_code(self, parameters: bytes) -> None:
        """A character with a dot or comma of its own below it: only the character is kept."""
        if parameters[0] >= 0x20:
            self._write(self._letter(parameters[0]))


def _window_length(parameters: bytes) -> int | None:
    """Its number, whether to have it, and its corners if so."""
    return None if len(parameters) < 2 else 6 if parameters[1] in (1, 0x31) else 2


def dmd_model(columns: int) -> DmdModel:
    """One as they all are."""
    return DmdModel()
