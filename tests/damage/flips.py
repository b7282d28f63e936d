"""A damaged store, one byte of which is wrong or which ends too early, and what becomes of it."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from types import FrameType

from tests.damage.daemon import plays, starts
from tests.damage.readings import COMMANDS, Reading, fault_of, place_of, read_with

PAGE, HEADER = 4096, 100
IN_MEMORY = Path("/dev/shm")
LONGEST_S = 60
"""Nothing here takes so long by itself."""


@dataclass(frozen=True, slots=True)
class Flip:
    """One byte of a file that is another one now. With `closely` it is also read, and played at."""

    offset: int
    mask: int
    """No bit at all: the file ends there."""
    closely: bool = False
    logged: bool = False
    """The last changes are in a log beside the file. It is read, and no daemon is started on it."""

    def __str__(self) -> str:
        change = f"byte {self.offset} ^ {self.mask:#04x}" if self.mask else f"cut at byte {self.offset}"
        return f"{change} beside a log" if self.logged else change

    def of(self, data: bytes) -> bytes:
        """The file as it is now."""
        if not self.mask:
            return data[: self.offset]
        spoilt = bytearray(data)
        spoilt[self.offset] ^= self.mask
        return bytes(spoilt)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a flip: what was wrong with it, and with how many exit codes it was read."""

    flip: Flip
    faults: tuple[str, ...] = ()
    codes: tuple[int, ...] = ()


class Hangs(Exception):
    """It takes too long."""


def choose(size: int, pages: int, others: int, readings: int, seed: int, step: int = 1) -> list[Flip]:
    """Every byte (or every so many) of the first pages, and that many elsewhere."""
    chance = Random(seed)
    first = min(pages * PAGE, size)
    offsets = list(range(0, first, step))
    offsets += sorted(chance.randrange(first, size) for _ in range(others if size > first else 0))
    # Half of what is looked at closely is in the first pages: few bytes, and much hangs on them.
    half = min(readings // 2, first // step)
    closely = {*chance.sample(range(first // step), half)}
    rest = range(first // step, len(offsets))
    closely |= {*chance.sample(rest, min(readings - half, len(rest)))}
    return [Flip(offset, chance.randrange(1, 256), n in closely) for n, offset in enumerate(offsets)]


def choose_schema(size: int, bits: int, cuts: int, seed: int) -> list[Flip]:
    """So many bits of the page that has the schema, and so many early ends; each also beside a log."""
    chance = Random(seed)
    flips = [Flip(chance.randrange(HEADER, PAGE), 1 << chance.randrange(8), True) for _ in range(bits)]
    flips += [Flip(chance.randrange(1, -(-size // PAGE)) * PAGE, 0, True) for _ in range(cuts)]
    return [replace(flip, logged=logged) for flip in flips for logged in (False, True)]


@dataclass(slots=True)
class Bench:
    """Where damaged copies of one store are tried, in a folder of its own."""

    data: bytes
    folder: Path
    log: bytes = b""
    sound: dict[tuple[str, bool], Reading] = field(default_factory=dict)

    @property
    def store(self) -> Path:
        return self.folder / "table.db"

    def try_flip(self, flip: Flip) -> Outcome:
        """Read it, start the daemon on it, and have it play; what was wrong with any of that."""
        read = self.read(flip) if flip.closely else Outcome(flip)
        if flip.logged:
            return read
        return replace(read, faults=read.faults + self.start(flip).faults)

    def read(self, flip: Flip) -> Outcome:
        """Run all the commands about the damaged store."""
        sound = [self._sound(command, flip.logged) for command in COMMANDS]
        self._put(flip.of(self.data), flip.logged)
        readings = [self._read(command) for command in COMMANDS]
        found = [fault_of(each, was) for each, was in zip(readings, sound, strict=True)]
        return Outcome(flip, tuple(filter(None, found)), tuple(each.code for each in readings))

    def start(self, flip: Flip) -> Outcome:
        """Start the daemon on the damaged store; where it is looked at closely, people play."""
        self._put(flip.of(self.data))
        try:
            with no_longer_than(LONGEST_S):
                found = plays(self.folder, self.store) if flip.closely else starts(self.store)
        except Exception as error:  # whatever ends the daemon is what is looked for
            found = [f"the daemon: {type(error).__name__}: {error} at {place_of(error)}"]
        return Outcome(flip, tuple(found))

    def _read(self, command: str) -> Reading:
        try:
            with no_longer_than(LONGEST_S):
                return read_with(command, self.store, self.folder)
        except Hangs:
            return Reading(command, -1, "", "", f"it takes more than {LONGEST_S} s")

    def _sound(self, command: str, logged: bool) -> Reading:
        """How a command ends without any damage."""
        if (command, logged) not in self.sound:
            self._put(self.data, logged)
            self.sound[command, logged] = self._read(command)
        return self.sound[command, logged]

    def _put(self, data: bytes, logged: bool = False) -> None:
        """Have this as the store, with nothing beside it but the log."""
        for each in self.folder.iterdir():
            if each.is_file():
                each.unlink()
        self.store.write_bytes(data)
        if logged:
            self.folder.joinpath("table.db-wal").write_bytes(self.log)


@contextmanager
def bench(data: bytes, log: bytes = b"") -> Iterator[Bench]:
    """A place to try flips of this store, and of this store beside that log."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        yield Bench(data, Path(folder), log)


@contextmanager
def no_longer_than(seconds: int) -> Iterator[None]:
    """Hangs if this takes longer; only for the main thread of a process."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Hangs(f"it takes more than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
