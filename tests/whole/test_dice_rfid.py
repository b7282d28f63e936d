"""The same promise for dice with tags: whole matches, and nothing but stamps decides."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

from firmware_host.lab.bots.dice_set import Dice
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
    RoundScored,
    SlotChanged,
    TagRefused,
    Verdict,
)
from firmware_host.model.places import DICE
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase as TablePhase
from firmware_host.model.states import SlotState
from firmware_host.model.times import S
from firmware_host.profile.profile import BANK_LINES, Profile
from firmware_host.run.table_files import load_profile
from tests.rewiring import renumbered
from tests.thoroughness import tries
from tests.whole.recording import (
    COARSE,
    FINE,
    check_any_order,
    check_counts,
    exactness,
    invite,
    matches,
    play,
    players,
    seeds,
)

PROFILES = {name: replace(load_profile("dice4-rfid"), ownership=name) for name in ("slap", "tag")}
HONEST = tuple(
    with_rates(SKILLS[name], **dict.fromkeys(RATES, 0.0)) for name in ("regular", "expert", "novice")
)
"""People who never err."""

whole_matches = matches(tries(2, 50))
ownerships = pytest.mark.parametrize("ownership", PROFILES)


def asked(
    ownership: str, seats: int, rounds: int, exact: Settings = FINE, *, late: bool = False
) -> Invitation:
    """Clumsy people on contacts that bounce and are noisy."""
    profile = PROFILES[ownership]
    contacts = frozenset(profile.lines.values())
    wrong = Misbehaviour(bounce=contacts, noise=contacts, late=contacts if late else frozenset())
    return invite(seats, rounds, wrong, profile, exact)


def dice_of(party: Party) -> Dice:
    assert isinstance(party.things, Dice)
    return party.things


@ownerships
def test_one_seed_has_one_result(ownership: str) -> None:
    one, other = (play(asked(ownership, 4, 2, late=True), 5) for _ in range(2))
    assert one == other


@ownerships
@whole_matches
@given(seeds, players)
def test_all_dice_are_accounted_for_and_rounds_sum_to_zero(ownership: str, seed: int, seats: int) -> None:
    story = play(asked(ownership, seats, 2, late=True), seed, check_counts)
    scored = story.of_kind(RoundScored)
    assert len(scored) == 2
    assert all(sum(effect.scores) == 0 for effect in scored)


@ownerships
@whole_matches
@given(seeds, players, seeds, exactness)
def test_delay_and_order_of_arrival_change_no_verdict_no_frame_and_no_byte(
    ownership: str, seed: int, seats: int, disorder: int, exact: Settings
) -> None:
    check_any_order(asked(ownership, seats, 1, exact), seed, Random(disorder))


@ownerships
@whole_matches
@given(seeds, seeds, exactness)
def test_the_pins_a_table_is_wired_to_change_no_verdict(
    ownership: str, seed: int, wiring: int, exact: Settings
) -> None:
    invitation = asked(ownership, 4, 1, exact, late=True)
    elsewhere = replace(invitation, profile=rewired(invitation.profile, Random(wiring)))
    assert play(invitation, seed).told() == play(elsewhere, seed).told()


def rewired(profile: Profile, chance: Random) -> Profile:
    """Buttons change places with buttons, and slots with slots."""
    new_line: dict[int, int] = {}
    for lines in (
        [line for line in profile.lines if line < BANK_LINES],
        [line for line in profile.lines if line >= BANK_LINES],
    ):
        new_line |= dict(zip(lines, chance.sample(lines, len(lines)), strict=True))
    return renumbered(profile, new_line)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_of_slaps_shows_what_it_should(seats: int) -> None:
    """The generated matches are worth something: they hold every verdict, and all that befalls a die.

    Where a reader tells which die it is, none is taken back: a wrong one never counts.
    """
    effects: list[Effect] = []
    wanted = set(Verdict) - {Verdict.TAKEN_BACK}
    verdicts: set[Verdict] = set()
    for seed in range(40):  # some verdicts are rare
        for exact in (FINE, replace(COARSE, locks="strict")):
            story = play(asked("slap", seats, 2, exact, late=True), seed)
            effects += [effect for _, effect in story.effects]
        verdicts |= {effect.verdict for effect in effects if isinstance(effect, Judged)}
        states = {effect.state for effect in effects if isinstance(effect, SlotChanged)}
        if (verdicts, states) == (wanted, set(SlotState)):
            break
    assert verdicts == wanted
    assert states == set(SlotState)
    assert not any(isinstance(effect, DieShown | LateSignal) for effect in effects)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_match_of_tags_shows_what_it_should(seats: int) -> None:
    """Every die is shown, and nobody needs a slap or gains anything by one."""
    effects: list[Effect] = []
    for seed in range(tries(2, 8)):
        story = play(asked("tag", seats, 1, late=True), seed)
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
    invitation = invite(4, 1, Misbehaviour(bounce=frozenset(profile.lines.values())), profile)
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
