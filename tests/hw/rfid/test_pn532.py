"""A reader that works: how it is set up, how it polls, what it reports, and how it is closed."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.ports import Condition
from hw.rfid.frames import FIELD_OFF, FIRMWARE, LIST, RETRIES, SAM, Firmware
from hw.sim.pn532 import SimTag
from tests.hw.rfid.reader_rigs import CARD, DIE, LONG, MS, SECOND, ReaderOnCable, check_truth
from tests.thoroughness import tries


def reported(rig: ReaderOnCable) -> list[tuple[bytes, bool]]:
    """Comings and goings without their stamps; they are taken out."""
    reads = [(read.uid, read.present) for read in rig.reads]
    rig.reads.clear()
    return reads


def periods(rig: ReaderOnCable) -> list[tuple[int, int]]:
    """From when until when the field was on."""
    switched = list(rig.model.field_history)
    assert [on for _, on in switched] == [bool(index % 2 == 0) for index in range(len(switched))]
    moments = [t_ns for t_ns, _ in switched]
    return list(zip(moments[::2], moments[1::2], strict=False))


@pytest.fixture
def rig() -> ReaderOnCable:
    return ReaderOnCable()


# -- setting up and polling


def test_it_sets_the_chip_up_and_begins_to_poll(rig: ReaderOnCable) -> None:
    rig.run(0.3)
    codes = [code for _, code in rig.model.commands]
    assert codes[:6] == [SAM.code, FIELD_OFF.code, FIRMWARE.code, RETRIES.code, LIST.code, FIELD_OFF.code]
    assert set(codes[4::2]) == {LIST.code}
    assert set(codes[5::2]) == {FIELD_OFF.code}
    assert rig.reported == [], "nothing is wrong, and nothing was"


def test_it_knows_what_the_chip_says_of_itself(rig: ReaderOnCable) -> None:
    assert rig.reader.firmware is None
    rig.run(0.3)
    assert rig.reader.firmware == Firmware(0x32, 1, 6, 7)


def test_the_field_is_off_between_polls_for_as_long_as_tags_need(rig: ReaderOnCable) -> None:
    rig.run(10)
    on = periods(rig)
    assert len(on) > 150, "some 20 polls a second"
    assert all(5 * MS <= begin - end < 30 * MS for (_, end), (begin, _) in pairwise(on))
    assert all(5 * MS < end - begin < 50 * MS for begin, end in on)


def test_a_healthy_reader_costs_little(rig: ReaderOnCable) -> None:
    rig.run(1)
    steps, heard = rig.work.steps, rig.model.bytes_heard
    rig.run(10)
    assert rig.work.steps - steps < 10 * 300
    assert rig.model.bytes_heard - heard < 10 * 700


# -- tags


def test_a_read_bears_the_number_of_its_reader() -> None:
    rig = ReaderOnCable(number=7)
    rig.model.put(DIE)
    rig.run(0.5)
    assert [read.reader for read in rig.reads] == [7]


def test_stamps_are_as_narrow_as_polls_are_close(rig: ReaderOnCable) -> None:
    rig.run(0.5)
    for _ in range(20):
        rig.model.put(DIE)
        rig.run(0.6)
        rig.model.take(DIE.uid)
        rig.run(0.6)
    widths = {
        present: max(read.latest_ns - read.earliest_ns for read in rig.reads if read.present is present)
        for present in (True, False)
    }
    assert len(rig.reads) == 40
    assert widths[True] < 120 * MS, "two polls"
    assert widths[False] < 250 * MS, "four polls: one with it, three without"


def test_a_telephone_that_makes_up_a_number_for_every_poll_is_no_tag(rig: ReaderOnCable) -> None:
    rig.model.put(DIE)
    number = iter(range(10**6))

    def change() -> None:
        for uid in [uid for uid in rig.model.tags if uid[0] == 0x08]:
            rig.model.take(uid)
        rig.model.put(SimTag(b"\x08" + next(number).to_bytes(3, "big"), b"\x00\x04", 0x00))
        rig.agenda.after(15 * MS, change)

    change()
    rig.run(10)
    assert reported(rig) == [(DIE.uid, True)]


class Misreading:
    """Misses a tag now and then, but not three times in a row."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._row: Counter[bytes] = Counter()

    def __call__(self, uid: bytes) -> bool:
        missed = self._row[uid] < 2 and self._chance.random() < 0.3
        self._row[uid] = self._row[uid] + 1 if missed else 0
        return missed


