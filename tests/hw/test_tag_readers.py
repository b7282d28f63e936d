"""One contract for every reader of tags: it reports truthfully which tags come and go, and never waits."""

from __future__ import annotations

import select
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from hw.ports import TagRead, TagReader
from hw.sim.pn532 import Pn532Model, SimTag
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
