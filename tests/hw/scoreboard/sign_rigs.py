"""Scoreboards with a simulated sign behind them, in virtual time and in real time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from hw.ports import Health, Scoreboard
from hw.scoreboard.alpha import AlphaSign
from hw.scoreboard.charset import ASCII, Charset
from hw.scoreboard.cursor_signs import cd5220_sign, dmd_sign, vt100_sign
from hw.scoreboard.serial_sign import Page, SerialScoreboard, SerialSign
from hw.scoreboard.text import PlainScoreboard, TextSign
from hw.serial_port import PortWork, SerialEnd
from hw.sim.agenda import Agenda, AgendaOwner
from hw.sim.alpha_sign import AlphaModel
from hw.sim.cable import Cable
from hw.sim.outputs import SimTextDisplay
from hw.sim.pole_displays import Cd5220Model, DmdModel
from hw.sim.text_displays import TextModel, Vt100Model

SETTLED_S = 20.0
"""By then a page is there, and the sign has been set up a second time."""
GAP = "   "


class Model(SerialEnd, Protocol):
    """A simulated sign."""

    @property
    def lines(self) -> tuple[str, ...]: ...


Pair = tuple[SerialSign, Model]

PAIRS: dict[str, Callable[[], Pair]] = {
    "alpha": lambda: (AlphaSign(colours=("red", "green")), AlphaModel()),
    "betabrite": lambda: (AlphaSign(tall=False), AlphaModel(rows=1, columns=14)),
    "cd5220": lambda: (cd5220_sign(), Cd5220Model()),
    "dm-d": lambda: (dmd_sign(), DmdModel()),
    "text": lambda: (TextSign(), TextModel()),
    "vt100": lambda: (vt100_sign(), Vt100Model()),
    "vt100, 40 columns, latin-1": lambda: (
        vt100_sign(40, "latin-1"),
        Vt100Model(columns=40, codec="latin-1"),
    ),
    "vt100, pc850": lambda: (vt100_sign(charset="pc850"), Vt100Model(codec="cp850")),
    "vt100, utf-8": lambda: (vt100_sign(charset="utf-8"), Vt100Model(codec="utf-8")),
}


class ScoreboardRig(Protocol):
    """A scoreboard and the sign behind it."""

    board: Scoreboard

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads."""

    def expected(self, page: Page) -> tuple[str, ...]:
        """What a person should read once this page has got there."""

    def settle(self, page: Page) -> None:
        """Give that page the time it may take."""

    def close(self) -> None:
        """End everything, in whatever state it is."""


def reading(page: Page, rows: int, columns: int, charset: Charset) -> tuple[str, ...]:
    """A page cut to a display, in its letters."""
    spelled = [charset.spell(line)[:columns].rstrip() for line in page]
    return (*spelled, *[""] * rows)[:rows]


class PlainRig:
    """The plain scoreboard writes into its display."""

    def __init__(self) -> None:
        self._display = SimTextDisplay(rows=2, columns=20)
        self.board: Scoreboard = PlainScoreboard(self._display.write, columns=20)

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(line.rstrip() for line in self._display.lines)

    def expected(self, page: Page) -> tuple[str, ...]:
        return reading(page, 2, 20, ASCII)

    def settle(self, page: Page) -> None:
        """It is there at once."""

    def close(self) -> None:
        self.board.close()


class SerialRig:
    """What rigs with a serial board have in common."""

    def __init__(self, pair: Pair) -> None:
        self.sign, self.model = pair
        self.serial_board = SerialScoreboard("scoreboard", self.sign)
        self.board: Scoreboard = self.serial_board
        self.reported: list[Health] = []

    @property
    def lines(self) -> tuple[str, ...]:
        return self.model.lines

    def expected(self, page: Page) -> tuple[str, ...]:
        lines = reading(page, 2, self.sign.columns, self.sign.charset)
        return lines if len(self.model.lines) > 1 else (GAP.join(line or " " for line in lines).rstrip(),)


class SignOnCable(SerialRig):
    """The port is a cable in virtual time."""

    def __init__(self, pair: Pair, baud: int = 9600) -> None:
        super().__init__(pair)
        self.agenda = Agenda()
        self.cable = Cable(self.model, self.agenda, baud)
        work = PortWork(self.cable.open, self.serial_board, self.reported.append)
        self.cable.wake = lambda: work.wake()
        self._owner = AgendaOwner(work, self.agenda)

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.agenda.run(self.agenda.now_ns + int(seconds * 1e9))

    def settle(self, page: Page) -> None:
        self.run(SETTLED_S)

    def lose_power(self, seconds: float = 1.0) -> None:
        """The sign is without power for a while; its port notices nothing."""
        self.model.closed(self.agenda.now_ns)
        self.run(seconds)
        self.model.opened(self.agenda.now_ns)

    def close_port(self) -> None:
        self._owner.close()

    def close(self) -> None:
        self.close_port()
