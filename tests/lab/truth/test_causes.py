"""The cause of wrong points, for rounds that are written by hand."""

from __future__ import annotations

import pytest

from firmware_host.lab.cli.simulate import explained
from firmware_host.lab.truth.oracles import SheetReading, dice_points, dice_readings
from firmware_host.lab.truth.witness import FOR_OTHER, RoundStory, TimedEffect, card_cause, dice_cause
from firmware_host.model.effects import Effect, Judged, RoundFinished, RoundScored, SlotChanged, Verdict
from firmware_host.model.states import SlotState
from firmware_host.model.times import MS, Stamp
from tests.lab.truth.logs import HandLog, slot_of


def stamp(t_ms: int) -> Stamp:
    return Stamp(t_ms * MS, t_ms * MS)


def judged(t_ms: int, seat: int, place: str = "", verdict: Verdict = Verdict.ACCEPTED) -> TimedEffect:
    what = slot_of(place) if place else None
    return TimedEffect((t_ms + 50) * MS, Judged(verdict, seat, stamp(t_ms), (t_ms + 50) * MS, what))


def story(log: HandLog, finisher: int, left: tuple[int, ...], *effects: TimedEffect) -> RoundStory:
    """A round that the table has scored like this."""
    points = dice_points(dict(enumerate(left, start=1)), finisher)
    seats = tuple(points)
    scores = tuple(points.values())
    scored = RoundScored(1, seats, finisher, left, scores, scores)
    ended: Effect = RoundFinished(finisher, stamp(3000))
    told = [*effects, TimedEffect(3000 * MS, ended), TimedEffect(9000 * MS, scored)]
    return RoundStory(7, scored, log.moves, told, dice_readings(log.moves, signed=True))


def test_points_that_fit_a_reading_have_no_cause_to_be_found() -> None:
    log = HandLog(1, 2).sign(1000, 1, "red 1")
    fair = story(log, 1, (0, 2), judged(1090, 1, "red 1"))
    assert fair.fits and fair.finisher_fits and fair.fair_points == {1: 2, 2: -2}


@pytest.mark.parametrize(
    ("rival", "press"),
    [
        ([], "a rival's slap without a die"),
        ([(1070, "blue 1")], "a rival's early slap"),
        ([(900, "blue 1")], "a rival's slap for another own die; its own slap was too-late"),
    ],
)
def test_a_finisher_is_robbed(rival: list[tuple[int, str]], press: str) -> None:
    log = HandLog(1, 3).put(1000, 1, "red 1").press(1040, 2).press(1100, 1)
    for t_ms, place in rival:
        log.put(t_ms, 2, place)
    log.sign(2500, 2, "green 1").sign(2550, 2, "green 2")
    robbed = story(log, 2, (1, 0), judged(1040, 2, "red 1"), judged(1100, 1, "red 1", Verdict.TOO_LATE))
    assert dice_cause(robbed) == f"wrong finisher: die robbed by {press}"
    robbed.cause = dice_cause(robbed)
    text = explained(robbed)
    assert text.startswith(f"simulate --record FILE --seed 7, round 1: {robbed.cause}\n")
    assert "red 1: of seat 1 by the sheets, of seat 2 by the table" in text
    assert "hand   seat 1 puts a die on red 1" in text and "  == the end by the sheets" in text
    assert "hand   seat 2 presses" in text


def test_a_second_slap_robs() -> None:
    log = HandLog(1, 3).sign(700, 2, "blue 1").put(1000, 1, "red 1").press(1040, 2).press(1100, 1)
    robbed = story(log, 2, (1, 0), judged(790, 2, "blue 1"), judged(1040, 2, "red 1"))
    assert dice_cause(robbed) == "wrong finisher: die robbed by a rival's second slap"


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        (Verdict.NOT_RUNNING, "its own slap came after the stop"),
        (Verdict.LOCKED, "its own slap was locked"),
        (Verdict.FALSE_CLAIM, "its own slap was false-claim"),
    ],
)
def test_a_die_that_nobody_signed_for_in_time(verdict: Verdict, words: str) -> None:
    log = HandLog(1, 3).put(950, 2, "blue 1").sign(1000, 1, "red 1").press(1150, 2)
    late = story(log, 1, (0, 3), judged(1090, 1, "red 1"), judged(1150, 2, "", verdict))
    assert dice_cause(late) == f"wrong count: die not signed for: {words}"


