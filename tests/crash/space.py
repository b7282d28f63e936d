"""What happens to a store: it can't grow for a while, or its bytes are cut off or overwritten.

It can't grow by a limit on the size of files, or on a small disk that is full.
"""

from __future__ import annotations

import os
import resource
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from tests.crash.evening import MESSAGES, Evening, Failed, Rig

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


COMPANIONS = ("", "-wal", "-shm")
MOST_BYTES = 300
HEADER_BYTES = 100


@dataclass(frozen=True, slots=True)
class Damage:
    """What was done to a file."""

    words: str

    def __str__(self) -> str:
        return self.words


def cut(store: Path, chance: Random) -> Damage:
    """Cut one of the store's files off at a random byte."""
    path = _victim(store, chance)
    size = path.stat().st_size
    length = chance.randint(0, size)
    with path.open("r+b") as file:
        file.truncate(length)
    return Damage(f"{path.name} cut from {size} to {length} bytes")


def scribble(store: Path, chance: Random) -> Damage:
    """Overwrite random bytes of one of the store's files, sometimes of its very beginning."""
    path = _victim(store, chance)
    size = path.stat().st_size
    if not size:
        return Damage(f"{path.name} is empty and stays so")
    start = chance.randrange(min(size, HEADER_BYTES) if chance.random() < 0.25 else size)
    data = chance.randbytes(min(chance.randint(1, MOST_BYTES), size - start))
    with path.open("r+b") as file:
        file.seek(start)
        file.write(data)
    return Damage(f"{path.name} of {size} bytes overwritten from {start} on with {len(data)} bytes")


def _victim(store: Path, chance: Random) -> Path:
    files = [Path(f"{store}{companion}") for companion in COMPANIONS]
    there = [file for file in files if file.exists()]
    filled = [file for file in there if file.stat().st_size]
    return chance.choice(filled or there)
