"""Faults of a reader: each is reported, the reader recovers alone, and stamps stay true."""

from __future__ import annotations

from pathlib import Path
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
    ReaderOnPty,
    check_truth,
    garbler,
    mend,
    move_card,
    move_die,
)
from tests.hw.uart.pty_bench import Repeater, wait_until
from tests.thoroughness import tries

OK, DEGRADED, LOST = Condition.OK, Condition.DEGRADED, Condition.LOST


def at_work() -> ReaderOnCable:
    """A reader that has been polling for a second, with a die before it."""
    rig = ReaderOnCable()
    rig.run(0.5)
    rig.model.put(DIE)
    rig.run(0.5)
    assert reported(rig) == [(DIE.uid, True)]
    return rig


def reported(rig: ReaderOnCable) -> list[tuple[bytes, bool]]:
    return [(read.uid, read.present) for read in rig.reads]


@pytest.fixture
def rig() -> ReaderOnCable:
    return at_work()


def check_recovers(rig: ReaderOnCable) -> None:
    """It is well again after a while, and knows what lies there.

    The die was reported again, which is right; what comes and goes now is reported, too.
    """
    rig.run(BACK_S + DEGRADED_NS / SECOND)
    assert rig.condition is OK
    assert reported(rig) == [(DIE.uid, True)] * 2
    rig.model.take(DIE.uid)
    rig.run(0.5)
    assert reported(rig)[-1] == (DIE.uid, False)
    check_truth(rig.reads, rig.model.tag_history)


def only_answers(data: bytes) -> bytes:
    """Noise on one of the two data lines."""
    return data if b"\xd4" in data or b"\x55" in data else bytes(byte ^ 0x5A for byte in data)


def set_to(**values: object) -> Deed:
    """Set attributes of the cable or of the model."""

    def deed(rig: ReaderOnCable) -> None:
        for name, value in values.items():
            setattr(rig.cable if hasattr(rig.cable, name) else rig.model, name, value)

    return deed


def unplug(rig: ReaderOnCable) -> None:
    rig.cable.unplug()


def plug(rig: ReaderOnCable) -> None:
    rig.cable.plug()


LOSING: list[tuple[Deed, Deed, str, str]] = [
    (unplug, plug, "is not plugged in", "plug it in"),
    (set_to(silent=True), set_to(silent=False), SILENT, "HSU"),
    (set_to(slow_ns=400 * MS), set_to(slow_ns=0), "does not finish a command", ""),
    (set_to(deaf_every=1), set_to(deaf_every=0), SILENT, ""),
    (set_to(nack_every=1), set_to(nack_every=0), MISHEARD, "cable"),
    (set_to(error_every=1), set_to(error_every=0), "refuses a command", "power off and on"),
    (set_to(garble=only_answers), set_to(garble=None), GARBLED, "ground"),
    (set_to(garble=garbler(Random(1), 0.9)), set_to(garble=None), "", ""),  # nothing gets through
    (set_to(baud=300), set_to(baud=115200), "", ""),
    (set_to(baud=0), set_to(baud=115200), "takes no data", "flow control"),
]


@pytest.mark.parametrize(("fault", "end", "seen", "advice"), LOSING)
def test_a_fault_that_lasts_is_reported_and_recovered_from(
    rig: ReaderOnCable, fault: Deed, end: Deed, seen: str, advice: str
) -> None:
    fault(rig)
    rig.run(10)
    assert rig.condition is LOST
    assert rig.reported[-1].seen.startswith(seen)
    assert advice in rig.reported[-1].advice
    steps, heard = rig.work.steps, rig.model.bytes_heard
    rig.run(10)
    assert rig.work.steps - steps < 10 * 20, "it is not pestered"
    assert rig.model.bytes_heard - heard < 10 * 40
    end(rig)
    rig.run(BACK_S)
    check_recovers(rig)


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
    assert reported(rig)[1:] == [(DIE.uid, False)]
    setattr(rig.model, fault, 0)
    rig.run(DEGRADED_NS / SECOND + 1)
    assert rig.conditions == [DEGRADED, OK]
    check_truth(rig.reads, rig.model.tag_history)