def test_a_die_without_any_slap_and_one_that_was_slapped_for_early() -> None:
    log = HandLog(1, 3).reach(500, 2, "blue 1").put(950, 2, "blue 1").sign(1000, 1, "red 1")
    counted = judged(1090, 1, "red 1")
    assert dice_cause(story(log, 1, (0, 3), counted)).endswith("not signed for: never slapped for")
    log.press(800, 2)
    early = story(log, 1, (0, 3), counted)
    assert dice_cause(early) == "wrong count: die not signed for: slapped before the die was down"


def test_a_legal_die_that_was_taken_for_a_wrong_one() -> None:
    log = HandLog(1, 3).put(500, 2, "blue 1").sign(1000, 1, "red 1")
    illegal = TimedEffect(550 * MS, SlotChanged(slot_of("blue 1"), SlotState.ILLEGAL, 550 * MS))
    refused = story(log, 1, (0, 3), illegal, judged(1090, 1, "red 1"))
    assert dice_cause(refused) == "wrong count: legal die taken for a wrong one"


def test_a_die_that_was_put_down_after_the_end() -> None:
    log = HandLog(1, 3).sign(1000, 1, "red 1").sign(1500, 2, "blue 1")
    late = story(log, 1, (0, 2), judged(1590, 2, "blue 1"), judged(1900, 1, "red 1"))
    cause = dice_cause(late)
    assert cause == "placed after the end: die not signed for: its own slap was not seen"


def test_a_wrong_die_counted() -> None:
    log = HandLog(1, 3).put(500, 2, "blue 1", "green 4").press(600, 2).sign(1000, 1, "red 1")
    wrong = story(log, 1, (0, 2), judged(600, 2, "blue 1"), judged(1090, 1, "red 1"))
    assert dice_cause(wrong) == "wrong count: wrong die counted"


def test_a_die_of_another_seat_that_is_taken_at_the_check() -> None:
    log = HandLog(1, 3).put(950, 2, "blue 1").sign(1000, 1, "red 1").take(5000, 2, "red 1")
    taken = story(log, 1, (0, 3), judged(1090, 1, "blue 1"))
    kind = "wrong count, another's die taken at the check"
    assert dice_cause(taken) == f"{kind}: die robbed by {FOR_OTHER}; never slapped for"


def test_a_count_that_nobody_can_explain_was_entered() -> None:
    log = HandLog(1, 3).sign(1000, 1, "red 1")
    entered = story(log, 1, (0, 2), judged(1090, 1, "red 1"))
    assert dice_cause(entered) == "wrong count: other count at the check than in the hand"


def test_a_round_that_ended_although_nobody_had_finished() -> None:
    log = HandLog(2, 2).sign(500, 2, "blue 1").sign(1000, 1, "red 1").press(1200, 1)
    ended = story(log, 1, (0, 2), judged(1090, 1, "red 1"), judged(1200, 1, "blue 1"))
    assert dice_cause(ended).startswith("ended although nobody had finished: die robbed by")
    assert not ended.fits and ended.fair_points == ended.table_points
    assert "?" in explained(ended)


@pytest.mark.parametrize(
    ("left", "cause"),
    [
        ((0, 3), "Ligretto cards left not counted"),
        ((0, 5), "more Ligretto cards counted than left"),
        ((0, 4), "card in the centre not counted"),
    ],
)
def test_causes_with_cards(left: tuple[int, ...], cause: str) -> None:
    scored = RoundScored(1, (1, 2), 1, left, (1, 1), (1, 1))
    reading = SheetReading(end_ns=5, finisher=1, left={1: 0, 2: 4}, points={1: 2, 2: -8}, centre={1: 2, 2: 0})
    assert card_cause(RoundStory(1, scored, [], [], [reading])) == cause
