"""Readers that are close to each other never have their fields on together, whatever happens."""

from itertools import groupby, pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.ports import Condition
from hw.rfid.field import HOLD_NS, FieldToken
from hw.rfid.frames import LIST
from hw.rfid.pn532 import DEGRADED_NS
from hw.sim.agenda import Agenda
from hw.sim.pn532 import SimTag
from tests.hw.rfid import reader_rigs
from tests.hw.rfid.reader_rigs import DIE, MS, SECOND, Deed, ReaderOnCable, ReaderOnPty, check_truth
from tests.hw.uart.pty_bench import wait_until
from tests.thoroughness import tries


class Neighbourhood:
    """Some readers at one token, in one virtual time; it looks at all fields at every moment."""

    def __init__(self, count: int, seed: int = 0) -> None:
        self.agenda = Agenda()
        field = FieldToken()
        self.rigs = [ReaderOnCable(self.agenda, field, number, seed + number) for number in range(count)]
        self.worst = 0

    def run(self, seconds: float) -> None:
        end_ns = self.agenda.now_ns + round(seconds * SECOND)
        while (due_ns := self.agenda.due_ns) is not None and due_ns <= end_ns:
            self.agenda.run(due_ns)
            assert self.sure_fields() <= 1
            self.worst = max(self.worst, sum(rig.model.field_on for rig in self.rigs))
        for rig in self.rigs:
            rig.run((end_ns - self.agenda.now_ns) / SECOND)

    def sure_fields(self) -> int:
        """How many fields are on, but for those of readers that were given up."""
        return sum(rig.model.field_on and not rig.reader.access.uncertain for rig in self.rigs)


def looks(rig: ReaderOnCable) -> list[int]:
    """When it began to look for tags."""
    return [t_ns for t_ns, code in rig.model.commands if code == LIST.code]


def test_they_take_turns() -> None:
    hood = Neighbourhood(4)
    hood.run(10)
    assert hood.worst == 1
    order = sorted((t_ns, number) for number, rig in enumerate(hood.rigs) for t_ns in looks(rig))
    turns = [number for _, number in order[4:]]
    assert turns == [turns[index % 4] for index in range(len(turns))], "always in the same order"
    assert len(turns) > 240, "no time is lost between turns"
    assert all(rig.reported == [] for rig in hood.rigs)


@pytest.mark.parametrize("wait_ms", range(0, 210, 30))
def test_what_a_reader_has_found_is_reported_before_its_neighbours_look_again(wait_ms: int) -> None:
    hood = Neighbourhood(6)
    hood.run(1 + wait_ms / 1000)
    rig = hood.rigs[2]
    rig.model.put(DIE)
    rig.reads.clear()
    while not rig.reads:
        hood.run(0.001)
    (read,) = rig.reads
    assert hood.agenda.now_ns - read.latest_ns < 45 * MS
    assert hood.worst == 1


def test_no_reader_looks_more_than_twice_while_others_wait() -> None:
    hood, chance = Neighbourhood(3), Random(3)
    for number in range(100):
        rig = chance.choice(hood.rigs)
        for uid in list(rig.model.tags):
            rig.model.take(uid)
        rig.model.put(SimTag(number.to_bytes(4, "big")))
        hood.run(chance.uniform(0.01, 0.2))
    order = [number for _, number in sorted((t, n) for n, rig in enumerate(hood.rigs) for t in looks(rig))]
    runs = [len(list(same)) for _, same in groupby(order)]
    assert set(runs) == {1, 2}
    assert hood.worst == 1


def test_a_reader_that_falls_silent_in_its_turn_costs_half_a_second() -> None:
    hood = Neighbourhood(3)
    hood.run(1)
    silent, *others = hood.rigs
    while not silent.model.field_on:
        hood.run(0.001)
    silent.model.silent = True
    hood.run(5)
    assert (silent.reader.access.uncertain, hood.worst) == (True, 2), "nobody can switch its field off"
    for rig in others:
        assert max(later - earlier for earlier, later in pairwise(looks(rig))) < HOLD_NS + 200 * MS
        assert rig.condition is Condition.OK
    silent.model.silent = False
    hood.run(5)
    hood.worst = 0
    hood.run(1)
    assert (silent.reader.access.uncertain, hood.worst) == (False, 1)
    assert silent.condition is Condition.OK


