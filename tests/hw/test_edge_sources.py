"""What every driver of the edge port does alike."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from hw.ports import EdgeSource
from hw.sim.courier import Courier
from hw.sim.script import ScriptedLines, resting
from tests.hw.table import LINES, Wires, edges_of


class Subject(NamedTuple):
    """A driver, and a hand that sets one of its lines."""

    source: EdgeSource
    drive: Callable[[int, bool], None]


def gpiozero_lines() -> Subject:
    wires = Wires()
    return Subject(wires.lines, wires.drive)


def prompt_courier() -> Subject:
    wires = Wires()
    return Subject(Courier(wires.lines, wires.agenda, lambda edge: 0), wires.drive)


def scripted_lines() -> Subject:
    lines = ScriptedLines(resting(LINES, low=[]), uncertainty_ns=100_000)
    return Subject(lines, lambda line, high: lines.deliver(line, high, t_ns=0))


@pytest.fixture(params=[gpiozero_lines, prompt_courier, scripted_lines])
def subject(request: pytest.FixtureRequest) -> Subject:
    made: Subject = request.param()
    return made


def test_nothing_happened_yet(subject: Subject) -> None:
    assert subject.source.read() == []
    assert subject.source.levels() == dict.fromkeys(LINES, True)


def test_edges_come_in_order_and_are_numbered(subject: Subject) -> None:
    subject.drive(5, False)
    subject.drive(4, False)
    subject.drive(5, True)
    edges = edges_of(subject.source)
    assert [(edge.line, edge.high) for edge in edges] == [(5, False), (4, False), (5, True)]
    assert [edge.seq for edge in edges] == [0, 1, 2]


def test_numbers_go_on_from_one_reading_to_the_next(subject: Subject) -> None:
    seqs = []
    for level in (False, True, False):
        subject.drive(6, level)
        seqs += [edge.seq for edge in edges_of(subject.source)]
    assert seqs == [0, 1, 2]


def test_levels_follow_the_edges(subject: Subject) -> None:
    subject.drive(6, False)
    assert subject.source.levels() == {4: True, 5: True, 6: False}


def test_every_driver_knows_how_far_off_it_may_be(subject: Subject) -> None:
    assert subject.source.uncertainty_ns == 100_000


def test_every_driver_has_a_descriptor(subject: Subject) -> None:
    assert isinstance(subject.source.fileno(), int)


def test_any_driver_may_be_closed_any_number_of_times(subject: Subject) -> None:
    for _ in range(3):
        subject.source.close()
    assert subject.source.read() == []
