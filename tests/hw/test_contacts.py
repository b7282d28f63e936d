"""Switches and sensors with the habits of real ones."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.sim.contacts import STEADY, Contact, Habits
from tests.hw.wired_lines import WiredLines, edges_of

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
