"""The file in which a world keeps its dice or cards from one run to the next."""

from __future__ import annotations

import fcntl
import json
import time
from pathlib import Path
from typing import IO, Any

from firmware_host.durations import MS
from firmware_host.errors import TableError
from firmware_host.places import DieFace
from firmware_host.players.belongings import OtherBelongings, kept, restore
from firmware_host.players.cards.decks import Decks
from firmware_host.players.dice import Dice
from firmware_host.simulation.hands import SimulatedTable

PATIENCE_S = 10.0
LOOK_S = 0.05
KEEP_S = 1.0
COMES_TO_REST_NS = 100 * MS


class TakenThings(TableError):
    """Another world has these dice or cards."""


class ThingsFile:
    """One world's dice or cards; the world that was there before has to be gone."""

    def __init__(self, path: Path, deal: tuple[int, ...]) -> None:
        self._path = path
        self._deal = list(deal)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = _locked(path)
        self._kept_s = time.monotonic()

    def lay_out(self, things: Dice | Decks, world: SimulatedTable) -> bool:
        """Put all where it was when it was kept last; whether that is known, and fits the people who play."""
        self._file.seek(0)
        try:
            data: dict[str, Any] = json.loads(self._file.read() or "{}")
            if data.get("deal") != self._deal:
                return False
            restore(things, data["things"])
        except (ValueError, KeyError, AttributeError, OtherBelongings):
            return False
        if isinstance(things, Dice):
            for slot, die in things.board.items():
                world.fill(slot, DieFace(die.number, die.face))
        return True

    def keep_now_and_then(self, things: Dice | Decks) -> None:
        """Write it down if that was long ago: this process may be killed."""
        if time.monotonic() - self._kept_s > KEEP_S:
            self.keep(things)

    def keep(self, things: Dice | Decks) -> None:
        """Write down where all is now."""
        text = json.dumps({"deal": self._deal, "things": kept(things)})
        self._file.seek(0)
        self._file.truncate()
        self._file.write(text)
        self._file.flush()
        self._kept_s = time.monotonic()

    def close(self) -> None:
        """Let the next world have them."""
        self._file.close()


def _locked(path: Path) -> IO[str]:
    """The file, as soon as no other world has it any more."""
    file = path.open("a+", encoding="utf-8")
    end_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end_s:
                file.close()
                raise TakenThings(f"{path}: another simulated table has it and does not end") from None
            time.sleep(LOOK_S)
        else:
            return file
