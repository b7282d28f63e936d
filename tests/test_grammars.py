"""What holds for all grammars: any text is read or refused by name, and what is written reads back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.cards import cards
from firmware_host.games.dice import dice
from firmware_host.lab.bots.belongings import parse_area
from firmware_host.lab.faults import CHIP_FAULTS, PlannedFault, parse_planned
from firmware_host.lab.scenarios.expectations import SUBJECTS, parse_expectation
from firmware_host.lab.scenarios.reading import parse_scenario
from firmware_host.model.effects import format_effect, parse_effect
from firmware_host.model.errors import BadSettings, MalformedText
from firmware_host.model.events import (
    format_event,
    format_input,
    format_stamp,
    parse_event,
    parse_input,
    parse_stamp,
)
from firmware_host.model.places import format_spot, format_tag, parse_spot, parse_tag
from firmware_host.model.times import format_duration, format_seconds, parse_duration, parse_seconds
from firmware_host.profile.tags import format_registry, parse_registry
from firmware_host.run.table_files import load_profile
from firmware_host.store.head import format_head, parse_head
from firmware_host.workshop.enrolling.worklist import needed, select
from tests.games import test_cards, test_dice
from tests.lab.bots.test_area import areas
from tests.model.test_effects import broken, effects, json_values
from tests.model.test_events import events, inputs, stamps
from tests.model.test_places import spots, tags
from tests.mutations import mutated
from tests.profile.test_tags import registries
from tests.store.test_head import heads

DICE, CARDS = load_profile("dice4"), load_profile("cards4")
WORDS = """
    é ٣ - + . .. , : # @ ( ) (why) " { [ null 0 00 1 -1 3 7 13 99 1e999 1.0 1.0..2.5 100ms ms 6,6 #17 #x
    seat red pad card call press fill start from late pause leftover show withdraw edge on off lost device
    needed ok interrupted power mask unmask stuck won=2 stop=1 expect deal
