"""Faults of a reader: each is reported, the reader recovers alone, and stamps stay true."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.ports import Condition
from hw.rfid.frames import LIST
from hw.rfid.pn532 import DEGRADED_NS, ECHO, GARBLED, MISHEARD, SILENT
from tests.hw.rfid.reader_rigs import (
    BACK_S,
    CARD,
    DIE,
    FAULTS,
    MS,
    SECOND,
    Deed,
    ReaderOnCable,
    check_truth,
    garbler,
    mend,
    move_card,
    move_die,
)
from tests.hw.uart.pty_bench import Repeater
from tests.thoroughness import tries

Garble = Callable[[bytes], bytes]
OK, DEGRADED, LOST = Condition.OK, Condition.DEGRADED, Condition.LOST


def at_work() -> ReaderOnCable:
    """A reader that has been polling for a second, with a die before it."""
    rig = ReaderOnCable()
    rig.run(0.5)
    rig.model.put(DIE)
    rig.run(0.5)
    assert [(read.uid, read.present) for read in rig.reads] == [(DIE.uid, True)]
    return rig


def still_there(rig: ReaderOnCable) -> None:
    """The die was reported again, which is right; what comes and goes now is reported, too."""
    assert [(read.uid, read.present) for read in rig.reads] == [(DIE.uid, True)] * 2
    check_truth(rig.reads, rig.model.tag_history)
    rig.model.take(DIE.uid)
    rig.run(0.5)
    assert (rig.reads[-1].uid, rig.reads[-1].present) == (DIE.uid, False)
    check_truth(rig.reads, rig.model.tag_history)


@pytest.fixture
def rig() -> ReaderOnCable:
    return at_work()


def check_recovers(rig: ReaderOnCable) -> None:
    """It is well again after a while, and knows what lies there."""
    rig.run(BACK_S + DEGRADED_NS / SECOND)
    assert rig.condition is OK
    still_there(rig)


# -- the plug


def test_unplugging_is_reported_and_what_is_there_is_reported_again(rig: ReaderOnCable) -> None:
    rig.cable.unplug()
    rig.run(0.001)
    assert (rig.reported[-1].condition, rig.reported[-1].seen) == (LOST, "was unplugged")
    rig.run(10)
    assert rig.reported[-1].seen == "is not plugged in"
    rig.cable.plug()
    rig.run(BACK_S)
    assert rig.conditions == [LOST, OK]
    still_there(rig)


def test_a_tag_that_was_taken_while_it_was_unplugged_is_gone_afterwards(rig: ReaderOnCable) -> None:
    rig.cable.unplug()
    rig.run(2)
    rig.model.take(DIE.uid)
    rig.model.put(CARD)
    rig.run(2)
    rig.cable.plug()
    rig.run(BACK_S)
    assert sorted((read.uid, read.present) for read in rig.reads[1:]) == [(CARD.uid, True), (DIE.uid, False)]
    check_truth(rig.reads, rig.model.tag_history)


def test_nothing_is_plugged_in_at_first() -> None:
    rig = ReaderOnCable()
    rig.cable.unplug()
    rig.run(10)
    assert rig.conditions == [LOST]
    rig.model.put(DIE)
    rig.cable.plug()
    rig.run(BACK_S)
    assert rig.conditions == [LOST, OK]
    [read] = rig.reads
    assert read.earliest_ns == 0


# -- silence


def test_silence_is_reported_soon_and_recovered_from(rig: ReaderOnCable) -> None:
    rig.model.silent = True
    rig.run(0.5)
    assert rig.conditions == [DEGRADED, LOST]
    assert rig.reported[-1].seen.startswith(SILENT)
    assert "HSU" in rig.reported[-1].advice
    rig.run(20)
    rig.model.silent = False
    rig.run(BACK_S)
    assert rig.conditions == [DEGRADED, LOST, OK]
    still_there(rig)


def test_a_field_that_may_be_on_is_reported(rig: ReaderOnCable) -> None:
    while not rig.model.field_on:
        rig.run(0.001)
    rig.model.silent = True
    rig.run(1)
    assert "field may be on" in rig.reported[-1].seen
    assert "neighbours" in rig.reported[-1].advice
    rig.model.silent = False
    rig.run(BACK_S)
    assert rig.condition is OK


def test_a_silent_reader_is_not_pestered(rig: ReaderOnCable) -> None:
    rig.model.silent = True
    rig.run(20)
    steps, heard = rig.work.steps, rig.model.bytes_heard
    rig.run(60)
    assert 60 < rig.model.bytes_heard - heard < 60 * 40
    assert rig.work.steps - steps < 60 * 5


def test_a_reader_that_was_always_silent_is_lost() -> None:
    rig = ReaderOnCable()
    rig.model.silent = True
    rig.run(1)
    assert rig.conditions == [DEGRADED, LOST]
    rig.model.silent = False
    rig.run(BACK_S)
    assert rig.condition is OK


# -- garbage


def test_a_line_with_some_noise_makes_it_slower_but_loses_nothing(rig: ReaderOnCable) -> None:
    rig.cable.garble = garbler(Random(1), 0.002)
    for _ in range(20):
        rig.run(1.5)
        rig.model.take(DIE.uid)
        rig.run(1.5)
        rig.model.put(DIE)
    assert DEGRADED in rig.conditions
    rig.cable.garble = None
    rig.run(DEGRADED_NS / SECOND + 1)
    assert rig.condition is OK
    there = check_truth(rig.reads, rig.model.tag_history)
    assert there == {DIE.uid: True}
    assert len(rig.reads) >= 41


def test_nothing_but_garbage_is_reported_and_recovered_from(rig: ReaderOnCable) -> None:
    rig.cable.garble = only_answers(lambda data: bytes(byte ^ 0x5A for byte in data))
    rig.run(2)
    assert rig.condition is LOST
    assert rig.reported[-1].seen.startswith(GARBLED)
    rig.run(20)
    rig.cable.garble = None
    check_recovers(rig)


def only_answers(garble: Garble) -> Garble:
    """Noise on one of the two data lines."""
    return lambda data: data if b"\xd4" in data or b"\x55" in data else garble(data)


def test_nothing_gets_through_in_either_direction(rig: ReaderOnCable) -> None:
    rig.cable.garble = garbler(Random(1), 0.9)
    rig.run(20)
    assert rig.condition is LOST
    rig.cable.garble = None
    check_recovers(rig)


def test_a_line_that_is_never_quiet_is_reported_and_recovered_from(rig: ReaderOnCable) -> None:
    noisy = True

    def noise() -> None:
        rig.model.say(b"\x00\xff\x5a")
        rig.cable.run_far_end()
        if noisy:
            rig.agenda.after(1 * MS, noise)

    rig.model.silent = False
    noise()
    rig.model.deaf_every = 1
    rig.run(20)
    assert rig.condition is LOST
    assert rig.reported[-1].seen.startswith(GARBLED)
    assert rig.work.steps < 20 * 3000
    noisy = False
    rig.model.deaf_every = 0
    rig.run(BACK_S + DEGRADED_NS / SECOND)
    assert rig.condition is OK


def test_noise_beside_good_answers_degrades(rig: ReaderOnCable) -> None:
    rig.cable.garble = lambda data: data + b"\x5a"
    rig.run(1)
    assert rig.conditions == [DEGRADED]
    assert rig.reported[-1].seen == GARBLED
    rig.cable.garble = None
    rig.run(DEGRADED_NS / SECOND + 0.1)
    assert rig.conditions == [DEGRADED, OK]


def test_joined_wires_are_reported_as_such() -> None:
    rig = ReaderOnCable()
    rig.cable.far_end = Repeater()
    rig.run(2)
    assert rig.condition is LOST
    assert rig.reported[-1].seen == ECHO
    assert "TX" in rig.reported[-1].advice


def test_a_poll_that_had_to_be_asked_for_twice_does_not_hide_a_new_tag(rig: ReaderOnCable) -> None:
    """The first time it answers, but the answer is lost; the second time it keeps quiet."""
    rig.model.take(DIE.uid)
    rig.run(1)
    switched = len(rig.model.field_history)
    while len(rig.model.field_history) < switched + 2:
        rig.run(0.0001)
    rig.model.put(CARD)
    rig.cable.garble = lambda data: data if b"\xd4" in data else b""
    while [code for _, code in rig.model.commands][-2:] != [LIST.code] * 2:
        rig.run(0.0001)
    rig.cable.garble = None
    rig.run(1)
    assert rig.reads[-1].uid == CARD.uid
    check_truth(rig.reads, rig.model.tag_history)


# -- a slow line, and one that takes nothing


@pytest.mark.parametrize("baud", [57600, 19200, 9600])
def test_a_slow_port_does(baud: int) -> None:
    rig = ReaderOnCable()
    rig.cable.baud = baud
    rig.run(1)
    rig.model.put(DIE)
    rig.run(1)
    assert rig.reported == []
    assert [(read.uid, read.present) for read in rig.reads] == [(DIE.uid, True)]
    check_truth(rig.reads, rig.model.tag_history)


def test_a_port_that_is_far_too_slow_is_lost_and_comes_back(rig: ReaderOnCable) -> None:
    rig.cable.baud = 300
    rig.run(10)
    assert rig.condition is LOST
    rig.cable.baud = 115200
    rig.run(BACK_S)
    check_recovers(rig)


def test_a_port_that_takes_nothing_is_reported_and_recovers(rig: ReaderOnCable) -> None:
    rig.cable.baud = 0
    rig.run(3)
    assert (rig.reported[-1].condition, rig.reported[-1].seen) == (LOST, "takes no data")
    rig.run(60)
    steps = rig.work.steps
    rig.run(10)
    assert rig.work.steps - steps < 10 * 20
    rig.cable.baud = 115200
    check_recovers(rig)


# -- a chip that errs


@pytest.mark.parametrize(
    ("fault", "seen"),
    [
        ("nack_every", "had to be asked twice"),
        ("deaf_every", "had to be asked twice"),
        ("error_every", "refuses"),
    ],
)
def test_a_chip_that_errs_now_and_then_goes_on(rig: ReaderOnCable, fault: str, seen: str) -> None:
    setattr(rig.model, fault, 11)
    rig.run(5)
    assert rig.conditions == [DEGRADED]
    assert any(health.seen.startswith(seen) for health in rig.reported)
    rig.model.take(DIE.uid)
    rig.run(2)
    assert [(read.uid, read.present) for read in rig.reads[1:]] == [(DIE.uid, False)]
    setattr(rig.model, fault, 0)
    rig.run(DEGRADED_NS / SECOND + 1)
    assert rig.conditions == [DEGRADED, OK]
    check_truth(rig.reads, rig.model.tag_history)


@pytest.mark.parametrize(
    ("fault", "seen"),
    [("nack_every", MISHEARD), ("deaf_every", SILENT), ("error_every", "refuses a command")],
)
def test_a_chip_that_always_errs_is_lost_and_comes_back(rig: ReaderOnCable, fault: str, seen: str) -> None:
    setattr(rig.model, fault, 1)
    rig.run(10)
    assert rig.condition is LOST
    assert rig.reported[-1].seen.startswith(seen)
    setattr(rig.model, fault, 0)
    check_recovers(rig)


def test_a_chip_that_takes_too_long_is_lost_and_comes_back(rig: ReaderOnCable) -> None:
    rig.model.slow_ns = 400 * MS
    rig.run(10)
    assert rig.condition is LOST
    assert rig.reported[-1].seen.startswith("does not finish a command")
    rig.model.slow_ns = 0
    check_recovers(rig)


@given(st.integers(0, 200 * MS))
@settings(max_examples=tries(12, 120))
def test_a_reset_at_any_moment_costs_a_moment(moment_ns: int) -> None:
    """A dip of the supply: the port does not notice, the chip has forgotten everything."""
    rig = at_work()
    rig.run(moment_ns / SECOND)
    rig.model.forget()
    rig.run(1)
    assert rig.conditions == [DEGRADED]
    polls = len(rig.model.commands)
    rig.run(DEGRADED_NS / SECOND)
    assert rig.conditions == [DEGRADED, OK]
    assert len(rig.model.commands) - polls > 100
    assert len(rig.reads) == 1, "nothing was lost, so nothing is told again"


def test_a_chip_that_forgets_only_its_retries_is_stopped_and_set_up(rig: ReaderOnCable) -> None:
    """It would look for a tag for ever."""
    rig.model.take(DIE.uid)
    rig.run(1)
    rig.model.retries = 0xFF
    rig.run(1)
    assert rig.conditions == [DEGRADED]
    assert "list of tags" in rig.reported[0].seen
    rig.run(DEGRADED_NS / SECOND)
    assert rig.condition is OK


def test_a_list_that_makes_no_sense_is_no_list(rig: ReaderOnCable) -> None:
    rig.model.put(CARD._replace(uid=b"\x01\x02\x03"))
    rig.run(5)
    assert rig.condition is LOST
    rig.model.take(b"\x01\x02\x03")
    check_recovers(rig)


deeds = st.lists(
    st.tuples(st.sampled_from([*FAULTS, mend, mend, move_die, move_die, move_card]), st.integers(0, 1500)),
    max_size=25,
)


@settings(max_examples=tries(12, 120))
@given(deeds, st.integers(0, 10**6))
def test_whatever_happens_it_comes_back_and_has_reported_the_truth(
    deeds: list[tuple[Deed, int]], seed: int
) -> None:
    rig = ReaderOnCable(seed=seed)
    for deed, pause_ms in deeds:
        deed(rig)
        rig.run(pause_ms / 1e3)
    mend(rig)
    rig.run(2 * BACK_S + DEGRADED_NS / SECOND)
    assert rig.condition is Condition.OK
    there = check_truth(rig.reads, rig.model.tag_history)
    assert {uid for uid, present in there.items() if present} == set(rig.model.tags)
    assert rig.work.steps < 1000 * rig.agenda.now_ns / SECOND
