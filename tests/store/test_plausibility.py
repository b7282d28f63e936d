"""What can't have happened at any table is refused, however well it is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games.games import CARD_GAME, Table
from firmware_host.model import effects as e
from firmware_host.model.effects import Effect
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import DeviceChanged, Input, SourceEdge, TagSeen
from firmware_host.model.places import Button, Call, Card, Colour, Pad, Pile, Slot
from firmware_host.model.settings import Settings
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
from firmware_host.store.head import Head, check_effect, check_head, check_input

NOW = exactly(1)
RED_1 = Slot(Colour.RED, 1)
SCORED = e.RoundScored(1, (1, 2), 1, (0, 3), (4, -4), (4, -4))
HEAD = Head(version="1", begun="", event="", table=Table(), settings=Settings(), columns=20, seed=1, t_ns=0)


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
        head = replace(HEAD, table=table)
        assert check_head(head) is head


@pytest.mark.parametrize(
    ("head", "why"),
    [
        (replace(HEAD, table=Table(seats=444)), "dice can't be played at 444 seats"),
        (replace(HEAD, table=Table(closed=frozenset({9}))), "the seats 9 of 4 can't be closed"),
        (replace(HEAD, table=Table(closed=frozenset({1, 2, 3}))), "the seats 1, 2, 3 of 4 can't be closed"),
        (replace(HEAD, table=Table(rounds=0)), "a match can't have 0 rounds"),
        (replace(HEAD, table=Table(deal=(6, 6))), "6, 6 can't be dealt at 4 seats"),
        (replace(HEAD, table=Table(deal=(60, 6, 6, 6))), "60, 6, 6, 6 can't be dealt at 4 seats"),
        (replace(HEAD, columns=-1), "no scoreboard has -1 columns"),
        (replace(HEAD, columns=10**9), "no scoreboard has 1000000000 columns"),
        (replace(HEAD, settings=Settings(language="xx")), "language 'xx' is unknown"),
        (replace(HEAD, settings=Settings(lock_ns=-1)), "lock is -1 ns"),
        (replace(HEAD, settings=Settings(count_ns=0)), "count is 0 ns"),
    ],
)
def test_a_head_of_no_table_is_refused(head: Head, why: str) -> None:
    with pytest.raises(MalformedText, match=why):
        check_head(head)
