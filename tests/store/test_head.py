"""Heads of sessions as texts, there and back; what can't have been at any table is refused."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import strategies as st

from firmware_host.games.games import CARD_GAME, GAMES, Table
from firmware_host.games.round import LOCK_SCALES
from firmware_host.model import effects as e
from firmware_host.model.effects import Effect, MatchEnded
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import DeviceChanged, Input, SourceEdge, TagSeen
from firmware_host.model.places import ALL_SLOTS, Button, Call, Card, Colour, Pad, Pile, Slot
from firmware_host.model.settings import LANGUAGES, Settings
from firmware_host.model.states import (
    AbandonReason,
    AwayReason,
    Condition,
    DeviceCondition,
    MaskReason,
    Phase,
    VoidReason,
)
from firmware_host.model.times import exactly
from firmware_host.store.head import Head, check_effect, check_head, check_input, format_head, parse_head

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


# -- what can have happened at a table

NOW = exactly(1)
RED_1 = Slot(Colour.RED, 1)
SCORED = e.RoundScored(1, (1, 2), 1, (0, 3), (4, -4), (4, -4))


@pytest.mark.parametrize(
    "effect",
    [
        e.Judged(e.Verdict.ACCEPTED, 12, NOW, 2, RED_1),
        e.TieBroken(RED_1, (1, 2), (0, 1), False, 1),
        e.PhaseEntered(Phase.PLAY, 1),
        e.RoundStarted(1, (6,) * 12, 1),
        SCORED,
        replace(SCORED, finisher=None),
        e.RoundVoided(1, VoidReason.STUCK, 1, (1, 2), (NOW, NOW)),
        e.RoundVoided(1, VoidReason.STUCK, 1, (1, 2)),  # as earlier versions wrote it
        e.RoundVoided(1, VoidReason.OPERATOR, 1),
        e.MatchEnded((1, 2), (4, -4), (1,)),
        e.MatchAbandoned(AbandonReason.PAUSED, 1),
        e.WasInterrupted(AwayReason.POWER, 1),
        e.SourceMasked(Button(1), MaskReason.STUCK, 1),
        e.SeatTaken(1),
    ],
    ids=lambda effect: type(effect).__name__,
)
def test_what_tables_decide_is_believed(effect: Effect) -> None:
    assert check_effect(effect) is effect


@pytest.mark.parametrize(
    ("effect", "why"),
    [
        (e.SeatTaken(92), "there is no seat 92; there are 12"),
        (e.Judged(e.Verdict.TOO_LATE, 1, NOW, 2, RED_1, 3, 0), "there is no seat 0"),
        (e.RoundVoided(1, VoidReason.STUCK, 1, (1, 13)), "there is no seat 13"),
        (
            e.RoundVoided(1, VoidReason.STUCK, 1, (1, 2), (NOW,)),
            "2 seats held their buttons, and 1 presses are stamped",
        ),
        (e.TieBroken(RED_1, (1, 2), (0,), False, 1), "2 seats tie, and 1 are counted"),
        (e.RoundStarted(1, (6,) * 13, 1), "13 hands are dealt, and there are 12 seats"),
        (replace(SCORED, scores=(4,)), r"the numbers of the seats are \(0, 3\) and \(4,\) and "),
        (replace(SCORED, seats=(1, 3)), "there is no seat 3; there are 2"),
        (e.MatchEnded((1,), (4,) * 13, (1,)), "the numbers of the seats are"),
        (e.MatchEnded((1,), (4,), (2,)), "there is no seat 2; there are 1"),
    ],
)
def test_what_no_table_decides_is_refused(effect: Effect, why: str) -> None:
    with pytest.raises(MalformedText, match=why):
        check_effect(effect)


CARDS = Table(game=CARD_GAME, seats=4)


@pytest.mark.parametrize(
    ("seen", "table"),
    [
        (SourceEdge(Button(4), True, NOW, 1), Table()),
        (SourceEdge(Call(4), True, NOW, 1), Table()),
        (SourceEdge(RED_1, True, NOW, 1), Table()),
        (TagSeen(Pad(4), Card(1, Colour.RED, 1), NOW), CARDS),
        (TagSeen(Pile(16), Card(1, Colour.RED, 1), NOW), CARDS),
        (DeviceChanged(DeviceCondition("left", Condition.LOST), True, NOW), Table()),
    ],
)
def test_what_comes_into_a_table_is_believed(seen: Input, table: Table) -> None:
    assert check_input(seen, table) is seen


@pytest.mark.parametrize(
    ("seen", "table", "why"),
    [
        (SourceEdge(Button(5), True, NOW, 1), Table(), "there is no seat 5; there are 4"),
        (SourceEdge(Call(5), True, NOW, 1), Table(), "there is no seat 5"),
        (TagSeen(Pad(5), Card(1, Colour.RED, 1), NOW), CARDS, "there is no seat 5"),
        (TagSeen(Pile(17), Card(1, Colour.RED, 1), NOW), CARDS, "there is no pile 17; there are 16"),
        (TagSeen(Pile(1), Card(1, Colour.RED, 1), NOW), Table(), "there is no pile 1; there are 0"),
    ],
)
def test_what_comes_from_where_nothing_is_is_refused(seen: Input, table: Table, why: str) -> None:
    with pytest.raises(MalformedText, match=why):
        check_input(seen, table)


def test_a_head_of_a_table_that_can_be_is_believed() -> None:
    for table in (Table(), Table(deal=(6, 6, 6, 6), rounds=2, closed=frozenset({3, 4})), CARDS):
        head = replace(SIMPLE, table=table)
        assert check_head(head) is head


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (replace(SIMPLE, table=Table(seats=444)), "dice can't be played at 444 seats"),
        (replace(SIMPLE, table=Table(closed=frozenset({9}))), "the seats 9 of 4 can't be closed"),
        (replace(SIMPLE, table=Table(closed=frozenset({1, 2, 3}))), "the seats 1, 2, 3 of 4 can't be closed"),
        (replace(SIMPLE, table=Table(rounds=0)), "a match can't have 0 rounds"),
        (replace(SIMPLE, table=Table(deal=(6, 6))), "6, 6 can't be dealt at 4 seats"),
        (replace(SIMPLE, table=Table(deal=(60, 6, 6, 6))), "60, 6, 6, 6 can't be dealt at 4 seats"),
        (replace(SIMPLE, columns=-1), "no scoreboard has -1 columns"),
        (replace(SIMPLE, columns=10**9), "no scoreboard has 1000000000 columns"),
        (replace(SIMPLE, settings=Settings(language="xx")), "language 'xx' is unknown"),
        (replace(SIMPLE, settings=Settings(lock_ns=-1)), "lock is -1 ns"),
        (replace(SIMPLE, settings=Settings(count_ns=0)), "count is 0 ns"),
    ],
)
def test_a_head_of_no_table_is_refused(head: Head, why: str) -> None:
    with pytest.raises(MalformedText, match=why):
        check_head(head)
