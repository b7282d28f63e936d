"""Whole matches of dice, with readers and without: nothing is lost, and everything happens that may."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.bots.skill import RATES, SKILLS, with_rates
from firmware_host.lab.party import Invitation, Misbehaviour, Party, even_deal, hold_party
from firmware_host.model.effects import (
    Corrected,
    Cue,
    DeviceReported,
    DieShown,
    Effect,
    Judged,
    LateSignal,
    MatchEnded,
    Noise,
    RoundScored,
    SlotChanged,
    TagRefused,
    Verdict,
)
from firmware_host.model.places import DICE
from firmware_host.model.states import Phase as TablePhase
from firmware_host.model.states import SlotState
from firmware_host.model.times import S
from tests.thoroughness import tries
from tests.whole.recording import (
    BY_SLAP,
    BY_TAG,
    COARSE,
    FINE,
    PROFILE,
    check_counts,
    invite,
    matches,
    play,
    players,
    seeds,
)

PROFILES = {"direct": PROFILE, "slap": BY_SLAP, "tag": BY_TAG}
HONEST = tuple(
    with_rates(SKILLS[name], **dict.fromkeys(RATES, 0.0)) for name in ("regular", "expert", "novice")
)
"""People who never err."""

whole_matches = matches(tries(2, 50))
ownerships = pytest.mark.parametrize("ownership", ["slap", "tag"])


def dice_of(party: Party) -> Dice:
    assert isinstance(party.things, Dice)
    return party.things


@pytest.mark.parametrize("ownership", PROFILES)
@whole_matches
@given(seeds, players)
def test_all_dice_are_accounted_for_and_rounds_sum_to_zero(ownership: str, seed: int, seats: int) -> None:
    story = play(invite(seats, 2, PROFILES[ownership], late=True), seed, check_counts)
    scored = story.of_kind(RoundScored)
    assert len(scored) == 2
    assert all(sum(effect.scores) == 0 for effect in scored)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    ("ownership", "rounds"),
    [("direct", 10), ("slap", 40)],  # with readers some verdicts are rare
)
def test_a_match_of_slaps_shows_what_it_should(ownership: str, rounds: int, seats: int) -> None:
    """The generated matches are worth something: they hold every verdict, dead heats, noise, and all that
    befalls a die.

    That a die is taken back is too rare. Where a reader tells which die it is, a wrong one never counts.
    """
    effects: list[Effect] = []
    wanted = set(Verdict) - {Verdict.TAKEN_BACK}
    for seed in range(rounds):
        for exact in (replace(FINE, locks="strict"), replace(COARSE, locks="strict")):
            story = play(invite(seats, 2, PROFILES[ownership], exact, late=True), seed)
            effects += [effect for _, effect in story.effects]
        verdicts = {effect.verdict for effect in effects if isinstance(effect, Judged)}
        states = {effect.state for effect in effects if isinstance(effect, SlotChanged)}
        noisy = any(isinstance(effect, Noise) for effect in effects)
        if verdicts >= wanted and states == set(SlotState) and noisy:
            break
    assert verdicts - {Verdict.TAKEN_BACK} == wanted and (ownership == "direct" or verdicts == wanted)
    assert states == set(SlotState) and noisy
    assert not any(isinstance(effect, DieShown | LateSignal) for effect in effects)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_of_tags_shows_what_it_should(seats: int) -> None:
    """Every die is shown, and nobody needs a slap or gains anything by one."""
    effects: list[Effect] = []
    for seed in range(tries(2, 8)):
        story = play(invite(seats, 1, BY_TAG, late=True), seed)
        effects += [effect for _, effect in story.effects]
        assert {shown.die for shown in story.of_kind(DieShown)} == set(range(1, DICE + 1))
    verdicts = {effect.verdict for effect in effects if isinstance(effect, Judged)}
    assert Verdict.ACCEPTED in verdicts
    assert not verdicts & {Verdict.FALSE_CLAIM, Verdict.LOCKED, Verdict.TOO_LATE, Verdict.DEAD_HEAT_LOST}
    assert not any(isinstance(effect, LateSignal) for effect in effects)


# -- when nobody errs


@ownerships
def test_what_is_left_is_what_people_hold_and_nobody_has_to_say_so(ownership: str) -> None:
    """The counts of the table are right by themselves, as long as all slap in time or need not slap."""
    corrected = played = 0
    for seed in range(tries(4, 20)):
        scored: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

        def check(party: Party, scored: list[tuple[tuple[int, ...], tuple[int, ...]]] = scored) -> None:
            referee = party.table.shell.referee
            last_round = referee.news.last_round
            if referee.session.phase is TablePhase.SCORES and last_round is not None and not scored:
                hands = dice_of(party).hands
                scored.append((last_round.leftovers, tuple(len(hands[n]) for n in range(1, 5))))

        story = play(honest(ownership, 1), seed, check)
        ((leftovers, held),) = scored
        assert leftovers == held
        corrected += len(story.of_kind(Corrected))
        played += 1
    assert corrected <= (played // 4 if ownership == "slap" else 0)


def test_a_die_that_counts_is_left_alone_by_who_never_errs() -> None:
    """People wait for the answer of the table, which is slower with readers, before they take a die back."""
    for seed in range(tries(4, 12)):
        story = play(honest("tag", 1), seed)
        missing = [change.slot for change in story.of_kind(SlotChanged) if change.state is SlotState.MISSING]
        assert missing == []
        assert story.of_kind(TagRefused) == []


def honest(ownership: str, rounds: int) -> Invitation:
    profile = PROFILES[ownership]
    return Invitation(profile=profile, deal=even_deal(profile, 4), skills=HONEST, rounds=rounds)


# -- down to the chips


@ownerships
def test_a_match_through_simulated_chips(ownership: str) -> None:
    """28 readers on their cables, two expanders: no tag is told too late, and no device gets lost."""
    effects: list[Effect] = []
    profile = PROFILES[ownership]
    assert len(profile.readers) == 28
    bouncing = Misbehaviour(bounce=frozenset(profile.lines.values()))
    invitation = replace(invite(4, 1, profile), misbehaviour=bouncing)
    party = hold_party(
        invitation, 1, onlookers=[lambda step: effects.extend(step.effects)], keep=None, chips=True
    )
    while not any(isinstance(effect, MatchEnded) for effect in effects[-10:]):
        assert party.table.loop.step() < 600 * S, "the match does not end"
        check_counts(party)
    party.close()
    kinds = {type(effect) for effect in effects}
    assert not kinds & {LateSignal, DeviceReported}
    assert (DieShown in kinds) is (ownership == "tag")
    (scored,) = (effect for effect in effects if isinstance(effect, RoundScored))
    assert sum(scored.scores) == 0
    counted = [
        effect for effect in effects if isinstance(effect, SlotChanged) and effect.state is SlotState.COUNTED
    ]
    assert len(counted) >= 6
    unread = [effect for effect in effects if isinstance(effect, TagRefused) and effect.cue is Cue.UNREAD]
    assert unread == []
