"""A store that can't grow for a while: by a limit on the size of files, or on a small disk that is full."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Protocol

from tests.crash.blows import MESSAGES
from tests.crash.evening import Evening, Failed
from tests.crash.rig import Rig

LEAST_BYTES = 16_384
"""So long at least the log and the health page may become; the store is longer from the start."""
DISK_BYTES = 1 << 20
PIECE_BYTES = 4096
BACK_S = 25.0
"""The longest until the store is written again when there is space; it is tried every ten seconds."""


class Space(Protocol):
    """Where the store is."""

    def take(self) -> None:
        """From now on the store can't grow, or only a little."""

    def give(self) -> None:
        """It can grow again."""

    def close(self) -> None:
        """Nothing is left of it."""


class Limit:
    """The daemon may make no file longer than that."""

    def __init__(self, rig: Rig, more_bytes: int) -> None:
        self._rig = rig
        self._more_bytes = more_bytes

    def take(self) -> None:
        self._rig.limit(LEAST_BYTES + self._more_bytes)

    def give(self) -> None:
        self._rig.limit(resource.RLIM_INFINITY)

    def close(self) -> None:
        """The limit has ended with the daemon."""


class SmallDisk:
    """A disk of its own, on which something else takes all the room."""

    def __init__(self, folder: Path, left_bytes: int) -> None:
        self.folder = folder
        self._left_bytes = left_bytes
        self._filler = folder / "filler"
        folder.mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)], check=True)

    def take(self) -> None:
        with self._filler.open("wb", buffering=0) as filler, suppress(OSError):
            while True:
                filler.write(bytes(PIECE_BYTES))
        os.truncate(self._filler, max(0, self._filler.stat().st_size - self._left_bytes))

    def give(self) -> None:
        self._filler.unlink()

    def close(self) -> None:
        subprocess.run(["umount", str(self.folder)], check=True)


def can_mount(folder: Path) -> bool:
    """Whether this machine lets us have a disk of our own."""
    if os.geteuid():
        return False
    try:
        SmallDisk(folder, 0).close()
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


class Shortage:
    """The space is taken at some message, and given back when the match is over."""

    def __init__(self, space: Space, chance: Random, game: str) -> None:
        self._space = space
        self._begins = chance.randint(1, MESSAGES[game] // 2)

    def hear(self, number: int) -> None:
        """The daemon has said so much."""
        if number == self._begins:
            self._space.take()

    def end(self, evening: Evening) -> None:
        """With space again, the health page must say that the store is well; the journal shows if it was."""
        self._space.give()
        _await_well(evening)


def _await_well(evening: Evening) -> None:
    end_s = time.monotonic() + BACK_S
    # A store of which nothing was ever told is well: it had some room in its own file all the time.
    while evening.rig.health["devices"].get("store", {"condition": "ok"})["condition"] != "ok":
        if time.monotonic() > end_s:
            raise Failed(f"the health page does not say that the store is ok: {evening.rig.health}")
        evening.step()
        time.sleep(0.002)  # a table that nobody plays at makes its time pass quickly
