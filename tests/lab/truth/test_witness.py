"""The figures of the truth: low at a table that owns dice by tag, and higher with each planted wrong rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games import games
from firmware_host.games.cards import card_phases
from firmware_host.games.dice import dice_phases
from firmware_host.games.dice.records import Records
from firmware_host.lab.bots.skill import SKILLS, with_rates
from firmware_host.lab.cli.simulate import explained
from firmware_host.lab.party import Invitation, even_deal
from firmware_host.lab.tournament import play_match, play_matches
from firmware_host.lab.truth.oracles import SheetReading, dice_points, dice_readings
from firmware_host.lab.truth.witness import (
    FOR_OTHER,
    RoundStory,
    TimedEffect,
    TruthCounts,
    TruthWitness,
    card_cause,
    dice_cause,
)
from firmware_host.model.effects import (
    Corrected,
    Effect,
    Judged,
    MatchEnded,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    SlotChanged,
    Verdict,
)
from firmware_host.model.states import Corrector, Phase, SlotState
from firmware_host.model.times import MS, S, Stamp
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile
from tests.lab.truth.logs import HandLog, slot_of

SEEDS = range(3)
BY_TAG = replace(load_profile("dice4-rfid"), ownership="tag")


def invited(name: str, rounds: int = 4, skill: str = "regular", players: int = 4) -> Invitation:
    profile = BY_TAG if name == "tag" else load_profile(name)
    deal = even_deal(profile, players)
    return Invitation(profile=profile, deal=deal, rounds=rounds, skills=(SKILLS[skill],))


def counted(asked: Invitation, keep: int = 0) -> TruthCounts:
    total = TruthCounts()
    for seed in SEEDS:
        total.add(play_match(asked, seed, keep).truth)
    return total


def test_dice_owned_by_tag_get_fair_points() -> None:
    counts = counted(invited("tag"))
    assert counts.rounds == 12
    assert counts.points_wrong == counts.wrong_winner == counts.stop_taken_back == counts.locked == 0
    assert 0.3 < counts.summary()["play_share"] < 0.9


def test_a_finisher_who_loses_a_point_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def robbed(left: list[int], finisher: int) -> tuple[int, ...]:
        points = games.dice_scores(left, finisher)
        return tuple(each - (seat == finisher) for seat, each in enumerate(points, start=1))

    monkeypatch.setattr(dice_phases, "dice_scores", robbed)
    assert counted(invited("tag")).points_wrong == 12


def test_a_claim_in_ten_that_goes_to_the_next_seat_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    claim, claims = Records.claim, iter(range(10_000))

    def astray(self: Records, seat: int) -> bool:
        after = seat % 4 + 1
        return claim(self, after if next(claims) % 10 == 9 and self.seats[after].left else seat)

    monkeypatch.setattr(Records, "claim", astray)
    counts = counted(invited("tag"), keep=100)
    assert counts.points_wrong >= 2
    assert sum(counts.causes.values()) == counts.points_wrong == len(counts.wrong_rounds)
    assert all(story.cause and not story.fits for story in counts.wrong_rounds)


def test_a_wrong_point_of_the_last_round_makes_a_wrong_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    def upside_down(left: list[int], finisher: int) -> tuple[int, ...]:
        return tuple(-each for each in games.dice_scores(left, finisher))

    monkeypatch.setattr(dice_phases, "dice_scores", upside_down)
    counts = counted(invited("tag", rounds=1))
    assert counts.wrong_winner == counts.matches == 3


def test_a_card_that_counts_twice_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = invited("cards4", rounds=2)
    before = counted(asked)
    assert before.points_wrong <= 1

    def generous(centre: tuple[int, ...], left: list[int]) -> tuple[int, ...]:
        return tuple(each + 1 for each in games.card_scores(centre, left))

    monkeypatch.setattr(card_phases, "card_scores", generous)
    assert counted(asked).points_wrong == before.rounds == 6


def test_people_who_slap_without_reason_are_locked() -> None:
    asked = replace(invited("dice4", rounds=2), skills=[with_rates(SKILLS["novice"], wrong=0.5)])
    counts = counted(asked)
    assert counts.seat_rounds == 4 * counts.rounds == 24
    assert 0 < counts.locked <= counts.seat_rounds and counts.locked_ns > 0


def watched(*steps: tuple[int, Effect]) -> TruthCounts:
    """The counts of a match of which only these decisions are known, with times in seconds."""
    witness = TruthWitness(1, "dice", signed=True)
    for t_s, effect in steps:
        witness.observe(Step(t_s * S, (effect,), None, None))
    return witness.counts


def entered(phase: Phase, t_s: int) -> tuple[int, Effect]:
    return t_s, PhaseEntered(phase, t_s * S)


def locked(seat: int, from_s: int, until_s: int) -> tuple[int, Effect]:
    stamp = Stamp(from_s * S, from_s * S)
    return from_s, Judged(Verdict.LOCKED, seat, stamp, from_s * S, locked_until_ns=until_s * S)


SCORED = RoundScored(1, (1, 2), 1, (0, 3), (3, -3), (3, -3))


def test_play_is_the_time_in_play_from_the_begin_of_the_match_to_its_end() -> None:
    counts = watched(
        entered(Phase.ATTRACT, 5),
        entered(Phase.JOIN, 10),
        entered(Phase.PLAY, 20),
        entered(Phase.PAUSED, 25),
        entered(Phase.PLAY, 30),
        entered(Phase.SETTLE, 40),
        (50, SCORED),
        (60, MatchEnded((1, 2), (3, -3), (1,))),
    )
    assert (counts.play_ns, counts.match_ns) == (15 * S, 50 * S)
    assert counts.summary()["play_share"] == 0.3


def test_a_stop_call_is_taken_back_when_the_round_goes_on_after_it() -> None:
    refuted = [entered(Phase.PLAY, 1), entered(Phase.SETTLE, 2), entered(Phase.COUNTDOWN, 3)]
    assert watched(*refuted, entered(Phase.SETTLE, 9), (10, SCORED)).stop_taken_back == 1
    assert watched(*refuted[:2], (10, SCORED)).stop_taken_back == 0


def test_a_round_is_corrected_once_however_many_counts_are() -> None:
    corrections = [(5, Corrected(seat, 2, 1, Corrector.PLAYERS)) for seat in (1, 2)]
    assert watched(*corrections, (10, SCORED)).corrected == 1


def test_locks_that_overlap_count_once() -> None:
    counts = watched(locked(1, 1, 3), locked(1, 2, 4), locked(1, 6, 7), locked(3, 1, 9), (10, SCORED))
    assert (counts.locked, counts.locked_ns, counts.seat_rounds) == (1, 4 * S, 2)


@pytest.mark.parametrize("name", ["cards2-piles", "dice4-rfid"])
def test_other_tables_are_judged_too(name: str) -> None:
    counts = counted(invited(name, rounds=2, players=2))
    assert counts.rounds == 6 and counts.match_ns > counts.play_ns > 0


def test_stories_are_kept_as_many_as_wanted_by_any_number_of_processes() -> None:
    asked = invited("dice4", rounds=3, skill="novice")
    one, two = TruthCounts(), TruthCounts()
    for counts, workers in ((one, 1), (two, 2)):
        for tally in play_matches(asked, range(10), workers, keep=1):
            counts.add(tally.truth)
    assert one.summary() == two.summary()
    assert 1 <= len(one.wrong_rounds) == len(two.wrong_rounds) <= 2


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
