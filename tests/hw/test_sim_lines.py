"""Edges that overtake each other on their way."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.ports import Edge
from hw.sim.agenda import Agenda, PacedClock, VirtualClock
from hw.sim.contacts import STEADY, Contact, Habits
from hw.sim.lines import DelayedLines, ScriptedLines, resting
from tests.hw.wired_lines import WiredLines, edges_of


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 500)), max_size=20))
def test_it_reorders_and_loses_nothing(journeys: list[tuple[int, int]]) -> None:
    """Each edge is read at its own time plus its own delay, and read once."""
    agenda, lines = Agenda(), ScriptedLines({1: True}, 0)
    happened = sorted(moment for moment, _ in journeys)
    delays = [delay for _, delay in journeys]
    courier = DelayedLines(lines, agenda, lambda edge: delays[edge.seq])
    read: list[tuple[int, Edge]] = []

    def read_all() -> None:
        read.extend((agenda.now_ns, edge) for edge in edges_of(courier))

    for t_ns in happened:
        agenda.at(t_ns, lambda t_ns=t_ns: lines.deliver(1, False, t_ns))  # type: ignore[misc]
    while (due_ns := agenda.due_ns) is not None:
        agenda.run(due_ns)
        read_all()
    assert sorted(edge.seq for _, edge in read) == list(range(len(journeys)))
    assert all(now_ns == edge.t_ns + delays[edge.seq] for now_ns, edge in read)


def test_a_late_edge_is_overtaken() -> None:
    agenda, lines = Agenda(), ScriptedLines({1: True, 2: True}, 0)
    courier = DelayedLines(lines, agenda, lambda edge: 100 if edge.line == 1 else 0)
    lines.deliver(1, False, t_ns=0)
    lines.deliver(2, False, t_ns=0)
    assert [edge.line for edge in edges_of(courier)] == [2]
    agenda.run(99)
    assert courier.read() == []
    agenda.run(100)
    assert courier.read() == [Edge(1, False, 0, 0)]


def test_edges_arrive_in_the_order_of_the_script_whatever_their_stamps() -> None:
    lines = ScriptedLines(resting([1, 2], low=[]), uncertainty_ns=5)
    lines.deliver(2, False, t_ns=200)
    lines.deliver(1, False, t_ns=100)
    assert lines.read() == [Edge(2, False, 200, 0), Edge(1, False, 100, 1)]
    assert lines.uncertainty_ns == 5


def test_a_recorded_edge_keeps_its_number() -> None:
    lines = ScriptedLines(resting([1], low=[]), uncertainty_ns=0)
    lines.push(Edge(1, False, 300, seq=77))
    assert lines.read() == [Edge(1, False, 300, 77)]
    assert lines.levels() == {1: False}


def test_contacts_may_be_closed_from_the_start() -> None:
    assert resting([1, 2, 3], low=[2]) == {1: True, 2: False, 3: True}


@given(st.lists(st.integers(0, 50), max_size=20))
def test_deeds_are_done_in_order_and_equal_moments_keep_theirs(moments: list[int]) -> None:
    agenda = Agenda()
    done: list[tuple[int, int]] = []
    for number, t_ns in enumerate(moments):
        agenda.at(t_ns, lambda number=number: done.append((agenda.now_ns, number)))  # type: ignore[misc]
    agenda.run(100)
    assert done == sorted((t_ns, number) for number, t_ns in enumerate(moments))


def test_only_what_is_due_is_done() -> None:
    agenda = Agenda()
    done: list[int] = []
    agenda.at(10, lambda: done.append(10))
    agenda.at(20, lambda: done.append(20))
    agenda.run(19)
    assert (done, agenda.now_ns, agenda.due_ns) == ([10], 19, 20)


def test_a_deed_may_plan_another() -> None:
    agenda = Agenda()
    done: list[int] = []
    agenda.at(10, lambda: agenda.after(5, lambda: done.append(agenda.now_ns)))
    agenda.run(100)
    assert done == [15]


def test_what_should_have_been_done_is_done_at_once_but_never_in_the_past() -> None:
    agenda = Agenda()
    done: list[int] = []
    agenda.run(100)
    agenda.at(50, lambda: done.append(agenda.now_ns))
    agenda.run(100)
    assert done == [100]


def test_nothing_is_due_in_an_empty_agenda() -> None:
    assert Agenda().due_ns is None


def test_virtual_time_jumps_and_never_goes_back() -> None:
    clock = VirtualClock(5)
    assert clock.now_ns() == 5
    clock.wait(100, [])
    clock.wait(50, [])
    clock.wait(None, [])
    assert clock.now_ns() == 100


def test_a_paced_clock_shows_virtual_time() -> None:
    clock = PacedClock(speed=1e12)  # so fast that it never has to wait
    clock.wait(3_000_000_000, [])
    clock.wait(None, [])
    assert clock.now_ns() == 3_000_000_000


def test_a_paced_clock_that_fell_far_behind_does_not_race_to_catch_up() -> None:
    clock = PacedClock(speed=1.0)
    clock.wait(-10_000_000_000, [])  # ten seconds late
    assert clock.now_ns() == 0


MS = 1_000_000
BOUNCY = Habits(bounces=5, bounce_ns=8 * MS)
NOISY = Habits(noise_hz=200.0)


def contact(wires: WiredLines, habits: Habits, seed: int = 1) -> Contact:
    return Contact(wires.pin(4), wires.agenda, Random(seed), habits)


def level(wires: WiredLines) -> bool:
    return wires.lines.levels()[4]


def test_a_closed_contact_pulls_its_line_low(wires: WiredLines) -> None:
    button = contact(wires, STEADY)
    button.set(True)
    assert level(wires) is False
    button.set(False)
    assert [edge.high for edge in edges_of(wires.lines)] == [False, True]


def test_setting_it_to_what_it_is_does_nothing(wires: WiredLines) -> None:
    button = contact(wires, BOUNCY)
    button.set(False)
    wires.agenda.run(100 * MS)
    assert wires.lines.read() == []


@given(st.integers(0, 10**6), st.booleans())
def test_however_it_bounces_it_ends_at_its_level_in_time(seed: int, released: bool) -> None:
    wires = WiredLines()
    button = contact(wires, BOUNCY, seed)
    button.set(True)
    wires.agenda.run(50 * MS)
    wires.lines.read()
    if released:
        button.set(False)
    wires.agenda.run(50 * MS + BOUNCY.bounce_ns)
    assert level(wires) is released
    edges = edges_of(wires.lines)
    assert len(edges) <= 1 + 2 * BOUNCY.bounces
    assert all(50 * MS <= edge.t_ns < 50 * MS + BOUNCY.bounce_ns for edge in edges)


def test_it_does_bounce(wires: WiredLines) -> None:
    contact(wires, BOUNCY).set(True)
    wires.agenda.run(100 * MS)
    assert len(wires.lines.read()) > 1


def test_a_new_touch_ends_the_old_bounce(wires: WiredLines) -> None:
    button = contact(wires, BOUNCY)
    button.set(True)
    wires.agenda.run(1 * MS)
    button.habits = STEADY
    button.set(False)
    wires.lines.read()
    wires.agenda.run(100 * MS)
    assert wires.lines.read() == []


@pytest.mark.parametrize("closed", [False, True])
def test_noise_comes_and_goes_and_leaves_the_level_alone(wires: WiredLines, closed: bool) -> None:
    button = contact(wires, NOISY)
    button.set(closed)
    wires.agenda.run(1_000 * MS)
    edges = edges_of(wires.lines)
    assert 200 < len(edges) < 600  # two edges each, about 200 times
    assert button.active is closed


def test_noise_stops(wires: WiredLines) -> None:
    button = contact(wires, NOISY)
    wires.agenda.run(100 * MS)
    button.stop()
    wires.agenda.run(101 * MS)  # what was under way dies down
    wires.lines.read()
    wires.agenda.run(2_000 * MS)
    assert wires.lines.read() == []
    assert level(wires) is True
    assert wires.agenda.due_ns is None


def test_a_contact_that_stops_bouncing_stands_where_it_is_held(wires: WiredLines) -> None:
    button = contact(wires, BOUNCY)
    button.set(True)
    wires.agenda.run(wires.agenda.due_ns or 0)
    assert level(wires) is True  # it has just sprung open again
    button.stop()
    wires.agenda.run(100 * MS)
    assert level(wires) is False