def test_conditions_come_one_after_the_other(rig: ReaderOnCable) -> None:
    rig.cable.unplug()
    rig.run(0.001)
    assert (rig.reported[-1].condition, rig.reported[-1].seen) == (LOST, "was unplugged")
    rig.cable.plug()
    rig.run(BACK_S)
    assert rig.conditions == [LOST, OK]
    rig.model.silent = True
    rig.run(0.5)
    assert rig.conditions == [LOST, OK, DEGRADED, LOST]


@pytest.mark.parametrize("fault", [unplug, set_to(silent=True)])
def test_a_reader_that_was_never_there_is_lost_until_it_is(fault: Deed) -> None:
    rig = ReaderOnCable()
    fault(rig)
    rig.run(10)
    assert rig.conditions in ([LOST], [DEGRADED, LOST])
    rig.model.put(DIE)
    mend(rig)
    rig.run(BACK_S)
    assert rig.condition is OK
    [read] = rig.reads
    assert read.earliest_ns == 0


def test_a_tag_that_was_taken_while_it_was_unplugged_is_gone_afterwards(rig: ReaderOnCable) -> None:
    rig.cable.unplug()
    rig.run(2)
    rig.model.take(DIE.uid)
    rig.model.put(CARD)
    rig.run(2)
    rig.cable.plug()
    rig.run(BACK_S)
    assert sorted(reported(rig)[1:]) == [(CARD.uid, True), (DIE.uid, False)]
    check_truth(rig.reads, rig.model.tag_history)


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
    assert check_truth(rig.reads, rig.model.tag_history) == {DIE.uid: True}
    assert len(rig.reads) >= 41


def test_a_line_that_is_never_quiet_is_reported_and_recovered_from(rig: ReaderOnCable) -> None:
    noisy = True

    def noise() -> None:
        rig.model.say(b"\x00\xff\x5a")
        rig.cable.run_far_end()
        if noisy:
            rig.agenda.after(1 * MS, noise)

    noise()
    rig.model.deaf_every = 1
    rig.run(10)
    assert rig.condition is LOST
    assert rig.reported[-1].seen.startswith(GARBLED)
    assert rig.work.steps < 10 * 3000
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


@pytest.mark.parametrize("baud", [57600, 19200, 9600])
def test_a_slow_port_does(baud: int) -> None:
    rig = ReaderOnCable()
    rig.cable.baud = baud
    rig.run(1)
    rig.model.put(DIE)
    rig.run(1)
    assert rig.reported == []
    assert reported(rig) == [(DIE.uid, True)]
    check_truth(rig.reads, rig.model.tag_history)


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
    assert rig.condition is OK
    there = check_truth(rig.reads, rig.model.tag_history)
    assert {uid for uid, present in there.items() if present} == set(rig.model.tags)
    assert rig.work.steps < 1000 * rig.agenda.now_ns / SECOND


# -- in real time: on a pseudo-terminal, with threads of their own


def test_unplugged_and_plugged_in_again_in_real_time(tmp_path: Path) -> None:
    rig = ReaderOnPty(tmp_path / "port")
    rig.model.put(DIE)
    rig.wait_for(1)
    rig.peer.unplug()
    wait_until(lambda: rig.condition is LOST)
    rig.model.put(CARD)
    rig.peer.plug()
    rig.wait_for(3)
    wait_until(lambda: rig.condition is not LOST)
    assert check_truth(rig.reads, rig.model.tag_history) == {DIE.uid: True, CARD.uid: True}
    assert rig.owner.alive and rig.peer_owner.alive
    wait_until(lambda: rig.model.field_on)
    rig.owner.close()
    wait_until(lambda: not rig.model.field_on)
    rig.close()
