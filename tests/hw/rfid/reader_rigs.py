"""Readers on test benches: the driver, its port's work, a line, and a model of the chip at its end."""

from __future__ import annotations

import itertools
import os
import select
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

from hw.ports import Condition, Health, TagRead
from hw.rfid.field import FieldToken
from hw.rfid.frames import FROM_CHIP, FROM_HOST, DataFrame, Parser
from hw.rfid.pn532 import Pn532
from hw.serial_port import PyserialPort
from hw.sim.agenda import Agenda, AgendaOwner
from hw.sim.cable import Cable, PtyPeer
from hw.sim.pn532 import Pn532Model, SimTag
from hw.work import OwnerThread
from tests.hw.uart.pty_bench import DEADLINE_S, CountedWork, wait_until

MS = 1_000_000
SECOND = 1_000 * MS
DIE = SimTag(bytes.fromhex("078CFC4F"))
CARD = SimTag(bytes.fromhex("047BCB51962280"), b"\x00\x44", 0x00)
LONG = SimTag(bytes.fromhex("0102030405060708090A"), b"\x00\x84", 0x00)
SMART = SimTag(bytes.fromhex("FDE60899"), b"\x00\x04", 0x28, bytes.fromhex("10788090022090000000") + bytes(6))


class ReaderOnCable:
    """A reader on a cable in virtual time."""

    def __init__(
        self, agenda: Agenda | None = None, field: FieldToken | None = None, number: int = 0, seed: int = 1
    ) -> None:
        self.agenda = agenda or Agenda()
        self.model = Pn532Model(lambda: self.agenda.now_ns, Random(seed))
        self.cable = Cable(self.model, self.agenda)
        self.reader = Pn532(f"reader {number}", number, field or FieldToken())
        self.reported: list[Health] = []
        self.work = CountedWork(self.cable.open, self.reader, self.reported.append)
        self.owner = AgendaOwner(self.work, self.agenda)
        self.cable.wake = self.owner.wake
        self.reads: list[TagRead] = []

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self.agenda.run(self.agenda.now_ns + round(seconds * SECOND))
        self.reads += self.reader.read()

    def wait_for(self, count: int) -> None:
        """Until that many reads are in `reads`."""
        for _ in range(100):
            if len(self.reads) < count:
                self.run(0.01)
        assert len(self.reads) >= count

    def rest(self) -> None:
        """A few polls."""
        self.run(0.3)

    def close(self) -> None:
        self.owner.close()
        self.reader.close()

    @property
    def conditions(self) -> list[Condition]:
        """The reported conditions, without reasons and without repetition."""
        return [condition for condition, _ in itertools.groupby(health.condition for health in self.reported)]

    @property
    def condition(self) -> Condition:
        """Its condition as last reported."""
        return self.reported[-1].condition if self.reported else Condition.OK


class ReaderOnPty:
    """A reader on a pseudo-terminal, opened by pyserial, on threads of their own."""

    def __init__(self, path: Path, field: FieldToken | None = None) -> None:
        self.path = path
        self.model = Pn532Model(time.monotonic_ns)
        self.peer = PtyPeer(self.model, path)
        self.reported: list[Health] = []
        self.peer_owner = OwnerThread(self.peer, self.reported.append)
        wait_until(path.exists)
        self.reader = Pn532("reader 0", 0, field or FieldToken())
        self.work = CountedWork(
            lambda: PyserialPort(os.fspath(path), 115200), self.reader, self.reported.append
        )
        self.owner = OwnerThread(self.work, self.reported.append)
        self.reads: list[TagRead] = []

    @property
    def condition(self) -> Condition:
        return self.reported[-1].condition if self.reported else Condition.OK

    def wait_for(self, count: int) -> None:
        """Until that many reads are in `reads`, as its loop would wait."""
        end = time.monotonic() + DEADLINE_S
        while len(self.reads) < count and time.monotonic() < end:
            select.select([self.reader.fileno()], (), (), 0.1)
            self.reads += self.reader.read()
        assert len(self.reads) >= count

    def rest(self) -> None:
        """A few polls, and what they bring."""
        time.sleep(0.25)
        self.reads += self.reader.read()

    def close(self) -> None:
        self.owner.close()
        self.peer_owner.close()
        self.reader.close()


