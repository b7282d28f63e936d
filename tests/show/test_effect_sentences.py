"""Every effect as a sentence for people who watch."""

from __future__ import annotations

from typing import get_args

import pytest

from firmware_host.model import effects as e
from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.places import Button, Card, Colour, Pad, Pile, Slot, Stranger
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
from firmware_host.model.times import MS, Stamp
from firmware_host.show.effect_sentences import effect_sentence

AT = Stamp(1, 2)
RED_1 = Slot(Colour.RED, 1)
CARD = Card(2, Colour.BLUE, 3)
SENTENCES: list[tuple[e.Effect, str]] = [
    (e.Judged(Verdict.ACCEPTED, 2, AT, 5, RED_1), "seat 2: accepted for red 1"),
    (e.Judged(Verdict.ACCEPTED, 2, AT, 5, RED_1, rival=1), "seat 2: accepted for red 1 from seat 1"),
    (
        e.Judged(Verdict.TOO_LATE, 2, AT, 5, RED_1, 3 * MS, 1, True),
        "seat 2: too late for red 1 by 3.0ms behind seat 1 (doubtful)",
    ),
    (
        e.Judged(Verdict.DEAD_HEAT_LOST, 2, AT, 5, RED_1, 3 * MS, 1),
        "seat 2: dead heat lost for red 1 within 3.0ms of seat 1",
    ),
    (e.Judged(Verdict.ILLEGAL, 2, AT, 5, cue=Cue.TWO_TAGS), "seat 2: illegal (two tags)"),
    (
        e.TieBroken(RED_1, (1, 2), (0, 0), True, 2),
        "dead heat of seat 1 and seat 2 for red 1: seat 2 gets it, by lot",
    ),
    (
        e.TieBroken(None, (1, 2), (0, 1), False, 1),
        "dead heat of seat 1 and seat 2 for the end: seat 1 gets it, having won the fewest ties before",
    ),
    (e.PhaseEntered(Phase.PLAY, 1), "-- PLAY"),
    (e.SeatTaken(3), "seat 3 sits down"),
    (e.RoundStarted(2, (6, 6), 1), "round 2 starts"),
    (e.RoundStarted(2, (6, 6), 1, again=True), "round 2 goes on"),
    (e.SlotChanged(RED_1, SlotState.FREE, 1), f"red 1 is {SlotState.FREE.word}"),
    (e.CardPlayed(CARD, Pile(4), 1), "blue 3 of seat 2 goes onto pile 4"),
    (e.CardArmed(CARD, Pile(4), 1), "seat 2 holds blue 3 to its pad: it goes onto pile 4"),
    (e.CardArmed(CARD, None, 1), "seat 2 holds blue 3 to its pad: no pile takes it"),
    (e.TagRefused(Pad(1), Stranger("04"), Cue.UNKNOWN, 1), "pad 1: unknown 04 is not enrolled"),
    (e.TagRefused(RED_1, None, Cue.UNREAD, 1), "red 1: what lies there can't be read"),
    (e.DieShown(1, 7, 3), "seat 1 shows die 7, its 3."),
    (e.LeftoverScanned(CARD, 2), "seat 2 has blue 3 left, 2 in all"),
    (e.RoundFinished(4, AT), "seat 4 has ended the round"),
    (e.RoundStuck(1), "all agree that nobody can play any more"),
    (e.RoundVoided(2, VoidReason.OPERATOR, 1), "round 2 is void: by the operator"),
    (e.Corrected(2, 3, 1, Corrector.OPERATOR), f"seat 2 holds 1, not 3 (said by {Corrector.OPERATOR})"),
    (
        e.RoundScored(1, (1, 3), 1, (0, 0, 2), (6, 0, -4), (8, 0, -2)),
        "round 1 scores 1:+6 3:-4; totals 1:+8 3:-2",
    ),
    (e.MatchEnded((1, 2), (5, 5), (1, 2)), "the match is won by seat 1 and seat 2: 1:+5 2:+5"),
    (e.MatchAbandoned(AbandonReason.OPERATOR, 1), "the match is given up: by the operator"),
    (e.Refused("Pause", "not now"), "refused: not now"),
    (
        e.LateSignal(Button(1), AT, 7 * MS),
        "seat 1: an edge arrived +7.0ms after it happened, too late to be judged",
    ),
    (
        e.LateSignal(Pad(1), AT, 7 * MS),
        "pad 1: a tag was reported +7.0ms after it was found, and counts from now on",
    ),
    (e.Noise(Button(1), AT), "seat 1: a disturbance, no change"),
    (e.SourceMasked(Button(1), MaskReason.CHATTERS, 1), "seat 1 chatters and is ignored"),
    (e.SourceUnmasked(Button(1), 1), "seat 1 is used again"),
    (e.EdgesLost(0, AT), "some edges may be lost: verdicts of that moment are doubtful"),
    (e.EdgesLost(1, AT), "1 edge was lost: verdicts of that moment are doubtful"),
    (e.EdgesLost(4, AT), "4 edges were lost: verdicts of that moment are doubtful"),
    (e.DeviceReported(DeviceCondition("left", Condition.OK), True, 1), "left is ok"),
    (
        e.DeviceReported(DeviceCondition("left", Condition.LOST, "no answer"), True, 1),
        "left is lost: no answer",
    ),
    (e.WasInterrupted(AwayReason.POWER, 1), "the table was off, and is back"),
]


@pytest.mark.parametrize(("effect", "sentence"), SENTENCES, ids=str)
def test_each_effect_is_one_plain_sentence(effect: e.Effect, sentence: str) -> None:
    assert effect_sentence(effect) == sentence


def test_all_kinds_are_here() -> None:
    assert {type(effect) for effect, _ in SENTENCES} == set(get_args(e.Effect))
