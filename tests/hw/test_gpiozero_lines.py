"""Edges through a gpiozero pin factory."""

import select
from threading import Thread

import pytest

from hw.ports import Edge
from tests.hw.wired_lines import LINES, WiredLines, edges_of


def readable(wires: WiredLines) -> bool:
    return bool(select.select([wires.lines.fileno()], [], [], 0)[0])


def test_an_edge_has_its_line_its_level_and_the_time_of_its_source(wires: WiredLines) -> None:
    wires.agenda.run(7_000)
    wires.drive(5, high=False)
    wires.agenda.run(9_000)
    assert wires.lines.read() == [Edge(line=5, high=False, t_ns=7_000, seq=0)]


def test_both_edges_are_reported(wires: WiredLines) -> None:
    wires.drive(5, high=False)
    wires.drive(5, high=True)
    assert [edge.high for edge in edges_of(wires.lines)] == [False, True]


def test_all_lines_count_their_edges_together(wires: WiredLines) -> None:
    for line in (6, 4, 5, 4):
        wires.drive(line, high=line == 4 and wires.lines.levels()[4] is False)
    assert [(edge.line, edge.seq) for edge in edges_of(wires.lines)] == [(6, 0), (4, 1), (5, 2), (4, 3)]


def test_an_edge_is_read_once(wires: WiredLines) -> None:
    wires.drive(4, high=False)
    assert len(wires.lines.read()) == 1
    assert wires.lines.read() == []


def test_a_level_that_stays_is_no_edge(wires: WiredLines) -> None:
    wires.drive(4, high=True)
    assert wires.lines.read() == []


@pytest.mark.parametrize(("pull", "high"), [("up", True), ("down", False)])
def test_open_contacts_rest_where_they_are_pulled(pull: str, high: bool) -> None:
    assert WiredLines(pull).lines.levels() == dict.fromkeys(LINES, high)


def test_levels_are_those_of_now(wires: WiredLines) -> None:
    wires.drive(6, high=False)
    assert wires.lines.levels() == {4: True, 5: True, 6: False}


def test_the_uncertainty_is_the_one_that_was_given() -> None:
    assert WiredLines().lines.uncertainty_ns == 100_000


# -- waiting


def test_the_descriptor_is_readable_while_an_edge_is_queued(wires: WiredLines) -> None:
    assert not readable(wires)
    wires.drive(4, high=False)
    assert readable(wires)
    wires.lines.read()
    assert not readable(wires)


def test_an_edge_from_before_anybody_asked_for_the_descriptor_counts_too(wires: WiredLines) -> None:
    wires.drive(4, high=False)
    assert readable(wires)


def test_the_descriptor_stays_the_same(wires: WiredLines) -> None:
    assert wires.lines.fileno() == wires.lines.fileno()


def test_reading_for_nothing_does_not_block(wires: WiredLines) -> None:
    wires.lines.fileno()
    assert wires.lines.read() == []


def test_edges_may_come_on_a_thread_of_their_own(wires: WiredLines) -> None:
    descriptor = wires.lines.fileno()

    def hammer() -> None:
        for turn in range(100):
            wires.drive(4, high=bool(turn % 2))

    thread = Thread(target=hammer)
    thread.start()
    seen: list[Edge] = []
    while len(seen) < 100 and select.select([descriptor], [], [], 10)[0]:
        seen += edges_of(wires.lines)
    thread.join()
    assert [edge.seq for edge in seen] == list(range(100))


# -- letting go


def test_it_may_be_closed_twice(wires: WiredLines) -> None:
    wires.lines.fileno()
    wires.lines.close()
    wires.lines.close()
    assert wires.lines.levels() == {}


def test_a_closed_line_says_nothing_more(wires: WiredLines) -> None:
    pin = wires.pin(4)
    wires.lines.close()
    pin.drive_low()
    assert wires.lines.read() == []


def test_closing_without_ever_waiting_is_fine(wires: WiredLines) -> None:
    wires.lines.close()
    assert wires.lines.read() == []
