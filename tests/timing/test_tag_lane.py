"""The words of readers: each counts from a moment that its stamp alone decides."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.effects import LateSignal
from firmware_host.model.events import Masked, Pressed, Released, SourceEdge, TagEvent, TagSeen, Withdrawn
from firmware_host.model.places import (
    Button,
    Call,
    Card,
    Colour,
    DieFace,
    Pad,
    Pile,
    Slot,
    Spot,
    Stranger,
    Tag,
)
from firmware_host.model.settings import Settings
from firmware_host.model.states import MaskReason
from firmware_host.model.times import MS, Stamp, exactly
from firmware_host.timing.arbiter import Arbiter, CleanEvent
from firmware_host.timing.lanes import TagLane
from tests.timing.judging import at

SETTLE_NS = 150 * MS
RED_ONE = Card(1, Colour.RED, 1)
BLUE_TWO = Card(1, Colour.BLUE, 2)

spots = st.sampled_from([Pad(1), Pad(2), Pad(10), Pile(1), Slot(Colour.RED, 1)])
tags = st.sampled_from([RED_ONE, BLUE_TWO, Card(10, Colour.RED, 1), DieFace(1, 2), Stranger("04a1b2c3")])
stamps = st.builds(at, st.integers(0, 8).map(lambda step: 1000 + 40 * step), st.sampled_from([0, 40, 80]))


SETTINGS = Settings(stamp_uncertainty_ns=0)
DELAY_NS = SETTINGS.buttons.delivery_ns


def words(kind: type[TagSeen] | type[Withdrawn]) -> st.SearchStrategy[TagEvent]:
    return st.builds(lambda spot, tag, stamp: kind(spot, tag, stamp), spots, tags, stamps)


stories = st.lists(
    st.tuples(words(TagSeen) | words(Withdrawn), st.integers(0, SETTLE_NS)),
    max_size=10,
    unique_by=lambda e: e[0],
)


def drive(arrivals: list[tuple[TagEvent, int]]) -> tuple[list[tuple[int, TagEvent]], list[LateSignal]]:
    """What comes out, each with its moment, if these come so long after their stamps; and the notes."""
    lane = TagLane(SETTLE_NS)
    out: list[tuple[int, TagEvent]] = []

    def release(until_ns: int) -> None:
        while lane.first_ns is not None and lane.first_ns <= until_ns:
            out.extend(lane.take(lane.first_ns))

    for event, delay_ns in sorted(arrivals, key=lambda each: each[0].stamp.latest_ns + each[1]):
        arrives_ns = event.stamp.latest_ns + delay_ns
        release(arrives_ns - 1)
        lane.put(event, arrives_ns)
    release(10**12)
    return out, lane.notes


def test_nothing_is_due_before_anything_has_come() -> None:
    lane = TagLane(SETTLE_NS)
    assert lane.first_ns is None and lane.take(10**12) == []


def test_a_tag_counts_a_settle_time_after_the_look_that_found_it() -> None:
    event = TagSeen(Pad(1), RED_ONE, at(1000, 40))
    assert drive([(event, 0)]) == drive([(event, SETTLE_NS)]) == ([(1190 * MS, event)], [])


def test_word_that_comes_too_late_counts_from_then_on_and_says_so() -> None:
    event = TagSeen(Pad(1), RED_ONE, at(1000, 40))
    out, notes = drive([(event, SETTLE_NS + 1)])
    assert out == [(1190 * MS + 1, TagSeen(Pad(1), RED_ONE, at(1000, 40), late=True))]
    assert notes == [LateSignal(Pad(1), at(1000, 40), SETTLE_NS + 1)]


def test_one_that_goes_makes_room_before_another_comes() -> None:
    come, go = TagSeen(Pad(1), BLUE_TWO, at(1000, 40)), Withdrawn(Pad(1), RED_ONE, at(1000, 40))
    assert [event for _, event in drive([(come, 0), (go, 5)])[0]] == [go, come]


@given(stories, st.randoms(use_true_random=False))
def test_the_way_to_the_table_changes_nothing(story: list[tuple[TagEvent, int]], chance: Random) -> None:
    straight = [(event, 0) for event, _ in story]
    out, notes = drive(chance.sample(story, len(story)))
    assert out == drive(straight)[0]
    assert not notes


@given(stories)
def test_everything_comes_out_once_at_its_own_moment(story: list[tuple[TagEvent, int]]) -> None:
    out, _ = drive(story)
    assert len(out) == len(story)
    assert {event for _, event in out} == {event for event, _ in story}
    assert all(t_ns == event.stamp.latest_ns + SETTLE_NS for t_ns, event in out)
    assert [t_ns for t_ns, _ in out] == sorted(t_ns for t_ns, _ in out)


@given(stories, st.lists(st.integers(1000 * MS, 2000 * MS), max_size=8))
def test_asking_more_often_changes_nothing(story: list[tuple[TagEvent, int]], extra_ns: list[int]) -> None:
    lane = TagLane(SETTLE_NS)
    for event, _ in story:
        lane.put(event, event.stamp.latest_ns)
    out = [event for now_ns in [*sorted(extra_ns), 10**12] for _, event in lane.take(now_ns)]
    assert out == [event for _, event in drive([(event, 0) for event, _ in story])[0]]


# -- among the contacts of a table


def arbiter() -> Arbiter:
    return Arbiter(SETTINGS, seats=(1, 2), calls=(1, 2))


def events(table: Arbiter, now_ns: int) -> list[CleanEvent | TagEvent]:
    """What comes out by then."""
    return [event for _, event in table.release(now_ns)]


def test_an_arbiter_hands_on_tags_when_they_count() -> None:
    table, event = arbiter(), TagSeen(Pad(1), RED_ONE, at(1000, 40))
    table.put_tag(event, 1100 * MS)
    assert table.due_ns == 1190 * MS + DELAY_NS
    assert table.release(1190 * MS + DELAY_NS - 1) == []
    assert table.release(1190 * MS + DELAY_NS) == [(1190 * MS, event)]
    due_ns: int | None = table.due_ns
    assert due_ns is None and table.take_notes() == []


def test_contacts_and_tags_come_each_at_their_own_moment() -> None:
    table, event = arbiter(), TagSeen(Pad(1), RED_ONE, at(1000, 40))
    table.put_tag(event, 1100 * MS)
    table.put(SourceEdge(Button(1), True, at(1100), 1), 1101 * MS)
    told = []
    while (due_ns := table.due_ns) is not None and due_ns < 2000 * MS:
        told += events(table, due_ns)
    assert told == [Pressed(1, at(1100)), event]


def test_an_arbiter_notes_what_a_reader_told_too_late() -> None:
    table = arbiter()
    table.put_tag(TagSeen(Pad(1), RED_ONE, at(1000)), 2000 * MS)
    assert table.take_notes() == [LateSignal(Pad(1), at(1000), 1000 * MS)]
    assert table.take_notes() == []
    assert events(table, 2000 * MS + DELAY_NS) == [TagSeen(Pad(1), RED_ONE, at(1000), late=True)]


@pytest.mark.parametrize(("source", "call"), [(Button(2), False), (Call(2), True)])
def test_a_seat_has_two_buttons_and_each_tells_which_it_is(source: Button | Call, call: bool) -> None:
    table = arbiter()
    table.put(SourceEdge(source, True, at(1000), 1), 1000 * MS)
    table.put(SourceEdge(source, False, at(1100), 2), 1100 * MS)
    told = []
    while (due_ns := table.due_ns) is not None and due_ns < 2000 * MS:
        told += events(table, due_ns)
    assert told == [Pressed(2, at(1000), call=call), Released(2, at(1100), call=call)]


def test_both_buttons_of_all_seats_in_one_moment_come_in_a_fixed_order() -> None:
    sources: list[Button | Call] = [Button(1), Call(1), Button(2), Call(2)]
    orders = []
    for seed in range(10):
        table = arbiter()
        for source in Random(seed).sample(sources, len(sources)):
            table.put(SourceEdge(source, True, at(1000), 1), 1000 * MS)
        orders.append(table.release(1100 * MS))
    assert all(order == orders[0] for order in orders) and len(orders[0]) == 4


def test_a_call_button_that_is_down_from_the_start_may_be_jammed() -> None:
    settings, table = SETTINGS, arbiter()
    table.preset_button(Call(1), True, 1000 * MS)
    due_ns = table.due_ns
    assert due_ns == 1000 * MS + settings.stuck_ns + DELAY_NS
    masked = events(table, due_ns)
    assert masked == [Masked(Call(1), MaskReason.STUCK, exactly(1000 * MS + settings.stuck_ns))]


def test_a_stamp_of_a_tag_may_be_a_moment() -> None:
    spot: Spot = Pile(3)
    tag: Tag = BLUE_TWO
    assert drive([(TagSeen(spot, tag, exactly(1000 * MS)), 0)])[0][0][0] == 1150 * MS
    assert drive([(TagSeen(spot, tag, Stamp(0, 1000 * MS)), 0)])[0][0][0] == 1150 * MS