def move(rig: ReaderOnCable, moves: list[tuple[SimTag, int]]) -> dict[bytes, bool]:
    """Tags come and go by turns; what was reported to be there in the end, if all of it was true."""
    for tag, pause_ms in moves:
        if tag.uid in rig.model.tags:
            rig.model.take(tag.uid)
        else:
            rig.model.put(tag)
        rig.run(pause_ms / 1e3)
    rig.run(1)
    return check_truth(rig.reads, rig.model.tag_history)


moves = st.lists(st.tuples(st.sampled_from([DIE, CARD]), st.integers(0, 400)), max_size=25)


@settings(max_examples=tries(12, 120))
@given(moves, st.integers(0, 10**6))
def test_whatever_hands_do_stamps_are_true(moves: list[tuple[SimTag, int]], seed: int) -> None:
    rig = ReaderOnCable(seed=seed)
    rig.run(0.5)
    there = move(rig, moves)
    assert {uid for uid, present in there.items() if present} == set(rig.model.tags)


three = st.lists(st.tuples(st.sampled_from([DIE, CARD, LONG]), st.integers(0, 200)), max_size=40)


@settings(max_examples=tries(12, 120))
@given(three, st.integers(0, 10**6))
def test_so_they_are_if_there_are_more_tags_than_the_chip_lists(
    moves: list[tuple[SimTag, int]], seed: int
) -> None:
    rig = ReaderOnCable(seed=seed)
    there = move(rig, moves)
    if len(rig.model.tags) < 2:
        assert {uid for uid, present in there.items() if present} == set(rig.model.tags)


@settings(max_examples=tries(12, 120))
@given(moves, st.integers(0, 10**6))
def test_so_they_are_if_tags_that_lie_there_are_misread(moves: list[tuple[SimTag, int]], seed: int) -> None:
    rig = ReaderOnCable(seed=seed)
    rig.run(0.5)
    misreading = Misreading(Random(seed))
    for tag, pause_ms in moves:
        if tag.uid in rig.model.tags:
            rig.run(pause_ms / 1e3)
            rig.model.take(tag.uid)
        else:
            rig.model.misreads = lambda uid: False
            rig.model.put(tag)
            rig.run(0.2)
            rig.model.misreads = misreading
    rig.run(1)
    there = check_truth(rig.reads, rig.model.tag_history)
    assert {uid for uid, present in there.items() if present} == set(rig.model.tags)


# -- closing


def test_after_closing_the_field_is_off_and_nothing_is_reported(rig: ReaderOnCable) -> None:
    rig.model.put(DIE)
    rig.run(1.01)
    rig.reader.close()
    rig.reader.close()
    reported(rig)
    rig.run(1)
    polls = len(rig.model.commands)
    rig.model.take(DIE.uid)
    rig.run(5)
    assert len(rig.model.commands) == polls
    assert not rig.model.field_on
    assert reported(rig) == []
    assert rig.reader.read() == []


@settings(max_examples=tries(12, 120))
@given(st.integers(0, 300 * MS))
def test_closing_the_port_at_any_moment_leaves_the_field_off(moment_ns: int) -> None:
    rig = ReaderOnCable()
    rig.run(moment_ns / SECOND)
    rig.owner.close()
    rig.run(0.2)
    assert not rig.model.field_on


@settings(max_examples=tries(12, 120))
@given(st.integers(0, 300 * MS))
def test_closing_the_reader_at_any_moment_leaves_the_field_off(moment_ns: int) -> None:
    rig = ReaderOnCable()
    rig.run(moment_ns / SECOND)
    rig.reader.close()
    rig.run(0.5)
    assert not rig.model.field_on
    assert not rig.reader.access.held
    steps = rig.work.steps
    rig.run(5)
    assert rig.work.steps == steps
    assert rig.condition is Condition.OK