"""
PIECES = ["", " ", "  ", "\n", "\0", "9" * 30, *WORDS.split()]
ANY_TEXT = st.text() | st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map(" ".join)


@dataclass(frozen=True, kw_only=True)
class Grammar:
    """One kind of text. `values` can be written; without `format` they are texts already."""

    parse: Callable[[str], Any]
    format: Callable[[Any], str] | None = None
    values: st.SearchStrategy[Any]
    others: st.SearchStrategy[str] = ANY_TEXT
    hard: tuple[str, ...] = ()
    refusal: type[Exception] = MalformedText
    one_line: bool = True

    @property
    def near_misses(self) -> st.SearchStrategy[str]:
        texts = self.values if self.format is None else self.values.map(self.format)
        return texts.flatmap(lambda text: mutated(text, PIECES))

    def check(self, text: str) -> None:
        """Fail unless the text is refused, or what it means reads back as it was written."""
        try:
            value = self.parse(text)
        except self.refusal:
            return
        if self.format is not None:
            assert typed(self.parse(self.format(value))) == typed(value)


def typed(value: object) -> object:
    """The value with the types in it: a pad and a pile of one number are equal but for that."""
    if is_dataclass(value):
        return type(value), [typed(getattr(value, each.name)) for each in fields(value)]
    if isinstance(value, tuple):
        return type(value), [typed(each) for each in value]
    return type(value), value


ITEMS = needed([load_profile("dice4-rfid"), CARDS])
PARTS = ("cards", "seat 3", "seat 3 green", "card 3 red 7", "die 5 face 2")
EXPECTED = [f"{name} {each}" for name, kind in SUBJECTS.items() for each in (kind.example, kind.with_cards)]
SCENARIOS = sorted((Path(__file__).parent / "scenarios").glob("*/*.txt"))

GRAMMARS = {
    "duration": Grammar(parse=parse_duration, format=format_duration, values=st.integers(0, 2**63)),
    "moment": Grammar(parse=parse_seconds, format=format_seconds, values=st.integers(-(2**63), 2**63)),
    "stamp": Grammar(parse=parse_stamp, format=format_stamp, values=stamps, hard=("1.0..",)),
    "event": Grammar(parse=parse_event, format=format_event, values=events),
    "input": Grammar(
        parse=parse_input,
        format=format_input,
        values=inputs,
        hard=("1.0 edge on seat 3 #" + "9" * 5000, "1.0 edge on seat 3 #٣", "edge"),
    ),
    "effect": Grammar(
        parse=parse_effect,
        format=format_effect,
        values=effects,
        others=ANY_TEXT | broken | json_values.map(json.dumps),
        hard=(
            "[" * 100_000,
            '{"is":"TieBroken","what":"pad 3","seats":[],"won_before":[],"drawn":true,"winner":1}',
            '{"is":"LateSignal","source":"","stamp":[0,0],"behind_ns":1}',
        ),
    ),
    "tag": Grammar(parse=lambda text: parse_tag(text.split()), format=format_tag, values=tags),
    "spot": Grammar(parse=lambda text: parse_spot(text.split()), format=format_spot, values=spots),
    "position of dice": Grammar(
        parse=dice.parse_position,
        format=str,
        values=test_dice.positions(),
        others=st.from_regex(r"r\dy\dg\db\d (\d/\d|-)(,(\d/\d|-)){1,3}( won=\d)?", fullmatch=True),
    ),
    "position of cards": Grammar(parse=cards.parse_position, format=str, values=test_cards.positions()),
    "area of cards": Grammar(parse=parse_area, format=str, values=areas()),
    "head": Grammar(parse=parse_head, format=format_head, values=heads),
    "registry": Grammar(
        parse=lambda text: parse_registry(text, "tags.csv"),
        format=format_registry,
        values=registries,
        refusal=BadSettings,
        one_line=False,
    ),
    "fault": Grammar(
        parse=parse_planned,
        format=str,
        values=st.builds(
            PlannedFault,
            st.sampled_from(sorted(CHIP_FAULTS)),
            st.sampled_from(["left", "seat 2", "red 3"]),
            st.integers(0, 10**12),
            st.integers(0, 10**12),
        ),
    ),
    "part to enrol": Grammar(
        parse=lambda text: select([text], ITEMS, "is not needed here"),
        values=st.sampled_from(PARTS),
        refusal=BadSettings,
    ),
    "scenario": Grammar(
        parse=lambda text: parse_scenario(text, "any.txt"),
        values=st.sampled_from(SCENARIOS).map(lambda path: path.read_text("utf-8-sig")),
        refusal=BadSettings,
    ),
    "expectation of dice": Grammar(
        parse=lambda text: parse_expectation(text.split(), DICE), values=st.sampled_from(EXPECTED)
    ),
    "expectation of cards": Grammar(
        parse=lambda text: parse_expectation(text.split(), CARDS), values=st.sampled_from(EXPECTED)
    ),
}
WRITTEN = [name for name, grammar in GRAMMARS.items() if grammar.format is not None]
HARD = [(name, text) for name, grammar in GRAMMARS.items() for text in grammar.hard]


@pytest.mark.parametrize("name", WRITTEN)
@given(data=st.data())
def test_what_is_written_reads_back(name: str, data: st.DataObject) -> None:
    grammar = GRAMMARS[name]
    assert grammar.format is not None
    value = data.draw(grammar.values)
    text = grammar.format(value)
    assert not grammar.one_line or "\n" not in text
    assert typed(grammar.parse(text)) == typed(value)


@pytest.mark.parametrize("name", GRAMMARS)
@given(data=st.data())
def test_any_text_is_read_or_refused(name: str, data: st.DataObject) -> None:
    grammar = GRAMMARS[name]
    grammar.check(data.draw(grammar.near_misses | grammar.others))


@pytest.mark.parametrize(("name", "text"), HARD)
def test_texts_that_were_hard_once_are_read_or_refused(name: str, text: str) -> None:
    GRAMMARS[name].check(text)
