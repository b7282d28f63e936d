"""The combination is complete for the right hands at the right moment, whatever the contacts do."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.events import SourceEdge
from firmware_host.model.places import Button, Call, Colour, Slot, Source
from firmware_host.model.times import MS, S, Stamp, exactly
from firmware_host.service.panel import ServiceCombination

HOLD_MS = 200
BOUNCE_MS = 30


class Hands:
    """Hands at a combination that takes five seconds."""

    def __init__(self, last_seat: int = 4) -> None:
        self.combination = ServiceCombination(1, last_seat, 5 * S)
        self.seq = 0

    def change(self, source: Source | int, active: bool, t_ns: int) -> None:
        self.seq += 1
        place = Button(source) if isinstance(source, int) else source
        self.combination.take(SourceEdge(place, active, exactly(t_ns), self.seq))

    def due(self) -> int | None:
        return self.combination.due_ns

    def both(self, t_ns: int, active: bool = True) -> None:
        self.change(1, active, t_ns)
        self.change(4, active, t_ns)


@pytest.mark.parametrize("last_seat", [2, 4, 12])
def test_it_opens_when_both_have_been_held_for_five_seconds(last_seat: int) -> None:
    hands = Hands(last_seat)
    hands.change(1, True, 1 * S)
    assert hands.due() is None
    hands.change(last_seat, True, 3 * S)
    assert hands.due() == 8 * S
    assert not hands.combination.completed(8 * S - 1)
    assert hands.combination.completed(8 * S)
    assert hands.due() is None


def test_it_opens_once_and_again_only_after_both_were_let_go() -> None:
    hands = Hands()
    hands.both(0)
    assert hands.combination.completed(5 * S)
    assert not hands.combination.completed(60 * S)
    hands.change(1, False, 61 * S)
    hands.change(1, True, 62 * S)
    assert not hands.combination.completed(99 * S)
    hands.change(4, False, 100 * S)
    hands.change(4, True, 101 * S)
    assert hands.due() == 106 * S
    assert hands.combination.completed(106 * S)


@pytest.mark.parametrize(("up_ns", "due_ns"), [(30 * MS - 1, 5 * S), (30 * MS, 7 * S + 30 * MS)])
def test_a_button_is_let_go_when_it_is_up_for_thirty_milliseconds(up_ns: int, due_ns: int) -> None:
    hands = Hands()
    hands.both(0)
    hands.change(1, False, 2 * S)
    assert hands.due() is None
    hands.change(1, True, 2 * S + up_ns)
    assert hands.due() == due_ns


def test_another_race_button_begins_the_time_anew() -> None:
    hands = Hands()
    hands.both(0)
    hands.change(3, True, 4 * S)
    assert hands.due() is None
    assert not hands.combination.completed(6 * S)
    hands.change(3, False, 7 * S)
    assert hands.due() == 12 * S
    hands.change(2, True, 8 * S)
    hands.change(2, False, 9 * S)
    assert hands.due() == 14 * S


def test_slots_and_call_buttons_and_levels_told_again_change_nothing() -> None:
    hands = Hands()
    hands.both(0)
    hands.both(1 * S)
    hands.change(Call(2), True, 1 * S)
    hands.change(Slot(Colour.RED, 1), True, 1 * S)
    hands.change(2, False, 2 * S)
    assert hands.due() == 5 * S


def test_a_wide_stamp_counts_from_its_end() -> None:
    combination = ServiceCombination(1, 2, hold_ns=1 * S)
    combination.take(SourceEdge(Button(1), True, Stamp(0, 3 * S), 1))
    combination.take(SourceEdge(Button(2), True, exactly(1 * S), 2))
    assert combination.due_ns == 4 * S


# -- against a definition that looks at every millisecond

bounces = st.sampled_from((1, 5, BOUNCE_MS - 1, BOUNCE_MS, BOUNCE_MS + 1))
presses = st.sampled_from((90, HOLD_MS - 1, HOLD_MS, 300, 450))
gaps = st.lists(presses | bounces, min_size=4, max_size=12)
touches = st.lists(st.integers(1, 900), max_size=2)


def levels(edges: list[int], end: int) -> list[bool]:
    """Whether a button is down at each millisecond."""
    changes = set(edges)
    down, all_levels = False, []
    for t in range(end):
        down ^= t in changes
        all_levels.append(down)
    return all_levels


def pressed_since(down: list[bool], t: int) -> int:
    """When the press began that lasts at `t`, short ups left out."""
    start, up = t, 0
    while t >= 0 and up < BOUNCE_MS:
        if down[t]:
            start, up = t, 0
        else:
            up += 1
        t -= 1
    return start


def openings(edges: dict[int, list[int]], end: int) -> list[int]:
    """When a combination with these edges should be complete, by the meaning of the words."""
    all_levels = {seat: levels(moments, end) for seat, moments in edges.items()}
    keys, others = (all_levels[1], all_levels[4]), (all_levels[2], all_levels[3])
    found: list[int] = []
    for t in range(end):
        if not all(key[t] for key in keys):
            continue
        begun = [pressed_since(key, t) for key in keys]
        alone = not any(any(other[max(0, t - HOLD_MS) : t + 1]) for other in others)
        fresh = not found or min(begun) > found[-1]
        if max(begun) + HOLD_MS <= t and alone and fresh:
            found.append(t)
    return found


@given(gaps, gaps, touches, touches)
def test_it_opens_exactly_when_the_words_say_so(
    first: list[int], last: list[int], second: list[int], third: list[int]
) -> None:
    edges = {seat: list(accumulate(each)) for seat, each in ((1, first), (4, last), (2, second), (3, third))}
    end = max((moments[-1] for moments in edges.values() if moments), default=0) + 2 * HOLD_MS
    combination, opened = ServiceCombination(1, 4, HOLD_MS * MS), []
    for t in range(end):
        for seat, moments in edges.items():
            if t in moments:
                index = moments.index(t)
                combination.take(SourceEdge(Button(seat), index % 2 == 0, exactly(t * MS), index))
        due_ns = combination.due_ns
        if combination.completed(t * MS):
            opened.append(t)
            assert due_ns is not None
    assert opened == openings(edges, end)
