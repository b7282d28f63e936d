"""Events and inputs as texts: how they look, and what is wrong with others. `test_grammars.py` reads back."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from firmware_host.games.cards import cards
from firmware_host.games.dice import dice
from firmware_host.model import events as e
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import (
    COMMAND_WORDS,
    Input,
    format_event,
    format_input,
    format_stamp,
    parse_event,
    parse_input,
    parse_stamp,
)
from firmware_host.model.places import (
    ALL_SLOTS,
    Button,
    Call,
    Card,
    Colour,
    DieFace,
    Pad,
    Pile,
    Slot,
    Stranger,
)
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, MaskReason
from firmware_host.model.times import Stamp, exactly
from tests.model.test_places import spots, tags

moments = st.integers(0, 10**15)
stamps = st.builds(lambda t_ns, width_ns: Stamp(t_ns, t_ns + width_ns), moments, st.integers(0, 10**9))
seats = st.integers(1, 12)
slots = st.sampled_from(ALL_SLOTS)
deals = st.lists(st.integers(0, 24), min_size=1, max_size=12).map(tuple)
dice_positions = [str(dice.opening((6, 6, 6, 6))), "r3y0g6b2 4/6,0/6,-,6/6 won=2"]
card_positions = [str(cards.opening((10, 10))), "10,10,-,8 r1.2.1 - b4 stop=1", "10,10 stuck"]
positions = st.sampled_from(["", *dice_positions, *card_positions])
sources = slots | seats.map(Button) | seats.map(Call)
names = st.sampled_from(
    ["left", "scoreboard", "i2c-1", "reader-2", "pile-12", "needed", "seat", "late", "lost"]
)
noises = [
    "no answer",
    "CRC 3 of 4 (noise?); check the cable",
    "needed",
    "seat 3",
    "(",
    ")",
    "late",
    "a (b) c",
    "a) [b",
    "a) -> b",
    "a -> (b",
    "[c]",
]
seen = st.sampled_from(["", *noises])
advice = st.sampled_from(
    ["", "check the cable", "see (its log); then ] it", "name it in [store] file", "needed"]
)
devices = st.builds(DeviceCondition, names, st.sampled_from(Condition), seen, advice)
reports: st.SearchStrategy[e.TagEvent | e.Command | e.TroubleReport] = st.one_of(
    st.builds(e.TagSeen, spots, tags, stamps, st.booleans()),
    st.builds(e.Withdrawn, spots, tags, stamps, st.booleans()),
    st.builds(e.StartMatch, deals, stamps, positions),
    st.builds(e.StartMatch, deals, stamps, dealt=st.booleans()),
    st.builds(e.Pause, stamps),
    st.builds(e.Resume, stamps),
    st.builds(e.VoidRound, stamps),
    st.builds(e.EndMatch, stamps),
    st.builds(e.SetLeftover, seats, st.integers(0, 24), stamps),
    st.builds(e.SignalsLost, st.integers(0, 10**6), moments, stamps),
    st.builds(e.DeviceChanged, devices, st.booleans(), stamps, st.integers(0, 12)),
    st.builds(e.Interrupted, st.sampled_from(AwayReason), stamps),
)
"""What readers, operators and devices say."""
events: st.SearchStrategy[e.Event] = st.one_of(
    reports,
    st.builds(e.Pressed, seats, stamps, st.booleans(), st.booleans()),
    st.builds(e.Released, seats, stamps, st.booleans(), st.booleans()),
    st.builds(e.Filled, slots, stamps, st.booleans()),
    st.builds(e.Emptied, slots, stamps, st.booleans()),
    st.builds(e.Masked, sources, st.sampled_from(MaskReason), stamps),
    st.builds(e.Unmasked, sources, stamps),
)


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (e.Pressed(3, Stamp(12_000_100_000, 12_000_300_000)), "12.0001..12.0003 press 3"),
        (e.Pressed(3, exactly(1_000_000_000), late=True), "1.0 press 3 late"),
        (e.Filled(Slot(Colour.RED, 3), exactly(0)), "0.0 fill red 3"),
        (e.StartMatch((6, 6, 0, 6), exactly(0)), "0.0 start 6,6,0,6 dealt"),
        (e.StartMatch((6, 6, 0, 6), exactly(0), dealt=False), "0.0 start 6,6,0,6"),
        (
            e.StartMatch((12, 12), exactly(0), "r1y0g0b0 11/12,12/12"),
            "0.0 start 12,12 from r1y0g0b0 11/12,12/12",
        ),
        (e.SetLeftover(2, 4, exactly(0)), "0.0 leftover 2 4"),
        (e.VoidRound(exactly(0)), "0.0 void"),
        (e.SignalsLost(3, 100_000_000, exactly(2_000_000_000)), "2.0 lost 3 100ms"),
        (e.DeviceChanged(DeviceCondition("leds", Condition.OK), False, exactly(0)), "0.0 device leds ok"),
        (
            e.DeviceChanged(DeviceCondition("left", Condition.LOST), True, exactly(0)),
            "0.0 device left lost needed",
        ),
        (
            e.DeviceChanged(DeviceCondition("sign", Condition.DEGRADED, "a b"), False, exactly(0)),
            "0.0 device sign degraded (a b)",
        ),
        (
            e.DeviceChanged(DeviceCondition("left", Condition.LOST, "a (b)"), True, exactly(0)),
            "0.0 device left lost needed (a (b))",
        ),
        (
            e.DeviceChanged(DeviceCondition("left", Condition.LOST, "a; [b]", "c (d)"), True, exactly(0)),
            "0.0 device left lost needed (a; [b]) -> (c (d))",
        ),
        (
            e.DeviceChanged(DeviceCondition("left", Condition.LOST, advice="c"), True, exactly(0)),
            "0.0 device left lost needed -> (c)",
        ),
        (e.Interrupted(AwayReason.POWER, Stamp(0, 1_300_000_000)), "0.0..1.3 interrupted power"),
        (e.Interrupted(AwayReason.SERVICE, exactly(0)), "0.0 interrupted service"),
        (e.Masked(Slot(Colour.RED, 3), MaskReason.CHATTERS, exactly(0)), "0.0 mask red 3 chatters"),
        (e.Masked(Button(1), MaskReason.STUCK, exactly(0)), "0.0 mask seat 1 stuck"),
        (e.Unmasked(Button(1), exactly(0)), "0.0 unmask seat 1"),
        (e.Unmasked(Slot(Colour.BLUE, 6), exactly(0)), "0.0 unmask blue 6"),
        (e.Pressed(3, exactly(0), call=True), "0.0 press call 3"),
        (e.Released(3, exactly(0), late=True, call=True), "0.0 release call 3 late"),
        (e.TagSeen(Pad(3), Card(3, Colour.RED, 7), exactly(0)), "0.0 show pad 3 card 3 red 7"),
        (e.Withdrawn(Pile(12), Stranger("04a1b2c3"), exactly(0)), "0.0 withdraw pile 12 unknown 04a1b2c3"),
        (e.TagSeen(ALL_SLOTS[0], DieFace(5, 2), exactly(0), late=True), "0.0 show red 1 die 5 face 2 late"),
        (
            e.DeviceChanged(DeviceCondition("pad-3", Condition.LOST, "no answer"), True, exactly(0), 3),
            "0.0 device pad-3 lost needed seat 3 (no answer)",
        ),
        (
            e.DeviceChanged(DeviceCondition("pad-3", Condition.OK), False, exactly(0), 3),
            "0.0 device pad-3 ok seat 3",
        ),
        (e.Masked(Call(2), MaskReason.STUCK, exactly(0)), "0.0 mask call 2 stuck"),
        (e.Unmasked(Call(2), exactly(0)), "0.0 unmask call 2"),
        (
            e.StartMatch((10, 10), exactly(0), "10,10 r1.2 - stop=1"),
            "0.0 start 10,10 from 10,10 r1.2 - stop=1",
        ),
    ],
)
def test_how_events_look(event: e.Event, text: str) -> None:
    assert format_event(event) == text
    assert parse_event(text) == event


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "'' is no event; it looks like '1.000050 press 3'"),
        ("1.0", "'1.0' is no event; it looks like"),
        ("soon press 3", "'soon' is not a time; write seconds"),
        ("2.0..1.0 press 3", "'2.0..1.0' ends before it begins"),
        (
            "1.0 hit 3",
            "'hit' is no event; known: device, empty, end, fill, interrupted, leftover, lost, mask, pause,",
        ),
        ("1.0 press", "the seat is missing"),
        ("1.0 press 0", "'0' is no seat; seats are numbered from 1"),
        ("1.0 press red", "'red' is no seat"),
        ("1.0 press 1 2", "'1 2' is no seat"),
        ("1.0 press late", "the seat is missing"),
        ("1.0 fill", "the slot is missing; it looks like 'red 3'"),
        ("1.0 fill red", "'red' is no slot; it looks like 'red 3'"),
        ("1.0 fill pink 3", "'pink 3' is no slot; it looks like 'red 3'"),
        ("1.0 empty red x", "'red x' is no slot; it looks like"),
        ("1.0 fill red 0", "'red 0' is no slot; a row has the places 1 to 6"),
        ("1.0 fill red 7", "'red 7' is no slot; a row has the places 1 to 6"),
        ("1.0 start", "the deal is missing; it looks like '6,6,6,6'"),
        ("1.0 start 6,6,", "'6,6,' is no deal; it looks like '6,6,6,6', 0 for an empty seat"),
        ("1.0 start 6,-6", "'6,-6' is no deal"),
        ("1.0 start 6,6 from", "'6,6 from' is no deal"),
        ("1.0 start x from r0y0g0b0 6/6", "'x' is no deal"),
        ("1.0 leftover 3", "'3' is not a leftover count; it looks like '3 2': seat, dice"),
        ("1.0 leftover 3 x", "'3 x' is not a leftover count"),
        ("1.0 leftover 0 2", "'0' is no seat"),
        ("1.0 pause now", "'now' is unexpected here"),
        ("1.0 void late", "'late' is unexpected here"),
        ("1.0 lost", "'' is not a loss of edges; it looks like '3 100ms': how many, within"),
        ("1.0 lost 3", "'3' is not a loss of edges"),
        ("1.0 lost -3 100ms", "'-3 100ms' is not a loss of edges"),
        ("1.0 lost 3 100ms now", "'3 100ms now' is not a loss of edges"),
        ("1.0 lost 3 soon", "'soon' is no duration"),
        ("1.0 device", "'' is no device; it looks like 'left lost needed' (ok, degraded, lost)"),
        ("1.0 device left", "'left' is no device"),
        ("1.0 device left gone", "'left gone' is no device"),
        (
            "1.0 device left lost badly",
            "'badly' is unexpected here; write '(what was seen) -> (what",
        ),
        ("1.0 device left lost needed (why", "'(why' is unexpected here"),
        ("1.0 device left lost why)", "'why)' is unexpected here"),
        ("1.0 device left lost (why) -> what", "'(why) -> what' is unexpected here"),
        ("1.0 interrupted", "'' is no interruption; allowed: power, service"),
        ("1.0 interrupted lightning", "'lightning' is no interruption; allowed: power, service"),
        ("1.0 interrupted power late", "'power late' is no interruption"),
        ("1.0 mask", "'' is no masking; it looks like 'red 3 chatters' or 'seat 1 stuck'"),
        ("1.0 mask red 3", "'red 3' is no masking"),
        ("1.0 mask chatters", "the slot is missing"),
        ("1.0 mask seat stuck", "the seat is missing"),
        ("1.0 mask red 7 stuck", "'red 7' is no slot"),
        ("1.0 unmask", "the slot is missing"),
        ("1.0 unmask seat 0", "'0' is no seat"),
        ("1.0 press call", "the seat is missing"),
        ("1.0 press call 0", "'0' is no seat"),
        ("1.0 press call 1 2", "'1 2' is no seat"),
        ("1.0 mask call stuck", "the seat is missing"),
        ("1.0 unmask call x", "'x' is no seat"),
        ("1.0 show", "the reader's place is missing"),
        ("1.0 show pad", "'pad' is no reader's place"),
        ("1.0 show pad 13 card 1 red 1", "'pad 13' does not exist"),
        ("1.0 show pad 1", "the tag is missing"),
        ("1.0 show pad 1 late", "the tag is missing"),
        ("1.0 withdraw red 1 card 1 pink 1", "'card 1 pink 1' is no tag"),
        ("1.0 device pad-1 lost seat", "the seat is missing"),
        ("1.0 device pad-1 lost seat x", "'x' is no seat"),
        ("1.0 device pad-1 lost seat 1 gone", "'gone' is unexpected here"),
    ],
)
def test_what_is_no_event_is_told_why(text: str, told: str) -> None:
    with pytest.raises(MalformedText) as error:
        parse_event(text)
    assert str(error.value).startswith(told)


def test_seats_are_numbered_from_one_however_zero_is_written() -> None:
    with pytest.raises(MalformedText, match="'00' is no seat"):
        parse_event("1.0 press 00")


def test_any_stamp_can_be_written_even_one_that_begins_before_time() -> None:
    """The uncertainty of a stamp may reach back beyond the moment at which virtual time begins."""
    stamp = Stamp(-50_000, 150_000)
    assert parse_stamp(format_stamp(stamp)) == stamp


@pytest.mark.parametrize("told", ["no\nanswer  to  17 pings", " no answer to 17\tpings\r\n"])
def test_words_of_a_driver_never_break_the_line(told: str) -> None:
    text = format_event(e.DeviceChanged(DeviceCondition("left", Condition.LOST, told), True, exactly(0)))
    assert text == "0.0 device left lost needed (no answer to 17 pings)"


def test_words_of_nothing_but_space_are_none() -> None:
    device = DeviceCondition("left", Condition.OK, " \n", "\t")
    assert format_event(e.DeviceChanged(device, False, exactly(0))) == "0.0 device left ok"
    assert parse_event("0.0 device left ok ( ) -> ( )") == parse_event("0.0 device left ok")


def test_the_commands_are_what_an_operator_or_a_device_may_say() -> None:
    operators = {"start", "pause", "resume", "void", "end", "leftover"}
    assert operators | {"lost", "device", "interrupted"} == COMMAND_WORDS


# -- what comes into a table

# What a driver saw may hold any word of ours; runs of spaces are one space already.
WORDS = ["edge", "on", "#17", "lost", "(x)", "no", "answer;", "é"]
input_words = st.lists(st.sampled_from(WORDS), max_size=4)
input_seen = input_words.map(" ".join)
input_names = st.sampled_from(["left", "scoreboard", "i2c-1", "edge", "store", "reader-2"])
input_devices = st.builds(DeviceCondition, input_names, st.sampled_from(Condition), input_seen, advice)
inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(
        e.SourceEdge,
        slots | seats.map(Button) | seats.map(Call),
        st.booleans(),
        stamps,
        st.integers(0, 2**32),
    ),
    reports,
    st.builds(e.DeviceChanged, input_devices, st.booleans(), stamps, st.integers(0, 12)),
)


@pytest.mark.parametrize(
    ("came", "text"),
    [
        (
            e.SourceEdge(Button(3), True, Stamp(12_000_100_000, 12_000_300_000), 17),
            "12.0001..12.0003 edge on seat 3 #17",
        ),
        (e.SourceEdge(Slot(Colour.RED, 1), False, exactly(0), 0), "0.0 edge off red 1 #0"),
        (e.SourceEdge(Call(2), True, exactly(0), 1), "0.0 edge on call 2 #1"),
        (
            e.DeviceChanged(DeviceCondition("left", Condition.LOST, "an edge is gone"), True, exactly(0)),
            "0.0 device left lost needed (an edge is gone)",
        ),
    ],
)
def test_how_inputs_look(came: Input, text: str) -> None:
    assert format_input(came) == text
    assert parse_input(text) == came


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1.0 edge", "'1.0 edge' is no edge; it looks like '1.0001 edge on seat 3 #17'"),
        ("1.0 edge up seat 3 #1", "'1.0 edge up seat 3 #1' is no edge"),
        ("1.0 edge on seat 3", "'1.0 edge on seat 3' is no edge"),
        ("1.0 edge on seat 3 #x", "'1.0 edge on seat 3 #x' is no edge"),
        ("1.0 edge on chair 3 #1", "'chair 3' is no slot"),
        ("soon edge on seat 3 #1", "'soon' is not a time"),
        ("1.0 press 3", "'1.0 press 3' is made by the table, it does not come into it"),
        ("1.0 mask red 3 chatters", "is made by the table"),
    ],
)
def test_what_is_wrong_is_told(text: str, told: str) -> None:
    with pytest.raises(MalformedText) as caught:
        parse_input(text)
    assert told in str(caught.value)
