"""Whole matches of cards: nothing is lost, scores are right, and stuck rounds are called."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.cards.card_round import CardRound
from firmware_host.lab.bots.belongings import Decks
from firmware_host.lab.bots.card_area import is_stuck
from firmware_host.lab.bots.skill import RATES, SKILLS, with_rates
from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.party import Invitation, Party, even_deal, hold_party
from firmware_host.model.effects import (
    Cue,
    Effect,
    Judged,
    LateSignal,
    MatchEnded,
    RoundScored,
    RoundStuck,
    Verdict,
)
from firmware_host.model.places import Card
from firmware_host.model.states import Phase as TablePhase
from firmware_host.model.times import S
from firmware_host.profile.profile import Profile
from tests.thoroughness import tries
from tests.whole.recording import CARDS4, CARDS12, COARSE, FINE, PILES, invite, matches, play, seeds

SET = 40

whole_matches = matches(tries(2, 40))
tables = st.sampled_from(
    [(CARDS4, 2), (CARDS4, 3), (CARDS4, 4), *[(CARDS12, seats) for seats in range(5, 13)], (PILES, 2)]
)


def decks_of(party: Party) -> Decks:
    assert isinstance(party.things, Decks)
    return party.things


def everywhere(decks: Decks) -> list[Card]:
    """Every card, wherever it lies."""
    found = [card for pile in decks.centre.piles for card in pile]
    for area in decks.areas.values():
        found += [card for stack in area.row for card in stack]
        found += [*area.ligretto, *area.hand, *area.discard]
        found += [area.held] if area.held is not None else []
    return found


@whole_matches
@given(seeds, tables, st.booleans())
def test_every_card_exists_exactly_once_whatever_happens(
    seed: int, table: tuple[Profile, int], expert: bool
) -> None:
    profile, seats = table
    at_all: set[int] = set()

    def check(party: Party) -> None:
        decks = decks_of(party)
        cards = everywhere(decks)
        if cards:
            assert len(cards) == len(set(cards)) == SET * seats
        round_ = party.table.shell.referee.session.round
        if isinstance(round_, CardRound):
            centre = round_.position.centre
            on_the_way = {area.held for area in decks.areas.values()}
            lying = {card for pile in decks.centre.piles for card in pile}
            # What people have laid down the table knows of, and what it counts is lying or on its way there.
            if decks.areas and round_.called:
                assert lying <= centre
                assert centre - lying <= on_the_way
            at_all.add(len(centre))

    play(invite(seats, 1, profile, late=True, expert=expert), seed, check)
    assert len(at_all) > 5


@pytest.mark.parametrize("profile", [CARDS4, CARDS12])
def test_cards_that_are_laid_down_and_slapped_in_one_movement_count(profile: Profile) -> None:
    """The pads have their switches underneath, and people use them so; no slap is called false for it."""
    quick = with_rates(SKILLS["regular"], **dict.fromkeys(RATES, 0.0) | {"early": 1.0})
    deal = even_deal(profile, profile.seats)
    story = play(Invitation(profile=profile, deal=deal, skills=(quick,), rounds=1), 7)
    verdicts = Counter(judged.verdict for judged in story.of_kind(Judged))
    assert verdicts[Verdict.ACCEPTED] > 20 * len(deal) / 4
    assert verdicts[Verdict.TOO_LATE] and not verdicts[Verdict.FALSE_CLAIM]


@whole_matches
@given(seeds, tables, st.booleans())
def test_scores_are_what_a_count_by_hand_gives(seed: int, table: tuple[Profile, int], expert: bool) -> None:
    profile, seats = table
    counted: list[tuple[int, ...]] = []

    def check(party: Party) -> None:
        decks = decks_of(party)
        if party.table.shell.referee.session.phase is TablePhase.SETTLE:
            by_hand = [0] * profile.seats
            for seat, area in decks.areas.items():
                laid = sum(card.seat == seat for pile in decks.centre.piles for card in pile)
                by_hand[seat - 1] = laid - 2 * area.leftovers
            counted.append(tuple(by_hand))
        elif counted and party.table.shell.referee.session.phase is TablePhase.SCORES:
            last = party.table.shell.referee.news.last_round
            assert last is not None
            assert last.scores == counted[-1]

    story = play(invite(seats, 2, profile, expert=expert), seed, check)
    assert counted
    assert len(story.of_kind(RoundScored)) == 2


@pytest.mark.parametrize("profile", [CARDS4, PILES])
def test_a_match_shows_what_it_should(profile: Profile) -> None:
    """The generated matches are worth something: they hold the verdicts, dead heats, and wrong stop calls."""
    by_hands = {Verdict.ACCEPTED, Verdict.TOO_LATE, Verdict.ILLEGAL}
    by_slaps = set(Verdict) - {Verdict.NOT_RUNNING, Verdict.TAKEN_BACK, Verdict.REPEATED}
    wanted = by_slaps if profile.pads else by_hands
    seen: set[Verdict] = set()
    wrong_stops = 0
    for seed in range(8):
        for exact in (FINE, COARSE):
            story = play(invite(profile.seats, 2, profile, exact), seed)
            seen |= {judged.verdict for judged in story.of_kind(Judged)}
            wrong_stops += sum(judged.cue is Cue.WRONG_STOP for judged in story.of_kind(Judged))
        if seen >= wanted and wrong_stops:
            break
    assert seen >= wanted
    assert wrong_stops > 0


@pytest.mark.parametrize(
    ("profile", "seats", "expert"), [(CARDS12, 12, True), (CARDS4, 3, False), (PILES, 2, False)]
)
def test_a_match_runs_through_the_simulated_hardware(profile: Profile, seats: int, expert: bool) -> None:
    """Twelve PN532s down to their bytes, LED chips, a sign: and no word of any of them comes too late."""
    effects: list[Effect] = []
    asked = Invitation(profile=profile, deal=even_deal(profile, seats), rounds=1, expert=expert)
    party = hold_party(asked, 12, onlookers=[lambda step: effects.extend(step.effects)], chips=True)
    while not any(isinstance(effect, MatchEnded) for effect in effects):
        assert party.table.loop.step() < 3600 * S
    assert isinstance(party.table, ChipTable)
    used = [model for model in party.table.site.readers.values() if model.tag_history]
    assert len(used) == seats if profile.pads else len(used) > 2
    assert party.things.count() == SET * seats
    assert len([effect for effect in effects if isinstance(effect, RoundScored)]) == 1
    assert not [effect for effect in effects if isinstance(effect, LateSignal)]
    party.close()


# -- stuck rounds


class Oracle:
    """Knows all cards, and so when a round is stuck."""

    PATIENCE_NS = 60_000_000_000
    """People turn their hands over and look for a while before they say that they can't play."""

    def __init__(self) -> None:
        self._thought: tuple[int, int] | None = None
        self._since_ns: int | None = None

    def watch(self, party: Party) -> None:
        decks, session = decks_of(party), party.table.shell.referee.session
        if session.phase is not TablePhase.PLAY or any(area.held for area in decks.areas.values()):
            return
        now_ns = party.world.now_ns
        thought = (id(session.round), decks.centre.version)
        if thought != self._thought:
            self._thought = thought
            stuck = is_stuck(decks.areas.values(), decks.centre.wanted)
            self._since_ns = now_ns if stuck else None
        assert self._since_ns is None or now_ns < self._since_ns + self.PATIENCE_NS, "nobody calls it stuck"


@pytest.mark.parametrize(("profile", "expert"), [(CARDS4, False), (PILES, False), (CARDS4, True)])
def test_a_stuck_round_is_always_called_and_never_wrongly(profile: Profile, expert: bool) -> None:
    called = 0
    for seed in range(tries(9, 36)):
        oracle = Oracle()
        before = [0]

        def check(party: Party, oracle: Oracle = oracle, before: list[int] = before) -> None:
            oracle.watch(party)
            session = party.table.shell.referee.session
            round_ = session.round
            stuck = isinstance(round_, CardRound) and round_.position.stuck
            if stuck and not before[0]:
                decks = decks_of(party)
                assert is_stuck(decks.areas.values(), decks.centre.wanted), "called wrongly"
            before[0] = stuck

        invitation = Invitation(profile=profile, deal=even_deal(profile, 2), rounds=3, expert=expert)
        story = play(invitation, seed, check)
        called += len(story.of_kind(RoundStuck))
    assert called or expert, "the seeds are not worth anything: no round was stuck"  # experts dig a way out
