"""Heads of sessions as texts, there and back."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import strategies as st

from firmware_host.games.games import GAMES, Table
from firmware_host.games.locks import LOCK_SCALES
from firmware_host.model.effects import MatchEnded
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import ALL_SLOTS, Button, Call
from firmware_host.model.settings import LANGUAGES, Settings
from firmware_host.store.head import Head, format_head, parse_head

seats = st.integers(1, 12)
counts = st.lists(st.integers(0, 24), max_size=12).map(tuple)
tables = st.builds(
    Table,
    game=st.sampled_from(list(GAMES.values())),
    seats=st.integers(2, 12),
    rounds=st.none() | st.integers(1, 50),
    deal=st.none() | counts,
    handicap=counts,
    closed=st.frozensets(seats),
    call_buttons=st.booleans(),
    pads=st.booleans(),
    identified=st.booleans(),
    owned_by_tag=st.booleans(),
)
times = {each.name: st.integers(0, 10**12) for each in fields(Settings) if each.name.endswith("_ns")}
words = {"language": st.sampled_from(LANGUAGES), "locks": st.sampled_from(sorted(LOCK_SCALES))}
settings = st.builds(Settings, **words, **times)
numbers = st.lists(st.integers(-99, 99), max_size=12).map(tuple)
heads = st.builds(
    Head,
    version=st.text(max_size=9),
    begun=st.text(max_size=20),
    event=st.text(max_size=20),
    table=tables,
    settings=settings,
    columns=st.integers(10, 40),
    seed=st.integers(0, 2**63 - 1),
    t_ns=st.integers(-(10**15), 10**18),
    active=st.lists(st.sampled_from(ALL_SLOTS) | seats.map(Button) | seats.map(Call)).map(tuple),
    last_match=st.none() | st.builds(MatchEnded, counts, numbers, counts),
)
SIMPLE = Head(
    version="0.1", begun="now", event="", table=Table(), settings=Settings(), columns=20, seed=1, t_ns=0
)


def test_every_part_of_a_table_is_written() -> None:
    record = json.loads(format_head(SIMPLE))
    assert set(record["table"]) == {each.name for each in fields(Table)}
    assert set(record["settings"]) == {each.name for each in fields(Settings)}


def without(part: str) -> str:
    record = json.loads(format_head(SIMPLE))
    del record[part]
    return json.dumps(record)


def with_values(**values: object) -> str:
    return json.dumps(json.loads(format_head(SIMPLE)) | values)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '"head"',
        "{}",
        *(without(part.name) for part in fields(Head)),
        with_values(table={"game": "chess", "closed": []}),
        with_values(table={"game": "dice", "closed": [], "legs": 4}),
        with_values(settings={"patience_ns": 1}),
        with_values(active=["chair 3"]),
        with_values(active=[3]),
        with_values(last_match="the best one"),
    ],
)
def test_what_is_no_head_is_refused(text: str) -> None:
    with pytest.raises(MalformedText, match="the head of a session can't be read"):
        parse_head(text)


def test_only_the_end_of_a_match_is_a_last_match() -> None:
    assert parse_head(with_values(last_match='{"is":"SeatTaken","seat":1}')).last_match is None
    ended = replace(SIMPLE, last_match=MatchEnded((1, 2), (3, -3), (1,)))
    assert parse_head(format_head(ended)) == ended
