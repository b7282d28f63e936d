"""From what devices say to seats, slots, tags and troubles."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model import states
from firmware_host.model.events import (
    DeviceChanged,
    SignalsLost,
    TagSeen,
    Withdrawn,
    format_event,
    parse_event,
)
from firmware_host.model.places import Button, Call, Card, Colour, Pad, Pile, Slot, Source, Stranger
from firmware_host.model.states import DeviceCondition
from firmware_host.model.times import MS, Stamp, exactly
from firmware_host.profile.tags import Registry
from firmware_host.run.equipment import Intake
from hw.ports import Condition, Edge, Gap, Health, TagRead

LINES: dict[int, Source] = {5: Button(1), 6: Call(1), 7: Slot(Colour.RED, 1)}
UID = bytes.fromhex("ca010001")
REGISTRY = Registry({"ca010001": Card(1, Colour.RED, 1)})


@pytest.fixture
def intake() -> Intake:
    return Intake(LINES, 100, {"pad-1": 1, "left": 0}, (Pad(1), Pile(3)), REGISTRY)


def test_a_low_line_is_a_button_that_is_down(intake: Intake) -> None:
    down = intake.source_edge(Edge(5, False, 1000, 7))
    assert (down.source, down.active, down.stamp, down.seq) == (Button(1), True, Stamp(900, 1100), 7)
    up = intake.source_edge(Edge(6, True, 2000, 8))
    assert (up.source, up.active) == (Call(1), False)


def test_an_edge_that_was_found_by_looking_again_has_a_wide_stamp(intake: Intake) -> None:
    assert intake.source_edge(Edge(7, False, 1000, 1, wide_ns=300)).stamp == Stamp(600, 1100)


def test_each_line_may_have_a_doubt_of_its_own() -> None:
    intake = Intake(LINES, {5: 10, 6: 20, 7: 30})
    widths = [intake.source_edge(Edge(line, False, 1000, 1)).stamp for line in LINES]
    assert widths == [Stamp(990, 1010), Stamp(980, 1020), Stamp(970, 1030)]


def test_sources_that_are_active_at_power_on(intake: Intake) -> None:
    assert intake.active({5: False, 6: True, 7: False, 99: False}) == [Button(1), Slot(Colour.RED, 1)]
    assert intake.active({}) == []


def test_a_tag_is_what_it_is_enrolled_for(intake: Intake) -> None:
    card = Card(1, Colour.RED, 1)
    assert intake.tag(TagRead(0, UID, True, 100, 200)) == TagSeen(Pad(1), card, Stamp(100, 200))
    assert intake.tag(TagRead(1, UID, False, 300, 400)) == Withdrawn(Pile(3), card, Stamp(300, 400))


def test_a_tag_that_nobody_has_enrolled_is_a_stranger(intake: Intake) -> None:
    event = intake.tag(TagRead(0, b"\x04\xa1\xb2\xc3", True, 100, 200))
    assert event == TagSeen(Pad(1), Stranger("04a1b2c3"), Stamp(100, 200))
    bare = Intake({}, 0, spots=(Pad(2),))
    assert bare.tag(TagRead(0, UID, True, 0, 1)) == TagSeen(Pad(2), Stranger("ca010001"), Stamp(0, 1))


def test_a_gap_says_how_many_and_since_when(intake: Intake) -> None:
    assert intake.loss(Gap(3, 10 * MS, 25 * MS)) == SignalsLost(3, 15 * MS, exactly(25 * MS))


@pytest.mark.parametrize(
    ("device", "needed", "seat"), [("pad-1", True, 1), ("left", True, 0), ("sign", False, 0)]
)
def test_a_device_is_needed_by_all_by_one_seat_or_by_nobody(
    intake: Intake, device: str, needed: bool, seat: int
) -> None:
    change = intake.change(Health(device, Condition.LOST, "no answer", "look at its cable"), 500)
    lost = DeviceCondition(device, states.Condition.LOST, "no answer", "look at its cable")
    assert change == DeviceChanged(lost, needed, exactly(500), seat)


@pytest.mark.parametrize(
    ("seen", "advice", "words"),
    [
        ("", "", ""),
        ("", "clean it", "clean it"),
        ("garbled", "", "garbled"),
        (" no  answer\n", "look at\nits cable", "no answer; look at its cable"),
        ("[Errno 5]", "name it in [store]", "[Errno 5]; name it in [store]"),
        ("(a) -> (b)", "do -> (c)", "(a), (b); do -> (c)"),
    ],
)
def test_what_a_device_says_is_one_line_that_reads_back(
    intake: Intake, seen: str, advice: str, words: str
) -> None:
    change = intake.change(Health("left", Condition.DEGRADED, seen, advice), 500)
    assert change.device.words == words
    assert parse_event(format_event(change)) == change


def test_where_nothing_is_named_nothing_is_needed() -> None:
    change = Intake(LINES, 0).change(Health("left", Condition.LOST), 1)
    assert (change.needed, change.seat) == (False, 0)


# -- the time of the table is shifted against that of the clock


@given(st.integers(-(10**15), 10**15))
def test_every_stamp_is_moved_by_the_shift_and_nothing_else_is(shift_ns: int) -> None:
    intake = Intake(LINES, 100, {}, (Pad(1), Pile(3)), REGISTRY)

    def moved(stamp: Stamp) -> Stamp:
        return Stamp(stamp.earliest_ns + shift_ns, stamp.latest_ns + shift_ns)

    edge = Edge(7, False, 1000, 1, wide_ns=300)
    signal = intake.source_edge(edge)
    assert intake.source_edge(edge, shift_ns) == signal._replace(stamp=moved(signal.stamp))
    read = TagRead(0, UID, True, 100, 200)
    shown = intake.tag(read)
    assert intake.tag(read, shift_ns) == replace(shown, stamp=moved(shown.stamp))
    gap = Gap(3, 10 * MS, 25 * MS)
    lost = intake.loss(gap)
    assert intake.loss(gap, shift_ns) == replace(lost, stamp=moved(lost.stamp))


def test_a_doubt_that_is_widened_is_never_narrowed() -> None:
    intake = Intake(LINES, {5: 10, 6: 20, 7: 30})
    intake.widen(20)
    widths = [intake.source_edge(Edge(line, False, 1000, 1)).stamp for line in LINES]
    assert widths == [Stamp(980, 1020), Stamp(980, 1020), Stamp(970, 1030)]
    intake.widen(5)
    assert intake.source_edge(Edge(5, False, 1000, 1)).stamp == Stamp(980, 1020)
