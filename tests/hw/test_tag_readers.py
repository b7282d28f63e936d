"""One contract for every reader of tags: it reports truthfully which tags come and go, and never waits."""

from __future__ import annotations

import select
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import TagRead, TagReader
from hw.rfid.frames import Target
from hw.rfid.presence import Presence
from hw.sim.agenda import Agenda
from hw.sim.pn532 import Pn532Model, SimTag
from hw.sim.tag_readers import LOOK_NS, SimReaders
from tests.hw.rfid.reader_rigs import CARD, DIE, LONG, SMART, ReaderOnCable, ReaderOnPty, check_truth


class ReaderRig(Protocol):
    """A reader with a model of its chip, and time."""

    model: Pn532Model
    reads: list[TagRead]

    @property
    def reader(self) -> TagReader:
        """The reader under test."""

    def wait_for(self, count: int) -> None:
        """Until that many reads have come."""

    def rest(self) -> None:
        """A few polls."""

    def close(self) -> None:
        """End everything, in whatever state it is."""


@pytest.fixture(params=["on a cable", "on a pty"])
def rig(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ReaderRig]:
    made: ReaderRig = ReaderOnCable() if request.param == "on a cable" else ReaderOnPty(tmp_path / "port")
    yield made
    made.close()


def reads_of(rig: ReaderRig) -> list[tuple[int, bytes, bool]]:
    return [(read.reader, read.uid, read.present) for read in rig.reads]


def readable(reader: TagReader) -> bool:
    return bool(select.select([reader.fileno()], [], [], 0)[0])


def test_at_first_there_is_nothing(rig: ReaderRig) -> None:
    rig.rest()
    assert rig.reader.read() == []
    assert not readable(rig.reader)


@pytest.mark.parametrize("tag", [DIE, CARD, LONG, SMART], ids=["4 bytes", "7 bytes", "10 bytes", "smart"])
def test_a_tag_comes_and_goes(rig: ReaderRig, tag: SimTag) -> None:
    rig.rest()
    rig.model.put(tag)
    rig.wait_for(1)
    rig.model.take(tag.uid)
    rig.wait_for(2)
    assert reads_of(rig) == [(0, tag.uid, True), (0, tag.uid, False)]
    check_truth(rig.reads, rig.model.tag_history)


def test_a_tag_that_stays_is_reported_once(rig: ReaderRig) -> None:
    rig.model.put(DIE)
    rig.wait_for(1)
    rig.rest()
    assert reads_of(rig) == [(0, DIE.uid, True)]


def test_two_tags(rig: ReaderRig) -> None:
    rig.model.put(DIE)
    rig.model.put(CARD)
    rig.wait_for(2)
    rig.model.take(DIE.uid)
    rig.wait_for(3)
    assert sorted(reads_of(rig)[:2]) == [(0, CARD.uid, True), (0, DIE.uid, True)]
    assert reads_of(rig)[2:] == [(0, DIE.uid, False)]
    check_truth(rig.reads, rig.model.tag_history)


def test_the_descriptor_stays_and_is_readable_while_there_is_something(rig: ReaderRig) -> None:
    descriptor = rig.reader.fileno()
    rig.model.put(DIE)
    rig.wait_for(1)
    assert rig.reader.fileno() == descriptor
    assert not readable(rig.reader)


def test_it_may_be_closed_any_number_of_times(rig: ReaderRig) -> None:
    rig.model.put(DIE)
    rig.wait_for(1)
    for _ in range(3):
        rig.reader.close()
    rig.rest()
    assert rig.reader.read() == []
    assert not rig.model.field_on


def test_closed_it_reports_no_more(rig: ReaderRig) -> None:
    rig.rest()
    rig.reader.close()
    rig.model.put(DIE)
    rig.rest()
    assert rig.reader.read() == []


MS = 1_000_000
A, B, C = b"\x01\x02\x03\x04", b"\x05\x06\x07\x08", b"\x09\x0a\x0b\x0c"
UIDS = {"A": A, "B": B, "C": C}


class FixedPhase(Random):
    """A lot that always says when the reader looks."""

    def __init__(self, phase_ns: int) -> None:
        super().__init__(1)
        self._phase_ns = phase_ns

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        return self._phase_ns


class ReaderBench:
    """One reader, hands, and its reports, each with its moment."""

    def __init__(self, phase_ns: int = 10 * MS, turns: int = 1) -> None:
        self.agenda = Agenda()
        self.all = SimReaders(self.agenda, FixedPhase(phase_ns), (1, turns))
        self.reader = self.all.readers[1]

    def move(self, puts: bool, uid: bytes, ms: float) -> None:
        deed = self.reader.put if puts else self.reader.take
        self.agenda.at(at(ms), lambda: deed(uid))

    def reported(self, until_ms: float = 10_000) -> list[tuple[int, TagRead]]:
        reported: list[tuple[int, TagRead]] = []
        while (due_ns := self.agenda.due_ns) is not None and due_ns <= at(until_ms):
            self.agenda.run(due_ns)
            reported += [(due_ns, read) for read in self.all.read()]
        return reported


def at(ms: float) -> int:
    return round(ms * MS)


