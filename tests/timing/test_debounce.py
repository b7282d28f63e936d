"""A burst of edges is one change, dated by the first of them."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.times import Stamp, exactly
from firmware_host.timing.lanes import LineDebouncer

QUIET, BURST = 30, 100

Change = tuple[int, bool]  # its date and the new level


def changes(edges: list[tuple[int, bool]], active: bool = False) -> list[Change]:
    """The changes that these edges (moment and level) come to; noise is left out."""
    line = LineDebouncer(QUIET, BURST, active)
    found: list[Change] = []

    def finish(by_ns: int) -> None:
        if line.due_ns is not None and line.due_ns <= by_ns:
            stamp, changed = line.finish()
            if changed:
                found.append((stamp.earliest_ns, line.active))

    for t_ns, level in edges:
        finish(t_ns)
        line.edge(level, exactly(t_ns))
    finish(10**9)
    return found


def toggles(start_ns: int, gaps: list[int], level: bool = True) -> list[tuple[int, bool]]:
    """Edges with these gaps between them, each to the other level."""
    moments = accumulate(gaps, initial=start_ns)
    return [(t_ns, level if index % 2 == 0 else not level) for index, t_ns in enumerate(moments)]


def test_a_clean_change_is_dated_by_its_edge() -> None:
    assert changes([(100, True), (500, False)]) == [(100, True), (500, False)]


def test_a_bouncy_change_is_dated_by_its_first_edge() -> None:
    assert changes(toggles(100, [10, 10, 29, 5])) == [(100, True)]


def test_bounces_that_end_where_they_began_are_noise() -> None:
    assert changes(toggles(100, [10, 10, 10])) == []


def test_edges_a_quiet_time_apart_are_two_changes() -> None:
    assert changes([(100, True), (130, False)]) == [(100, True), (130, False)]
    assert changes([(100, True), (129, False)]) == []


def test_an_edge_to_the_level_it_has_begins_nothing() -> None:
    line = LineDebouncer(QUIET, BURST, active=True)
    assert not line.edge(True, exactly(100))
    assert line.due_ns is None


def test_the_first_edge_of_a_burst_is_told() -> None:
    line = LineDebouncer(QUIET, BURST)
    assert line.edge(True, exactly(100))
    assert not line.edge(False, exactly(110))
    assert not line.edge(True, exactly(120))
    assert line.due_ns == 150


def test_the_whole_first_stamp_is_the_change() -> None:
    line = LineDebouncer(QUIET, BURST)
    line.edge(True, Stamp(100, 120))
    assert line.finish() == (Stamp(100, 120), True)
    assert line.active
    assert line.due_ns is None


def test_a_burst_that_will_not_end_is_cut() -> None:
    line = LineDebouncer(QUIET, BURST)
    for t_ns, level in toggles(0, [20] * 4):
        line.edge(level, exactly(t_ns))
    assert line.due_ns == BURST
    assert line.finish() == (exactly(0), True)


def test_after_a_cut_the_next_burst_begins() -> None:
    assert changes(toggles(0, [20] * 9)) == [(0, True), (100, False)]


gaps = st.lists(st.integers(0, 80), max_size=20)
bounces = st.lists(st.integers(0, QUIET - 1), max_size=8).filter(lambda gaps: sum(gaps) < BURST)


@given(bounces.filter(lambda gaps: len(gaps) % 2 == 0))
def test_however_a_switch_bounces_its_change_has_the_date_of_the_first_edge(gaps: list[int]) -> None:
    assert changes(toggles(1000, gaps)) == [(1000, True)]


@given(st.lists(st.tuples(st.integers(QUIET, 500), st.integers(0, QUIET - 1)), max_size=8), st.booleans())
def test_noise_shorter_than_the_quiet_time_never_counts(pulses: list[tuple[int, int]], resting: bool) -> None:
    t_ns, edges = 0, []
    for pause, length in pulses:
        edges += [(t_ns + pause, not resting), (t_ns + pause + length, resting)]
        t_ns += pause + length
    assert changes(edges, resting) == []


@given(gaps, st.booleans())
def test_changes_alternate_and_end_at_the_last_level(gaps: list[int], first: bool) -> None:
    edges = toggles(0, gaps, first)
    levels = [level for _, level in changes(edges)]
    assert levels == [index % 2 == 0 for index in range(len(levels))]
    assert (levels[-1] if levels else False) == edges[-1][1]


@given(gaps)
def test_a_burst_is_over_after_its_longest_time(gaps: list[int]) -> None:
    line = LineDebouncer(QUIET, BURST)
    first_ns = 0
    for t_ns, level in toggles(0, gaps):
        if line.due_ns is not None and line.due_ns <= t_ns:
            line.finish()
        if line.edge(level, exactly(t_ns)):
            first_ns = t_ns
        if line.due_ns is not None:
            assert t_ns <= line.due_ns <= first_ns + BURST


@pytest.mark.parametrize("bouncy", [[], [5, 5], [29, 29], [1, 2, 3, 4]])
def test_the_bouncier_switch_does_not_lose_the_race(bouncy: list[int]) -> None:
    (steady,), (other,) = changes([(101, True)]), changes(toggles(100, bouncy))
    assert other < steady
