"""Events of card tables as texts, there and back: call buttons, tags, devices with a seat."""

from __future__ import annotations

import pytest

from firmware_host import events as e
from firmware_host.errors import MalformedText
from firmware_host.event_text import format_event, parse_event
from firmware_host.places import ALL_SLOTS, Call, Card, Colour, DieFace, Pad, Pile, Stranger
from firmware_host.stamps import exactly
from firmware_host.states import Condition, DeviceCondition, MaskReason

NOW = exactly(12_000_000_000)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (e.Pressed(3, NOW, call=True), "12.0 press call 3"),
        (e.Released(3, NOW, late=True, call=True), "12.0 release call 3 late"),
        (e.Shown(Pad(3), Card(3, Colour.RED, 7), NOW), "12.0 show pad 3 card 3 red 7"),
        (e.Withdrawn(Pile(12), Stranger("04a1b2c3"), NOW), "12.0 withdraw pile 12 unknown 04a1b2c3"),
        (e.Shown(ALL_SLOTS[0], DieFace(5, 2), NOW, late=True), "12.0 show red 1 die 5 face 2 late"),
        (
            e.DeviceChanged(DeviceCondition("pad-3", Condition.LOST, "no answer"), True, NOW, 3),
            "12.0 device pad-3 lost needed seat 3 (no answer)",
        ),
        (
            e.DeviceChanged(DeviceCondition("pad-3", Condition.OK), False, NOW, 3),
            "12.0 device pad-3 ok seat 3",
        ),
        (e.Masked(Call(2), MaskReason.STUCK, NOW), "12.0 mask call 2 stuck"),
        (e.Unmasked(Call(2), NOW), "12.0 unmask call 2"),
        (e.StartMatch((10, 10), NOW, "10,10 r1.2 - stop=1"), "12.0 start 10,10 from 10,10 r1.2 - stop=1"),
    ],
)
def test_events_can_be_written_by_hand(event: e.Event, text: str) -> None:
    assert format_event(event) == text and parse_event(text) == event


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("12.0 press call", "the seat is missing"),
        ("12.0 press call 0", "'0' is no seat"),
        ("12.0 press call 1 2", "'1 2' is no seat"),
        ("12.0 mask call stuck", "the seat is missing"),
        ("12.0 unmask call x", "'x' is no seat"),
        ("12.0 show", "the reader's place is missing"),
        ("12.0 show pad", "'pad' is no reader's place"),
        ("12.0 show pad 13 card 1 red 1", "pads are numbered from 1 to 12"),
        ("12.0 show pad 1", "the tag is missing"),
        ("12.0 show pad 1 late", "the tag is missing"),
        ("12.0 show pad 1 card 1 pink 1", "'card 1 pink 1' is no tag"),
        ("12.0 show pad 1 card 1 red 11", "cards of a colour are numbered from 1 to 10"),
        ("12.0 withdraw pile 49 card 1 red 1", "piles are numbered from 1 to 48"),
        ("12.0 withdraw red 7 die 1 face 1", "places of a row are numbered from 1 to 6"),
        ("12.0 device pad-1 lost seat", "the seat is missing"),
        ("12.0 device pad-1 lost seat x", "'x' is no seat"),
        ("12.0 device pad-1 lost seat 1 gone", "'gone' is unexpected here"),
        ("12.0 call 3", "'call' is no event; known: "),
    ],
)
def test_what_is_no_event_is_told_why(text: str, why: str) -> None:
    with pytest.raises(MalformedText) as wrong:
        parse_event(text)
    assert why in str(wrong.value)
