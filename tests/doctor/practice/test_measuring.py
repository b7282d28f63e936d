"""Delays are measured as they are: on a clock that is late by known times, and on this machine's own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from firmware_host.doctor.findings import State
from firmware_host.doctor.jitter import judge_jitter
from firmware_host.doctor.practice.examination import Patient
from firmware_host.doctor.practice.jitter_run import measure_jitter
from firmware_host.doctor.practice.measuring import WAKE_NS, measure
from firmware_host.durations import MS, US
from hw.clock import MonotonicClock
from hw.ports import Edge, Gap
from hw.sim.agenda import VirtualClock
from tests.doctor.finding import states
from tests.doctor.profiles import DICE, profile_with
from tests.doctor.tree import Borrowed, Tree


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
    """Has an edge of so long ago whenever it is read, one that was found by looking, and a gap."""

    uncertainty_ns = 100 * US

    def __init__(self, clock: LateClock, ago_ns: int) -> None:
        self._clock = clock
        self._ago_ns = ago_ns
        self.reads = 0

    def read(self) -> Sequence[Edge | Gap]:
        self.reads += 1
        t_ns = self._clock.now_ns() - self._ago_ns
        return [Edge(5, False, t_ns, 0), Edge(6, False, t_ns, 1, wide_ns=MS), Gap(1, 0, t_ns)]

    def levels(self) -> dict[int, bool]:
        return {}

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        """Nothing is open."""


def test_wake_ups_are_late_by_what_they_are_late() -> None:
    late_ns = [20 * US, 80 * US, 3 * MS]
    sample = measure(LateClock(late_ns), None, 100 * MS)
    assert set(sample.wake_ups_ns) == set(late_ns)
    assert sample.wake_ups_ns[:3] == late_ns
    assert sum(sample.wake_ups_ns) + WAKE_NS * len(sample.wake_ups_ns) <= 100 * MS + 3 * MS
    assert sample.presses_ns == []


@pytest.mark.parametrize(("ago_ns", "overdue_ns"), [(300 * US, 0), (2 * MS, 2 * MS - WAKE_NS // 2)])
def test_an_edge_is_measured_from_its_stamp_and_is_no_wake_up(ago_ns: int, overdue_ns: int) -> None:
    """Edges come half-way between two timers: what is older than that was missing at the look before."""
    clock = LateClock([20 * US], edges=range(0, 1000, 2))
    lines = OneLine(clock, ago_ns)
    sample = measure(clock, lines, 20 * MS)
    assert set(sample.presses_ns) == {ago_ns}
    assert set(sample.overdue_ns) == {overdue_ns}
    assert len(sample.presses_ns) == lines.reads > 5
    assert set(sample.wake_ups_ns) == {20 * US}


def test_this_machine_is_measured_in_real_time() -> None:
    sample = measure(MonotonicClock(), None, 100 * MS)
    assert 10 < len(sample.wake_ups_ns) <= 100
    assert min(sample.wake_ups_ns) >= 0


def test_the_lines_of_a_profile_are_listened_to_and_let_go(tree: Tree) -> None:
    said: list[str] = []
    made: list[Borrowed] = []

    def site(profile: object, health: object) -> Borrowed:
        made.append(Borrowed(profile, health))  # type: ignore[arg-type]
        return made[-1]

    jitter = measure_jitter(tree.system(site=site), Patient(profile=DICE), 0.05, alone=True, say=said.append)
    assert said == ["\njitter: for 0.05 s; press buttons, again and again"]
    assert made[0].open_ones == []
    assert jitter.measured.why_no_lines == ""
    assert jitter.measured.kernel_stamps
    assert jitter.measured.uncertainty_ns == 100 * US
    lines = jitter.lines()
    assert "how late a timer wakes this process:" in lines
    assert lines[-1] == "nothing was measured"
    data = jitter.data()
    assert data["wake_ups"]["count"] == sum(data["wake_ups"]["below_us"].values()) > 0
    assert [each["setting"] for each in data["proposals"]] == ["stamp-uncertainty", "button-settle"]


@pytest.mark.parametrize(
    ("patient", "alone", "words"),
    [
        (Patient(), True, "no profile says where the buttons are"),
        (Patient(profile=DICE), False, "not checked: the table is running"),
    ],
)
def test_without_lines_wake_ups_are_measured_all_the_same(
    tree: Tree, patient: Patient, alone: bool, words: str
) -> None:
    said: list[str] = []
    jitter = measure_jitter(tree.system(site=None), patient, 0.02, alone=alone, say=said.append)
    assert jitter.measured.why_no_lines == words
    assert words in said[0]
    found = states(judge_jitter(jitter.measured, jitter.settings))
    assert found["presses"] is State.NOTE
    assert "wake-ups" in found


def test_a_driver_with_pythons_stamps_is_judged_so(tree: Tree) -> None:
    patient = Patient(profile=profile_with(DICE, driver="rpigpio"))
    jitter = measure_jitter(tree.system(), patient, 0.02, alone=True, say=lambda line: None)
    assert not jitter.measured.kernel_stamps
