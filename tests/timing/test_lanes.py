"""One kind of source: edges and reports go in as they arrive, changes come out by their stamps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.effects import LateSignal, Noise
from firmware_host.model.events import Contact, Pressed, Released, SourceEdge, TagEvent, TagSeen, Withdrawn
from firmware_host.model.places import Button, Card, Colour, DieFace, Pad, Pile, Slot, Stranger
from firmware_host.model.settings import Lane
from firmware_host.model.times import MS, Stamp, exactly
from firmware_host.timing.lanes import Change, LaneArbiter, LineDebouncer, StampQueue, TagLane

# -- in any order in, in the order of the stamps out


def test_an_item_comes_out_once_it_is_known_what_came_before() -> None:
    queue: StampQueue[str] = StampQueue()
    assert [queue.first_ns] == [None]
    queue.put(Stamp(105, 106), (1,), "later")
    queue.put(Stamp(100, 108), (2,), "earlier")
    assert queue.first_ns == 100
    assert (queue.take(99), queue.take(100), queue.take(120)) == ([], ["earlier"], ["later"])


def test_equal_stamps_come_out_in_the_order_of_their_keys() -> None:
    queue: StampQueue[str] = StampQueue()
    for key, name in [(3, "c"), (1, "a"), (2, "b")]:
        queue.put(exactly(100), (key,), name)
    assert queue.take(200) == ["a", "b", "c"]


# -- a burst of edges is one change, dated by the first of them

QUIET, BURST = 30, 100
Toggles = list[tuple[int, bool]]


def changes(edges: Toggles, active: bool = False) -> Toggles:
    """The changes that these edges (moment and level) come to; noise is left out."""
    line = LineDebouncer(QUIET, BURST, active)
    found: Toggles = []
    for t_ns, level in [*edges, (10**9, active)]:
        if line.due_ns is not None and line.due_ns <= t_ns:
            stamp, changed = line.finish()
            found += [(stamp.earliest_ns, line.active)] if changed else []
        line.edge(level, exactly(t_ns))
    return found


def toggles(start_ns: int, gaps: list[int], level: bool = True) -> Toggles:
    """Edges with these gaps between them, each to the other level."""
    moments = accumulate(gaps, initial=start_ns)
    return [(t_ns, level if index % 2 == 0 else not level) for index, t_ns in enumerate(moments)]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ([(100, True), (500, False)], [(100, True), (500, False)]),
        (toggles(100, [10, 10, 29, 5]), [(100, True)]),
        (toggles(100, [10, 10, 10]), []),
        ([(100, True), (130, False)], [(100, True), (130, False)]),
        ([(100, True), (129, False)], []),
        (toggles(0, [20] * 9), [(0, True), (100, False)]),
    ],
    ids=["clean", "bouncy", "noise", "a quiet time apart", "less", "cut, and another burst"],
)
def test_what_edges_come_to(edges: Toggles, expected: Toggles) -> None:
    assert changes(edges) == expected


def test_an_edge_to_the_level_it_has_begins_nothing() -> None:
    line = LineDebouncer(QUIET, BURST, active=True)
    assert not line.edge(True, exactly(100))
    assert line.due_ns is None


def test_the_whole_stamp_of_the_first_edge_is_the_change() -> None:
    line = LineDebouncer(QUIET, BURST)
    assert line.edge(True, Stamp(100, 120))
    assert not line.edge(False, exactly(110))
    assert not line.edge(True, exactly(120))
    due_ns, change = line.due_ns, line.finish()
    assert (due_ns, change, line.active) == (150, (Stamp(100, 120), True), True)
    assert line.due_ns is None


gaps = st.lists(st.integers(0, 80), max_size=20)
bounces = st.lists(st.integers(0, QUIET - 1), max_size=8).filter(lambda gaps: sum(gaps) < BURST)


@given(bounces.filter(lambda gaps: len(gaps) % 2 == 0))
def test_however_a_switch_bounces_its_change_has_the_date_of_the_first_edge(gaps: list[int]) -> None:
    assert changes(toggles(1000, gaps)) == [(1000, True)]


@given(st.lists(st.tuples(st.integers(QUIET, 500), st.integers(0, QUIET - 1)), max_size=8), st.booleans())
def test_noise_shorter_than_the_quiet_time_never_counts(pulses: list[tuple[int, int]], resting: bool) -> None:
    gaps = [gap for pulse in pulses for gap in pulse]
    assert changes(toggles(0, gaps, level=resting), resting) == []


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


# -- all lines of a kind

LANE = Lane(delivery_ns=50, quiet_ns=QUIET, burst_ns=BURST)
SEATS = (1, 2, 3, 4)
KNOWN_NS = LANE.quiet_ns + LANE.delivery_ns
END = 10**9


def contact(button: Button, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Pressed if active else Released)(button.seat, stamp, late)


def lane(settings: Lane = LANE) -> LaneArbiter[Button]:
    return LaneArbiter(settings, map(Button, SEATS), contact)


def put(lane: LaneArbiter[Button], *edges: tuple[int, bool, int | Stamp], at_ns: int | None = None) -> None:
    """Edges of seats, each when it happens if no moment is given."""
    for seq, (seat, active, when) in enumerate(edges):
        stamp = when if isinstance(when, Stamp) else exactly(when)
        lane.put(SourceEdge(Button(seat), active, stamp, seq), stamp.latest_ns if at_ns is None else at_ns)


def contacts(changes: Iterable[Change]) -> list[Contact | Noise]:
    return [change.contact for change in changes]


def test_an_edge_becomes_a_change_when_its_burst_is_over_and_delivered() -> None:
    buttons = lane()
    put(buttons, (3, True, 1000))
    assert buttons.release(1000 + KNOWN_NS - 1) == []
    assert buttons.release(1000 + KNOWN_NS) == [Change(exactly(1000), 2, Pressed(3, exactly(1000)))]


def test_edges_of_one_line_with_equal_stamps_keep_the_order_of_their_source() -> None:
    buttons = lane()
    buttons.put(SourceEdge(Button(1), False, exactly(1000), 2), 1001)
    buttons.put(SourceEdge(Button(1), True, exactly(1000), 1), 1002)
    assert contacts(buttons.release(END)) == [Noise(Button(1), exactly(1000))]


def test_a_line_that_is_active_at_the_start_has_not_just_been_pressed() -> None:
    buttons = lane()
    buttons.preset(Button(1), True)
    put(buttons, (1, True, 1000), (1, False, 2000))
    assert contacts(buttons.release(END)) == [Released(1, exactly(2000))]


def test_at_rest_everything_is_known_that_had_time_to_arrive() -> None:
    buttons = lane()
    assert (buttons.due_ns(0), buttons.known_ns(1000)) == (None, 1000 - LANE.delivery_ns)


def test_an_open_burst_holds_up_what_is_known_and_one_that_began_later_nobody() -> None:
    buttons = lane()
    put(buttons, (1, True, 1000), (2, True, 1010))
    assert buttons.due_ns(0) == 1000 + KNOWN_NS
    assert buttons.release(1000 + KNOWN_NS - 1) == [] and buttons.known_ns(1000 + KNOWN_NS - 1) == 999
    assert buttons.due_ns(0) == 1000 + KNOWN_NS
    buttons.release(1000 + KNOWN_NS)
    assert buttons.known_ns(1000 + KNOWN_NS) == 1009
    buttons.release(1010 + KNOWN_NS)
    assert buttons.due_ns(0) is None and buttons.known_ns(1010 + KNOWN_NS) == 1010 + LANE.quiet_ns


def test_a_change_is_not_due_before_anything_is_known_that_long_after() -> None:
    buttons = lane()
    put(buttons, (1, True, 1000))
    assert buttons.due_ns(500) == 1500
    buttons.release(1060)
    assert buttons.due_ns(500) == 1500 and buttons.due_ns(0) == 1000 + KNOWN_NS


def test_a_late_burst_holds_nobody_up() -> None:
    buttons = lane()
    put(buttons, (1, True, 1000), at_ns=1000 + LANE.delivery_ns)
    buttons.release(1000 + LANE.delivery_ns)
    assert buttons.known_ns(1000 + LANE.delivery_ns + 1) == 1001


WIDE = Stamp(1000, 1900)


@pytest.mark.parametrize(
    ("stamp", "arrives_ns", "noted", "late"),
    [
        (exactly(1900), 1900 + LANE.delivery_ns - 1, False, False),
        (exactly(1900), 1900 + LANE.delivery_ns, True, True),
        # It was found by looking again: when it happened nobody knows, and the wire is not to blame.
        (WIDE, 1900 + LANE.delivery_ns - 1, False, True),
        (WIDE, 1900 + LANE.delivery_ns, True, True),
        (Stamp(1000, 1040), 1000 + LANE.delivery_ns - 1, False, False),
    ],
    ids=[
        "just in time",
        "late",
        "wide, and seen in time",
        "wide, and late",
        "wide, but in time",
    ],
)
def test_an_edge_beyond_its_delivery_time_is_noted_and_its_change_is_marked(
    stamp: Stamp, arrives_ns: int, noted: bool, late: bool
) -> None:
    buttons = lane()
    put(buttons, (1, True, stamp), at_ns=arrives_ns)
    note = LateSignal(Button(1), stamp, behind_ns=arrives_ns - stamp.earliest_ns)
    assert buttons.notes == ([note] if noted else [])
    assert contacts(buttons.release(END)) == [Pressed(1, stamp, late=late)]


def test_a_stamp_as_wide_as_all_of_its_kind_is_late_like_a_narrow_one() -> None:
    buttons = lane(replace(LANE, width_ns=20))
    put(buttons, (1, True, Stamp(1000, 1020)), (2, True, Stamp(1000, 1021)), at_ns=1000 + LANE.delivery_ns)
    assert [note.source for note in buttons.notes] == [Button(1)]


def test_a_late_edge_to_the_level_known_already_is_only_counted() -> None:
    buttons = lane()
    put(buttons, (1, False, 1900), at_ns=2010)
    assert len(buttons.notes) == 1
    assert buttons.release(END) == []


def test_after_a_late_press_the_line_is_known_to_be_down() -> None:
    buttons = lane()
    put(buttons, (1, True, 1900), at_ns=2010)
    put(buttons, (1, True, 3000), (1, False, 4000))
    assert contacts(buttons.release(END)) == [
        Pressed(1, exactly(1900), late=True),
        Released(1, exactly(4000)),
    ]


def test_after_an_edge_that_was_late_for_its_burst_the_next_press_counts() -> None:
    buttons = lane()
    put(buttons, (1, True, 1000))
    buttons.release(1070)  # settled to 1020: the burst goes on
    put(buttons, (1, False, 1015), at_ns=1070)  # what began at 1000 was noise, but this is told late
    put(buttons, (1, True, 3000))
    assert Pressed(1, exactly(3000)) in contacts(buttons.release(END))


def test_a_late_edge_that_was_overtaken_on_its_own_line_does_not_turn_the_level_back() -> None:
    buttons = lane()
    put(buttons, (1, False, 1100))  # the end of a short press, and in time
    buttons.release(4000)
    put(buttons, (1, True, 1000), at_ns=5000)  # its beginning, much too late
    put(buttons, (1, True, 6000))
    assert Pressed(1, exactly(6000)) in contacts(buttons.release(END))


# -- the reports of readers: each counts from a moment that its stamp alone decides

SETTLE_NS = 150 * MS
RED_ONE, BLUE_TWO = Card(1, Colour.RED, 1), Card(1, Colour.BLUE, 2)
FOUND = Stamp(1000 * MS, 1040 * MS)
stamps = st.builds(
    lambda step, width_ms: Stamp((1000 + 40 * step) * MS, (1000 + 40 * step + width_ms) * MS),
    st.integers(0, 8),
    st.sampled_from([0, 40, 80]),
)
reports = st.builds(
    lambda kind, spot, tag, stamp: kind(spot, tag, stamp),
    st.sampled_from([TagSeen, Withdrawn]),
    st.sampled_from([Pad(1), Pad(2), Pad(10), Pile(1), Slot(Colour.RED, 1)]),
    st.sampled_from([RED_ONE, BLUE_TWO, Card(10, Colour.RED, 1), DieFace(1, 2), Stranger("04a1b2c3")]),
    stamps,
)
stories = st.lists(st.tuples(reports, st.integers(0, SETTLE_NS)), max_size=10, unique_by=lambda each: each[0])
Story = list[tuple[TagEvent, int]]
Told = list[tuple[int, TagEvent]]


def read(
    arrivals: Story, extra_ns: Iterable[int] = ()
) -> tuple[list[tuple[int, TagEvent]], list[LateSignal]]:
    """What comes out, each with its moment, if these come so long after their stamps; and the notes."""
    tags = TagLane(SETTLE_NS)
    out: Told = []
    for event, delay_ns in sorted(arrivals, key=lambda each: each[0].stamp.latest_ns + each[1]):
        arrives_ns = event.stamp.latest_ns + delay_ns
        out += tags.take(arrives_ns - 1)
        tags.put(event, arrives_ns)
    for until_ns in [*sorted(extra_ns), 10**12]:
        out += tags.take(until_ns)
    return out, tags.notes


def test_a_tag_counts_a_settle_time_after_the_look_that_found_it() -> None:
    event = TagSeen(Pad(1), RED_ONE, FOUND)
    tags = TagLane(SETTLE_NS)
    assert [tags.first_ns, *tags.take(10**12)] == [None]
    tags.put(event, FOUND.latest_ns)
    assert tags.first_ns == 1190 * MS and tags.take(1190 * MS - 1) == []
    assert read([(event, 0)]) == read([(event, SETTLE_NS)]) == ([(1190 * MS, event)], [])


def test_a_report_that_comes_too_late_counts_from_then_on_and_is_marked() -> None:
    out, notes = read([(TagSeen(Pad(1), RED_ONE, FOUND), SETTLE_NS + 1)])
    assert out == [(1190 * MS + 1, TagSeen(Pad(1), RED_ONE, FOUND, late=True))]
    assert notes == [LateSignal(Pad(1), FOUND, SETTLE_NS + 1)]


def test_one_that_goes_makes_room_before_another_comes() -> None:
    come, go = TagSeen(Pad(1), BLUE_TWO, FOUND), Withdrawn(Pad(1), RED_ONE, FOUND)
    assert [event for _, event in read([(come, 0), (go, 5)])[0]] == [go, come]


@given(stories, st.lists(st.integers(1500 * MS, 2000 * MS), max_size=8), st.randoms(use_true_random=False))
def test_each_report_comes_out_once_at_its_own_moment_whatever_its_way(
    story: Story, extra_ns: list[int], chance: Random
) -> None:
    out, notes = read(chance.sample(story, len(story)), extra_ns)
    assert (out, notes) == read([(event, 0) for event, _ in story])
    assert notes == []
    assert {event for _, event in out} == {event for event, _ in story} and len(out) == len(story)
    assert all(t_ns == event.stamp.latest_ns + SETTLE_NS for t_ns, event in out)
    assert [t_ns for t_ns, _ in out] == sorted(t_ns for t_ns, _ in out)
