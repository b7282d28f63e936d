"""What comes into a table as texts."""

import pytest
from hypothesis import strategies as st

from firmware_host.model import events as e
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import Input, format_input, parse_input
from firmware_host.model.places import Button, Call, Colour, Slot
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.model.times import Stamp, exactly
from tests.model.test_event_text import advice, reports, seats, slots, stamps

# What a driver saw may hold any word of ours; runs of spaces are one space already.
words = st.lists(st.sampled_from(["edge", "on", "#17", "lost", "(x)", "no", "answer;", "é"]), max_size=4)
seen = words.map(" ".join)
names = st.sampled_from(["left", "scoreboard", "i2c-1", "edge", "store", "reader-2"])
devices = st.builds(DeviceCondition, names, st.sampled_from(Condition), seen, advice)
inputs: st.SearchStrategy[Input] = st.one_of(
    st.builds(
        e.SourceEdge,
        slots | seats.map(Button) | seats.map(Call),
        st.booleans(),
        stamps,
        st.integers(0, 2**32),
    ),
    reports,
    st.builds(e.DeviceChanged, devices, st.booleans(), stamps, st.integers(0, 12)),
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
