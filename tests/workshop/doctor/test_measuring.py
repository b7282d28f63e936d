"""Delays are measured as they are: on a clock that is late by known times, and on this machine's own."""

from __future__ import annotations

from collections.abc import Sequence
from select import select

import pytest

from firmware_host.model.places import Button, Colour, Slot
from firmware_host.model.times import MS, US
from firmware_host.workshop.doctor.checks import CheckedTable
from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.jitter import judge_jitter
from firmware_host.workshop.doctor.jitter_run import WAKE_NS, measure, measure_jitter
from hw.clock import MonotonicClock
from hw.ports import Edge, Gap
from hw.sim.agenda import Agenda, VirtualClock
from tests.workshop.doctor.finding import CARDS, DICE, profile_with, states
from tests.workshop.doctor.tables import Bench
from tests.workshop.doctor.tree import Tree

SLOWER_NS = 5 * US


class LateClock(VirtualClock):
    """Wakes so much late, each time by the next of these; an edge is readable in some of the waits."""

    def __init__(self, late_ns: Sequence[int], edges: Sequence[int] = ()) -> None:
        super().__init__(1_000)
        self._late_ns = list(late_ns)
        self._edges = set(edges)
        self.waits = 0

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        assert until_ns is not None
        late_ns = self._late_ns[self.waits % len(self._late_ns)]
        readable = self.waits in self._edges
        self.waits += 1
        super().wait(until_ns - WAKE_NS // 2 if readable else until_ns + late_ns, descriptors)
        return readable


class OneLine:
    """Has an edge of so long ago whenever it is read, one found by looking, a gap, and a sensor's edge."""

    uncertainty_ns = 100 * US

    def __init__(self, clock: LateClock, ago_ns: int) -> None:
        self._clock = clock
        self._ago_ns = ago_ns
        self.reads = 0

    def read(self) -> Sequence[Edge | Gap]:
        self.reads += 1
        t_ns = self._clock.now_ns() - self._ago_ns
        return [
            Edge(5, False, t_ns, 0),
            Edge(6, False, t_ns, 1, wide_ns=MS),
            Gap(1, 0, t_ns),
            Edge(7, False, t_ns - SLOWER_NS, 2),
        ]

    def levels(self) -> dict[int, bool]:
        return {}

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        """Nothing is open."""


def test_wake_ups_are_late_by_what_they_are_late() -> None:
    late_ns = [20 * US, 80 * US, 3 * MS]
    sample = measure(LateClock(late_ns), [], 100 * MS)
    assert set(sample.wake_ups_ns) == set(late_ns)
    assert sample.wake_ups_ns[:3] == late_ns
    assert sum(sample.wake_ups_ns) + WAKE_NS * len(sample.wake_ups_ns) <= 100 * MS + 3 * MS
    assert sample.buttons.read_ns == sample.slots.read_ns == []


@pytest.mark.parametrize(("ago_ns", "overdue_ns"), [(300 * US, 0), (2 * MS, 2 * MS - WAKE_NS // 2)])
def test_an_edge_is_measured_from_its_stamp_and_is_no_wake_up(ago_ns: int, overdue_ns: int) -> None:
    """Edges come half-way between two timers: what is older than that was missing at the look before."""
    clock = LateClock([20 * US], edges=range(0, 1000, 2))
    lines = OneLine(clock, ago_ns)
    sample = measure(clock, [lines], 20 * MS, slot_lines=[7])
    assert set(sample.buttons.read_ns) == {ago_ns}
    assert set(sample.buttons.overdue_ns) == {overdue_ns}
    assert len(sample.buttons.read_ns) == lines.reads > 5
    assert set(sample.slots.read_ns) == {ago_ns + SLOWER_NS}
    assert set(sample.wake_ups_ns) == {20 * US}


def test_this_machine_is_measured_in_real_time() -> None:
    sample = measure(MonotonicClock(), [], 100 * MS)
    assert 0 < len(sample.wake_ups_ns) <= 100  # a busy machine wakes it seldom
    assert min(sample.wake_ups_ns) >= 0


class WorldClock:
    """The time of a simulated world, which goes on while somebody waits."""

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda

    def now_ns(self) -> int:
        return self._agenda.now_ns

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        assert until_ns is not None
        while not (readable := bool(select(descriptors, [], [], 0)[0])):
            due_ns = self._agenda.due_ns
            self._agenda.run(until_ns if due_ns is None else min(due_ns, until_ns))
            if self._agenda.now_ns >= until_ns:
                break
        return readable


def test_buttons_and_the_sensors_behind_expanders_are_measured_apart(tree: Tree) -> None:
    bench, said = Bench(DICE), list[str]()
    bench.touch(*[Button(1)] * 12, *[Slot(Colour.BLUE, 2)] * 11)
    clock = WorldClock(bench.table.agenda)
    system = tree.system(equipment=bench.equipment)
    jitter = measure_jitter(
        system, CheckedTable(profile=DICE), 20.0, alone=True, say=said.append, clock=clock
    )
    assert said == ["\njitter: for 20 s; press buttons, and put dice down and lift them, again and again"]
    assert all(each.read() == [] and not each.levels() for each in bench.table.equipment.lines[:1])  # let go
    measured = jitter.measured
    assert (measured.why_no_lines, measured.kernel_stamps, measured.uncertainty_ns) == ("", True, 100 * US)
    assert measured.slots is not None
    assert (len(measured.buttons.read), len(measured.slots.read)) == (24, 22)
    assert {measured.buttons.read.worst_ns, measured.slots.overdue.worst_ns} == {0}
    found = states(judge_jitter(measured, jitter.settings))
    assert (found["button-settle"], found["slot-settle"]) == (State.OK, State.OK)
    assert "from the stamp of a sensor's edge until it is read:" in jitter.lines()
    data = jitter.data()
    assert data["wake_ups"]["count"] == sum(data["wake_ups"]["below_us"].values()) > 0
    assert [data[key]["count"] for key in ("presses", "overdue", "slots", "slots_overdue")] == [
        24,
        24,
        22,
        22,
    ]
    assert [each["setting"] for each in data["proposals"]] == [
        "stamp-uncertainty",
        "button-settle",
        "slot-settle",
    ]


def test_a_table_of_cards_has_no_sensors_to_measure(tree: Tree) -> None:
    said: list[str] = []
    system = tree.system(equipment=Bench(CARDS).equipment)
    jitter = measure_jitter(system, CheckedTable(profile=CARDS), 0.02, alone=True, say=said.append)
    assert said == ["\njitter: for 0.02 s; press buttons, again and again"]
    assert jitter.lines()[-1] == "nothing was measured"
    assert not any(key.startswith("slots") for key in jitter.data())


@pytest.mark.parametrize(
    ("checked", "alone", "words"),
    [
        (CheckedTable(), True, "no profile says where the buttons are"),
        (CheckedTable(profile=DICE), False, "not checked: the table is running"),
    ],
)
def test_without_lines_wake_ups_are_measured_all_the_same(
    tree: Tree, checked: CheckedTable, alone: bool, words: str
) -> None:
    said: list[str] = []
    jitter = measure_jitter(tree.system(equipment=None), checked, 0.02, alone=alone, say=said.append)
    assert jitter.measured.why_no_lines == words
    assert words in said[0]
    found = states(judge_jitter(jitter.measured, jitter.settings))
    assert found["presses"] is State.NOTE
    assert "wake-ups" in found


def test_a_driver_with_pythons_stamps_is_judged_so(tree: Tree) -> None:
    checked = CheckedTable(profile=profile_with(DICE, driver="rpigpio"))
    system = tree.system(equipment=Bench(DICE).equipment)
    jitter = measure_jitter(system, checked, 0.02, alone=True, say=lambda line: None)
    assert not jitter.measured.kernel_stamps
