"""Scoreboards with a simulated sign behind them, in virtual time and in real time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from hw.ports import Health, Scoreboard
from hw.scoreboard.alpha import AlphaSign
from hw.scoreboard.cd5220 import Cd5220Sign
from hw.scoreboard.charset import ASCII, LATIN_1, PC850, UTF_8, Charset
from hw.scoreboard.dmd import DmdSign
from hw.scoreboard.serial_sign import Page, SerialScoreboard, SerialSign
from hw.scoreboard.text import PlainScoreboard, TextSign
from hw.scoreboard.vt100 import Vt100Sign
from hw.sim.agenda import Agenda, AgendaOwner
from hw.sim.cable import Cable
from hw.sim.outputs import SimTextDisplay
from hw.sim.pty import PtyPeer
from hw.sim.signs.alpha import AlphaModel
from hw.sim.signs.cd5220 import Cd5220Model
from hw.sim.signs.dmd import DmdModel
from hw.sim.signs.text import TextModel
from hw.sim.signs.vt100 import Vt100Model
from hw.uart.port import PortWork, SerialEnd
from hw.uart.pyserial_port import PyserialPort
from hw.work import OwnerThread

SETTLED_S = 20.0
"""By then a page is there, and the sign has been set up a second time."""
DEADLINE_S = 5.0
GAP = "   "


class Model(SerialEnd, Protocol):
    """A simulated sign."""

    @property
    def lines(self) -> tuple[str, ...]: ...


Pair = tuple[SerialSign, Model]

PAIRS: dict[str, Callable[[], Pair]] = {
    "alpha": lambda: (AlphaSign(colours=("red", "green")), AlphaModel()),
    "betabrite": lambda: (AlphaSign(tall=False), AlphaModel(rows=1, columns=14)),
    "cd5220": lambda: (Cd5220Sign(), Cd5220Model()),
    "dm-d": lambda: (DmdSign(), DmdModel()),
    "text": lambda: (TextSign(), TextModel()),
    "vt100": lambda: (Vt100Sign(), Vt100Model()),
    "vt100, 40 columns, latin-1": lambda: (
        Vt100Sign(40, LATIN_1),
        Vt100Model(columns=40, codec="latin-1"),
    ),
    "vt100, pc850": lambda: (Vt100Sign(charset=PC850), Vt100Model(codec="cp850")),
    "vt100, utf-8": lambda: (Vt100Sign(charset=UTF_8), Vt100Model(codec="utf-8")),
}
HURRIED: dict[str, Callable[[], Pair]] = PAIRS | {
    "alpha": lambda: (
        AlphaSign(pause_ns=20_000_000, cleared_ns=20_000_000),
        AlphaModel(gap_ns=0, reset_ns=0),
    ),
    "betabrite": lambda: (
        AlphaSign(tall=False, pause_ns=20_000_000, cleared_ns=20_000_000),
        AlphaModel(rows=1, gap_ns=0, reset_ns=0),
    ),
}
"""The same in real time: with short pauses, and no sign misses what a busy machine hands on late."""


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


class SignOnPty(SerialRig):
    """The port is a pseudo-terminal, opened by pyserial; everything takes real time."""

    def __init__(self, pair: Pair, path: Path) -> None:
        super().__init__(pair)
        self.peer = PtyPeer(self.model, path)
        self._peer_owner = OwnerThread(self.peer, self.reported.append)
        wait_until(path.exists)
        self.work = PortWork(self._open_port, self.serial_board, self.reported.append)
        self._owner = OwnerThread(self.work, self.reported.append)

    def _open_port(self) -> PyserialPort:
        sign = self.sign
        return PyserialPort(os.fspath(self.peer.path), sign.baud, bits=sign.bits, parity=sign.parity)

    def settle(self, page: Page) -> None:
        wait_until(lambda: self.lines == self.expected(page))

    def close_port(self) -> None:
        self._owner.close()

    def close(self) -> None:
        self.close_port()
        self._peer_owner.close()


def wait_until(true: Callable[[], bool], deadline_s: float = DEADLINE_S) -> None:
    """Wait for something in real time; whether it came is for the caller to check."""
    end = time.monotonic() + deadline_s
    while not true() and time.monotonic() < end:
        time.sleep(0.002)
