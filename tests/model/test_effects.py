"""Effects as texts: how they look, and what is wrong with others. What reads back: `test_grammars.py`."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model import effects as e
from firmware_host.model.effects import KINDS, MOST, as_written, format_effect, from_record, parse_effect
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import Button, Call, Card, Colour, DieFace, Pad, Pile, Slot, Stranger
from firmware_host.model.states import (
    AbandonReason,
    AwayReason,
    Condition,
    Corrector,
    DeviceCondition,
    MaskReason,
    Phase,
    SlotState,
    VoidReason,
)
from firmware_host.model.times import Stamp, exactly
from tests.model.test_events import moments, seats, slots, stamps
from tests.model.test_places import spots, tags

words = st.text(max_size=12)
counts = st.integers(-99, 999)
many = st.lists(counts, max_size=12).map(tuple)
cards = st.builds(Card, seats, st.sampled_from(Colour), st.integers(1, 10))
things = slots | cards
piles = st.integers(1, 48).map(Pile)
sources = slots | seats.map(Button) | seats.map(Call)
cues = st.sampled_from(e.Cue)
STATES = (AbandonReason, AwayReason, Condition, Corrector, MaskReason, Phase, SlotState, VoidReason)

FIELDS: dict[str, st.SearchStrategy[object]] = {
    "int": counts | moments,
    "int | None": st.none() | counts,
    "str": words,
    "bool": st.booleans(),
    "tuple[int, ...]": many,
    "Verdict": st.sampled_from(e.Verdict),
    "Cue": cues,
    "Cue | None": st.none() | cues,
    "Stamp": stamps,
    "Stamp | None": st.none() | stamps,
    "tuple[Stamp, ...]": st.lists(stamps, max_size=4).map(tuple),
    "Slot": slots,
    "Slot | Card | None": st.none() | things,
    "Card": cards,
    "Pile": piles,
    "Pile | None": st.none() | piles,
    "Spot": spots,
    "Tag | None": st.none() | tags,
    "Source": sources,
    "Source | Spot": sources | spots,
    "DeviceCondition": st.builds(DeviceCondition, words, st.sampled_from(Condition), words, words),
    **{kind.__name__: st.sampled_from(kind) for kind in STATES},
}
"""What each kind of field may hold: a new kind of effect is tested without anybody thinking of it."""


def _any_of(kind: type[e.Effect]) -> st.SearchStrategy[e.Effect]:
    return st.builds(kind, **{each.name: FIELDS[str(each.type)] for each in fields(kind)})


effects: st.SearchStrategy[e.Effect] = st.sampled_from(get_args(e.Effect)).flatmap(_any_of)


@given(effects)
def test_it_is_plain_ascii_and_begins_with_its_kind(effect: e.Effect) -> None:
    text = format_effect(effect)
    assert text.isascii() and text.startswith(f'{{"is":"{type(effect).__name__}"')


def test_every_kind_of_effect_is_known() -> None:
    assert set(KINDS.values()) == set(get_args(e.Effect))


@pytest.mark.parametrize(
    ("effect", "text"),
    [
        (
            e.Judged(e.Verdict.ACCEPTED, 2, Stamp(1, 3), 9, Slot(Colour.RED, 4)),
            '{"is":"Judged","verdict":"accepted","seat":2,"stamp":[1,3],"decided_ns":9,"what":"red 4"}',
        ),
        (
            e.TieBroken(Card(2, Colour.BLUE, 7), (1, 2), (0, 1), False, 1),
            '{"is":"TieBroken","what":"card 2 blue 7","seats":[1,2],"won_before":[0,1],'
            '"drawn":false,"winner":1}',
        ),
        (
            e.TieBroken(None, (1, 2), (0, 0), True, 2),
            '{"is":"TieBroken","what":null,"seats":[1,2],"won_before":[0,0],"drawn":true,"winner":2}',
        ),
        (
            e.TagRefused(Pile(3), DieFace(5, 2), e.Cue.WRONG_KIND, 4),
            '{"is":"TagRefused","at":"pile 3","tag":"die 5 face 2","cue":"wrong-kind","t_ns":4}',
        ),
        (
            e.LateSignal(Pad(3), exactly(5), 6),
            '{"is":"LateSignal","source":"pad 3","stamp":[5,5],"behind_ns":6}',
        ),
        (
            e.CardPlayed(Card(1, Colour.RED, 1), Pile(2), 3),
            '{"is":"CardPlayed","card":"card 1 red 1","pile":"pile 2","t_ns":3}',
        ),
        (
            e.TagRefused(Pad(1), Stranger("04a1"), e.Cue.UNKNOWN, 0),
            '{"is":"TagRefused","at":"pad 1","tag":"unknown 04a1","cue":"unknown-tag","t_ns":0}',
        ),
        (e.WasInterrupted(AwayReason.POWER, 3), '{"is":"WasInterrupted","reason":"power","t_ns":3}'),
        (
            e.DeviceReported(DeviceCondition("left", Condition.LOST, "no answer", "check it"), True, 3),
            '{"is":"DeviceReported","device":"left","condition":"lost",'
            '"seen":"no answer","advice":"check it","needed":true,"t_ns":3}',
        ),
        (
            e.DeviceReported(DeviceCondition("leds", Condition.OK), False, 3),
            '{"is":"DeviceReported","device":"leds","condition":"ok","needed":false,"t_ns":3}',
        ),
        (e.PhaseEntered(Phase.PLAY, 3), '{"is":"PhaseEntered","phase":"PLAY","t_ns":3}'),
        (
            e.SlotChanged(Slot(Colour.RED, 1), SlotState.OPEN, 3),
            '{"is":"SlotChanged","slot":"red 1","state":"open","t_ns":3}',
        ),
    ],
)
def test_how_effects_look(effect: e.Effect, text: str) -> None:
    assert format_effect(effect) == text
    assert parse_effect(text) == effect


LOST = e.Judged(e.Verdict.TOO_LATE, 2, exactly(5), 9, None, 1, 1, rival_stamp=exactly(4))
VOIDED = e.RoundVoided(1, VoidReason.STUCK, 9, (1, 2), (exactly(4), exactly(5)))


@pytest.mark.parametrize(
    ("effect", "earlier"),
    [
        (
            LOST,
            '{"is":"Judged","verdict":"too-late","seat":2,"stamp":[5,5],"decided_ns":9,"margin_ns":1,"rival":1}',
        ),
        (VOIDED, '{"is":"RoundVoided","number":1,"reason":"stuck","t_ns":9,"seats":[1,2]}'),
    ],
)
def test_what_an_earlier_version_wrote_is_read_and_is_the_same_decision(
    effect: e.Effect, earlier: str
) -> None:
    written = parse_effect(earlier)
    assert written != effect and as_written(effect, written) == written
    assert as_written(effect, effect) is effect


@pytest.mark.parametrize("words", ["", "no answer; check it"])
def test_what_older_versions_wrote_of_a_device_is_all_seen(words: str) -> None:
    record = {"is": "DeviceReported", "device": "left", "condition": "lost", "needed": True, "words": words}
    told = DeviceCondition("left", Condition.LOST, words)
    assert parse_effect(json.dumps(record | {"t_ns": 3})) == e.DeviceReported(told, True, 3)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["pad 3", "red 1", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["is", "seat"]), inner),
    max_leaves=4,
)
broken = st.builds(
    lambda kind, values: json.dumps({"is": kind} | values),
    st.sampled_from(sorted(KINDS)) | st.text(max_size=4),
    st.dictionaries(
        st.sampled_from(sorted({each.name for kind in KINDS.values() for each in fields(kind)})), json_values
    ),
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "'' is no effect"),
        ("{}", "'{}' is no effect: 'is'"),
        ('{"is":"Judge"}', "is no effect: 'Judge'"),
        ('{"is":"SeatTaken"}', "seat is missing"),
        ('{"is":"SeatTaken","seat":"2"}', "seat can't be '2'"),
        ('{"is":"SeatTaken","seat":true}', "seat can't be True"),
        ('{"is":"SeatTaken","seat":9223372036854775808}', "seat can't be 9223372036854775808"),
        ('{"is":"SeatTaken","seat":1,"legs":4}', "'legs' is unknown"),
        ('{"is":"RoundFinished","seat":1,"stamp":[2,1]}', "is not a time from one moment to a later one"),
        ('{"is":"RoundFinished","seat":1,"stamp":[1,2.5]}', "is not a time from one moment to a later one"),
        ('{"is":"MatchEnded","seats":[1],"totals":[null],"winners":[1]}', "totals can't be (None,)"),
        ('{"is":"CardPlayed","card":"die 1 face 2","pile":"pile 2","t_ns":3}', "card can't be DieFace"),
        ('{"is":"SlotChanged","slot":"pink 1","state":"open","t_ns":0}', "pink 1"),
        (
            '{"is":"TieBroken","what":"pad 3","seats":[],"won_before":[],"drawn":true,"winner":1}',
            "what can't be Pad(seat=3, kind='pad')",
        ),
        (
            '{"is":"PhaseEntered","phase":"REST","t_ns":1}',
            "'REST' is not one of ATTRACT, JOIN, COUNTDOWN, PLAY, ",
        ),
        ('{"is":"PhaseEntered","phase":null,"t_ns":1}', "phase can't be None"),
        ('{"is":"SlotChanged","slot":"red 1","state":2,"t_ns":0}', "2 is not one of free, open, counted, "),
        ('{"is":"RoundVoided","number":1,"reason":"boring","t_ns":1}', "'boring' is not one of stuck, "),
        ('{"is":"MatchAbandoned","reason":"boring","t_ns":1}', "'boring' is not one of paused, unready, "),
        ('{"is":"DeviceReported","needed":true,"t_ns":1}', "condition is missing"),
        (
            '{"is":"DeviceReported","device":"left","condition":"odd","needed":true,"t_ns":1}',
            "'odd' is not one of ok, degraded, lost",
        ),
        ('{"is":"WasInterrupted","reason":["power"],"t_ns":1}', "is no effect"),
    ],
)
def test_what_is_wrong_is_told(text: str, told: str) -> None:
    with pytest.raises(MalformedText) as caught:
        parse_effect(text)
    assert told in str(caught.value)


# -- values that come from a file become dataclasses


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class Note:
    """A field of each type that a record has."""

    n: int
    side: Side
    text: str = ""
    seat: int | None = None
    scores: tuple[int, ...] = ()
    marks: frozenset[str] = frozenset()
    sure: bool = False


FULL: dict[str, Any] = {
    "n": -MOST,
    "side": Side.LEFT,
    "text": "hello",
    "seat": 3,
    "scores": (1, -2),
    "marks": frozenset(("x", "y")),
    "sure": True,
}


def test_all_fields_are_taken_over() -> None:
    assert from_record(Note, FULL) == Note(**FULL)


def test_what_has_a_default_may_be_missing() -> None:
    assert from_record(Note, {"n": 1, "side": Side.RIGHT}) == Note(1, Side.RIGHT)
    assert from_record(Note, {**FULL, "seat": None}).seat is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", True),
        ("n", 1.0),
        ("n", MOST + 1),
        ("n", -MOST - 1),
        ("n", None),
        ("side", "left"),
        ("text", 7),
        ("seat", "3"),
        ("seat", False),
        ("scores", [1, 2]),
        ("scores", (1, "2")),
        ("marks", ("x",)),
        ("marks", frozenset((1,))),
        ("sure", 1),
    ],
)
def test_a_value_of_another_type_is_named(name: str, value: object) -> None:
    with pytest.raises(MalformedText, match=f"^{name} can't be "):
        from_record(Note, {**FULL, name: value})


def test_an_unknown_field_and_a_missing_one_are_named() -> None:
    with pytest.raises(MalformedText, match="'colour' is unknown"):
        from_record(Note, {**FULL, "colour": "red"})
    with pytest.raises(MalformedText, match="side is missing"):
        from_record(Note, {"n": 1})
