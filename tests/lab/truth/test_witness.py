"""The figures of the truth: low at a table that owns dice by tag, and higher with each planted wrong rule."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.games import games
from firmware_host.games.cards import card_phases
from firmware_host.games.dice import dice_phases
from firmware_host.games.dice.records import Records
from firmware_host.lab.bots.skill import SKILLS, with_rates
from firmware_host.lab.party import Invitation, even_deal
from firmware_host.lab.tournament import play_match, play_matches
from firmware_host.lab.truth.witness import TruthCounts, TruthWitness
from firmware_host.model.effects import (
    Corrected,
    Effect,
    Judged,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    Verdict,
)
from firmware_host.model.states import Corrector, Phase
from firmware_host.model.times import S, Stamp
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile

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