@pytest.mark.parametrize(
    ("phase_ms", "turns", "deeds", "reported"),
    [
        # A tag is found by the next look and reported after one more; a look of just now is too early.
        (10, 1, "+A1000", "1050 +A 970..1010"),
        (10, 1, "+A1010", "1090 +A 1010..1050"),
        # Nobody has looked before the table was switched on.
        (25, 1, "+A3", "65 +A 0..25"),
        # It has gone when several looks have missed it. Where neighbours take turns looks are further apart,
        # but the second one comes at once.
        (10, 1, "+A1000 -A2000", "1050 +A 970..1010, 2130 -A 1970..2130"),
        (10, 4, "+A1000 -A3000", "1170 +A 970..1130, 3370 -A 2890..3370"),
        # What is there for one look only is never reported; what is away for a moment has never gone.
        (10, 1, "+A1000 -A1020", ""),
        (10, 1, "+A1000 -A2000 +A2050", "1050 +A 970..1010"),
        # What flickers (last seen at 1970, 2050 and 2090) has gone after the looks that missed it last.
        (10, 1, "+A1000 -A2000 +A2020 -A2100", "1050 +A 970..1010, 2250 -A 2090..2250"),
        (10, 1, "+A1000 -A2000 +A3000", "1050 +A 970..1010, 2130 -A 1970..2130, 3050 +A 2970..3010"),
        (10, 1, "-A1000", ""),
        # A third tag waits until one of two has gone, or is never reported if it gives up.
        (10, 1, "+A1000 +B1000 +C1000 -A2000",
         "1050 +A 970..1010, 1050 +B 970..1010, 2130 -A 1970..2130, 2130 +C 2050..2090"),
        (10, 1, "+A1000 +B1000 +C1000 -C1500", "1050 +A 970..1010, 1050 +B 970..1010"),
    ],
)  # fmt: skip
def test_a_simulated_reader_is_as_late_as_a_real_one(
    phase_ms: int, turns: int, deeds: str, reported: str
) -> None:
    desk = ReaderBench(phase_ms * MS, turns)
    for deed in deeds.split():
        desk.move(deed[0] == "+", UIDS[deed[1]], float(deed[2:]))
    names = {uid: name for name, uid in UIDS.items()}
    words = [
        f"{t_ns // MS} {'-+'[read.present]}{names[read.uid]} {read.earliest_ns // MS}..{read.latest_ns // MS}"
        for t_ns, read in desk.reported()
    ]
    assert ", ".join(words) == reported
    assert desk.agenda.due_ns is None


def test_all_readers_of_a_table_tell_through_one_descriptor() -> None:
    desk = ReaderBench()
    desk.move(True, A, 1000)
    desk.agenda.at(at(1000), lambda: desk.all.readers[0].put(B))
    descriptor = desk.all.fileno()
    assert not select.select([descriptor], [], [], 0)[0]
    desk.agenda.run(2000 * MS)
    assert select.select([descriptor], [], [], 0)[0]
    assert [(read.reader, read.uid) for read in desk.all.read()] == [(1, A), (0, B)]
    assert desk.all.read() == [] and not select.select([descriptor], [], [], 0)[0]
    desk.all.close()
    desk.all.close()


def test_when_each_looks_is_drawn_by_lot() -> None:
    agenda = Agenda()
    readers = SimReaders(agenda, Random(1), [1] * 20)
    for reader in readers.readers:
        agenda.at(at(1000), partial(reader.put, A))
    agenda.run(at(2000))
    reads = readers.read()
    assert all(read.latest_ns - read.earliest_ns == LOOK_NS for read in reads) and len(reads) == 20
    assert all(read.earliest_ns <= at(1000) < read.latest_ns for read in reads)
    assert len({read.latest_ns for read in reads}) > 10


class Looks:
    """The same hands before a reader that takes looks as the real one does."""

    def __init__(self, deeds: list[tuple[int, bool, bytes]], phase_ns: int) -> None:
        presence = Presence(1)
        there: set[bytes] = set()
        self.reported: list[tuple[int, TagRead]] = []
        coming = sorted(deeds, key=lambda deed: deed[0])
        for look_ns in range(phase_ns, at(9000), LOOK_NS):
            while coming and coming[0][0] < look_ns:
                _, puts, uid = coming.pop(0)
                (there.add if puts else there.discard)(uid)
            listed = [Target(uid, b"", 0) for uid in sorted(there)]
            self.reported += [(look_ns, read) for read in presence.polled(listed, look_ns, look_ns)]


@given(st.lists(st.tuples(st.integers(200, 600), st.sampled_from([A, B])), max_size=10), st.integers(1, 39))
def test_it_reports_what_a_reader_with_looks_reports(steps: list[tuple[int, bytes]], phase_ms: int) -> None:
    """Hands that take their time: tags come and go for both at the same looks, with the same stamps."""
    desk, deeds, there, t_ms = ReaderBench(phase_ns=phase_ms * MS), [], set[bytes](), 1000
    for gap_ms, uid in steps:
        t_ms += gap_ms
        puts = uid not in there
        (there.add if puts else there.discard)(uid)
        desk.move(puts, uid, t_ms + 0.5)
        deeds.append((at(t_ms + 0.5), puts, uid))
    assert sorted(desk.reported()) == sorted(Looks(deeds, phase_ms * MS).reported)
