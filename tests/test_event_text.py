"""Events as texts, there and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host import events as e
from firmware_host.engine.dice import opening
from firmware_host.errors import MalformedText
from firmware_host.event_text import (
    COMMAND_WORDS,
    format_event,
    format_stamp,
    parse_event,
    parse_stamp,
)
from firmware_host.places import ALL_SLOTS, Colour, Slot
from firmware_host.stamps import Stamp, exactly

moments = st.integers(0, 10**15)
stamps = st.builds(lambda t_ns, width_ns: Stamp(t_ns, t_ns + width_ns), moments, st.integers(0, 10**9))
seats = st.integers(1, 12)
slots = st.sampled_from(ALL_SLOTS)
deals = st.lists(st.integers(0, 24), min_size=1, max_size=12).map(tuple)
positions = st.sampled_from(["", str(opening((6, 6, 6, 6))), "r3y0g6b2 4/6,0/6,-,6/6 won=2"])
events: st.SearchStrategy[e.Event] = st.one_of(
    st.builds(e.Pressed, seats, stamps, st.booleans()),
    st.builds(e.Released, seats, stamps, st.booleans()),
    st.builds(e.Filled, slots, stamps, st.booleans()),
    st.builds(e.Emptied, slots, stamps, st.booleans()),
    st.builds(e.StartMatch, deals, stamps, positions),
    st.builds(e.Pause, stamps),
    st.builds(e.Resume, stamps),
    st.builds(e.VoidRound, stamps),
    st.builds(e.EndMatch, stamps),
    st.builds(e.SetLeftover, seats, st.integers(0, 24), stamps),
)


@given(events)
def test_a_written_event_reads_back(event: e.Event) -> None:
    assert parse_event(format_event(event)) == event


@given(stamps)
def test_a_written_stamp_reads_back(stamp: Stamp) -> None:
    assert parse_stamp(format_stamp(stamp)) == stamp


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (e.Pressed(3, Stamp(12_000_100_000, 12_000_300_000)), "12.0001..12.0003 press 3"),
        (e.Pressed(3, exactly(1_000_000_000), late=True), "1.0 press 3 late"),
        (e.Filled(Slot(Colour.RED, 3), exactly(0)), "0.0 fill red 3"),
        (e.StartMatch((6, 6, 0, 6), exactly(0)), "0.0 start 6,6,0,6"),
        (
            e.StartMatch((12, 12), exactly(0), "r1y0g0b0 11/12,12/12"),
            "0.0 start 12,12 from r1y0g0b0 11/12,12/12",
        ),
        (e.SetLeftover(2, 4, exactly(0)), "0.0 leftover 2 4"),
        (e.VoidRound(exactly(0)), "0.0 void"),
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
        ("soon press 3", "'soon' is no time; write seconds"),
        ("2.0..1.0 press 3", "'2.0..1.0' ends before it begins"),
        ("1.0 hit 3", "'hit' is no event; known: empty, end, fill, leftover, pause, press, release"),
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
        ("1.0 leftover 3", "'3' is no leftover count; it looks like '3 2': seat, dice"),
        ("1.0 leftover 3 x", "'3 x' is no leftover count"),
        ("1.0 leftover 0 2", "'0' is no seat"),
        ("1.0 pause now", "'now' is too much here"),
        ("1.0 void late", "'late' is too much here"),
    ],
)
def test_what_is_no_event_is_told_why(text: str, told: str) -> None:
    with pytest.raises(MalformedText) as error:
        parse_event(text)
    assert str(error.value).startswith(told)


def test_seats_are_numbered_from_one_however_zero_is_written() -> None:
    with pytest.raises(MalformedText, match="'00' is no seat"):
        parse_event("1.0 press 00")


def test_a_stamp_that_has_no_end_is_malformed() -> None:
    with pytest.raises(MalformedText):
        parse_stamp("1.0..")


def test_any_stamp_can_be_written_even_one_that_begins_before_time() -> None:
    """The uncertainty of a stamp may reach back beyond the moment at which virtual time begins."""
    stamp = Stamp(-50_000, 150_000)
    assert parse_stamp(format_stamp(stamp)) == stamp


words = st.sampled_from(
    ["1.0", "1.0..2.5", "press", "fill", "start", "pause", "leftover", "red", "3", "6,6", "from", "late", ","]
)


@given(st.lists(words | st.text(max_size=3)).map(" ".join))
def test_any_text_is_an_event_or_malformed_and_nothing_worse(text: str) -> None:
    try:
        event = parse_event(text)
    except MalformedText:
        return
    assert parse_event(format_event(event)) == event


def test_the_commands_are_what_an_operator_may_say() -> None:
    assert frozenset({"start", "pause", "resume", "void", "end", "leftover"}) == COMMAND_WORDS