def garbler(chance: Random, share: float) -> Callable[[bytes], bytes]:
    """A line that changes, loses and adds bytes; `share` of them.

    It never makes one good frame of another. The checksums are weak enough for that: a command
    that has lost a zero still adds up, with the zero behind it as its checksum. No software could tell.
    """

    def garble(data: bytes) -> bytes:
        passed = bytearray()
        for byte in data:
            bad = chance.random() < share
            kind = chance.randrange(3) if bad else 3
            if kind == 0:
                passed.append(chance.randrange(0x100))
            elif kind == 1:
                passed += bytes((byte, chance.randrange(0x100)))
            elif kind == 3:
                passed.append(byte)
        return bytes(passed) if _frames(bytes(passed)) <= _frames(data) else bytes(b ^ 0x5A for b in data)

    return garble


def _frames(data: bytes) -> set[DataFrame]:
    items = [item for origin in (FROM_HOST, FROM_CHIP) for item in Parser(origin).feed(data)]
    return {item for item in items if isinstance(item, DataFrame)}


def check_truth(reads: Iterable[TagRead], history: Iterable[tuple[int, bytes, bool]]) -> dict[bytes, bool]:
    """Check that each read happened between its two moments; the tags that are there in the end.

    A tag that is told to be present although it is known to be may just still be there.
    """
    moves = list(history)
    reported: dict[bytes, bool] = {}
    for read in reads:
        assert read.earliest_ns < read.latest_ns
        mine = [(t_ns, present) for t_ns, uid, present in moves if uid == read.uid]
        if read.present and reported.get(read.uid):
            before = [present for t_ns, present in mine if t_ns <= read.earliest_ns]
            during = [present for t_ns, present in mine if read.earliest_ns < t_ns <= read.latest_ns]
            assert before[-1:] == [True] or True in during
        else:
            assert read.present or reported[read.uid], "it goes only if it has come"
            assert any(
                present == read.present and read.earliest_ns <= t_ns <= read.latest_ns
                for t_ns, present in mine
            ), f"{read} is not true: {mine}"
        reported[read.uid] = read.present
    return reported


BACK_S = 5.0
"""The longest pause between two attempts, and the time for one."""


def unplug(rig: ReaderOnCable) -> None:
    rig.cable.unplug()


def fall_silent(rig: ReaderOnCable) -> None:
    rig.model.silent = True


def be_noisy(rig: ReaderOnCable) -> None:
    rig.cable.garble = garbler(Random(rig.agenda.now_ns), 0.03)


def slow_down(rig: ReaderOnCable) -> None:
    rig.cable.baud = 2400


def take_nothing(rig: ReaderOnCable) -> None:
    rig.cable.baud = 0


def refuse(rig: ReaderOnCable) -> None:
    rig.model.error_every = 3


def reset(rig: ReaderOnCable) -> None:
    rig.model.forget()


def mend(rig: ReaderOnCable) -> None:
    rig.cable.plug()
    rig.model.silent = False
    rig.cable.garble = None
    rig.cable.baud = 115200
    rig.model.error_every = 0


def move_die(rig: ReaderOnCable) -> None:
    if DIE.uid in rig.model.tags:
        rig.model.take(DIE.uid)
    else:
        rig.model.put(DIE)


def move_card(rig: ReaderOnCable) -> None:
    if CARD.uid in rig.model.tags:
        rig.model.take(CARD.uid)
    else:
        rig.model.put(CARD)


Deed = Callable[[ReaderOnCable], None]
FAULTS: list[Deed] = [unplug, fall_silent, be_noisy, slow_down, take_nothing, refuse, reset]