def test_a_reader_that_is_dead_in_its_turn_loses_it() -> None:
    """Its thread is gone, so it does not even give up."""
    hood = Neighbourhood(3)
    hood.run(1)
    dead, *others = hood.rigs
    while not dead.model.field_on:
        hood.run(0.001)
    dead.work.step = lambda now_ns: None  # type: ignore[method-assign]
    hood.run(5)
    assert dead.reader.access.uncertain
    for rig in others:
        assert max(later - earlier for earlier, later in pairwise(looks(rig))) < HOLD_NS + 200 * MS


def test_a_reader_that_is_closed_leaves_the_queue() -> None:
    hood = Neighbourhood(2)
    hood.run(1)
    hood.rigs[0].reader.close()
    hood.run(5)
    assert not hood.rigs[0].model.field_on
    assert max(later - earlier for earlier, later in pairwise(looks(hood.rigs[1]))) < 200 * MS


SUDDEN: list[Deed] = [reader_rigs.unplug, reader_rigs.reset]
deeds = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from([*reader_rigs.FAULTS, reader_rigs.mend, reader_rigs.mend, reader_rigs.move_die]),
        st.integers(0, 800),
    ),
    max_size=20,
)
sudden = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from([*SUDDEN, reader_rigs.mend, reader_rigs.move_die]),
        st.integers(0, 500),
    ),
    max_size=20,
)


@settings(max_examples=tries(10, 80))
@given(deeds, st.integers(0, 10**6))
def test_whatever_happens_fields_take_turns_and_everybody_gets_one(
    deeds: list[tuple[int, Deed, int]], seed: int
) -> None:
    hood = Neighbourhood(4, seed)
    for number, deed, pause_ms in deeds:
        deed(hood.rigs[number])
        hood.run(pause_ms / 1e3)
    never_touched = hood.rigs[3]
    gaps = [later - earlier for earlier, later in pairwise(looks(never_touched))]
    assert all(gap < 3 * HOLD_NS + SECOND for gap in gaps)
    assert never_touched.condition is Condition.OK
    for rig in hood.rigs:
        reader_rigs.mend(rig)
    hood.run(2 * reader_rigs.BACK_S + DEGRADED_NS / SECOND)
    assert not any(rig.reader.access.uncertain for rig in hood.rigs)
    assert all(rig.condition is Condition.OK for rig in hood.rigs)
    hood.worst = 0
    before = [len(looks(rig)) for rig in hood.rigs]
    hood.run(1)
    assert hood.worst == 1
    assert all(len(looks(rig)) >= count + 4 for rig, count in zip(hood.rigs, before, strict=True))
    for rig in hood.rigs:
        check_truth(rig.reads, rig.model.tag_history)


@settings(max_examples=tries(10, 80))
@given(sudden, st.integers(0, 10**6))
def test_as_long_as_silence_means_no_power_no_two_fields_are_ever_on(
    deeds: list[tuple[int, Deed, int]], seed: int
) -> None:
    hood = Neighbourhood(3, seed)
    for number, deed, pause_ms in deeds:
        deed(hood.rigs[number])
        hood.run(pause_ms / 1e3)
    hood.run(1)
    assert hood.worst <= 1


def test_on_threads_of_their_own(tmp_path: Path) -> None:
    field = FieldToken(hold_ns=60 * SECOND)  # nobody loses the token because the machine is busy
    rigs = [ReaderOnPty(tmp_path / f"port{number}", field) for number in range(2)]
    try:
        wait_until(lambda: all(len(rig.model.field_history) >= 8 for rig in rigs))
    finally:
        for rig in rigs:
            rig.close()
    switched = sorted(
        (t_ns, number, on) for number, rig in enumerate(rigs) for t_ns, on in rig.model.field_history
    )
    for (_, number, on), (_, next_number, next_on) in pairwise(switched):
        assert on != next_on, "off before on"
        assert not on or number == next_number, "each switches off its own"
    assert not any(rig.model.field_on for rig in rigs)
