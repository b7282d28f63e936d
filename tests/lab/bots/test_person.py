"""Simulated people play whole matches with hands and eyes only, errors and all."""

from __future__ import annotations

from typing import TypeVar

import pytest

from firmware_host.cli import run as run_command
from firmware_host.games.games import DICE_GAME
from firmware_host.games.leftover_check import Settle
from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.bots.skill import RATES, SKILLS, Skill, with_rates
from firmware_host.lab.party import Invitation, Party, even_deal, hold_party
from firmware_host.model.effects import (
    Effect,
    MatchAbandoned,
    MatchEnded,
    PhaseEntered,
    RoundScored,
    RoundStarted,
)
from firmware_host.model.events import EndMatch, Pause, Resume
from firmware_host.model.places import Button
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import S, exactly
from firmware_host.referee import Step
from firmware_host.run.table_files import load_profile

E = TypeVar("E")

PROFILE = load_profile("dice4")
LONGEST_NS = 3600 * S


class Evening:
    """One match of simulated people, watched from outside."""

    def __init__(
        self, seats: int, skill: Skill, language: str = "en", rounds: int | None = None, seed: object = ""
    ) -> None:
        self.effects: list[Effect] = []
        self.miscounted: list[tuple[RoundScored, tuple[int, ...]]] = []
        self._unanswered_ns: int | None = None
        seed = f"{seats} {language} {seed}"
        deal = DICE_GAME.standard_deal([seat <= seats for seat in range(1, 5)])
        asked = Invitation(
            profile=PROFILE, deal=deal, skills=[skill], settings=Settings(language=language), rounds=rounds
        )
        self.party = hold_party(asked, seed, onlookers=[self._watch])
        self.table, self.world = self.party.table, self.party.world
        assert isinstance(self.party.things, Dice)
        self.dice = self.party.things

    def play(self) -> MatchEnded:
        """Let them play until the match has ended, an hour at most."""
        while not (ended := self.all_of(MatchEnded)):
            self.step()
        return ended[0]

    def until(self, phase: Phase) -> None:
        """Let them play until the table has been in that phase."""
        while phase.name not in self.path:
            self.step()

    def step(self) -> None:
        room = self.table.shell.referee.session.state
        self._unanswered_ns = room.deadline_ns if isinstance(room, Settle) else None
        self.table.loop.step()
        assert self.world.now_ns < LONGEST_NS, self.world.lines

    def _watch(self, step: Step) -> None:
        """Note what the table decides, and whether it is what everybody has agreed to and really holds."""
        self.effects += step.effects
        for effect in step.effects:
            if isinstance(effect, RoundScored) and step.t_ns != self._unanswered_ns:
                hands = self.dice.hands
                held = tuple(len(hands.get(seat, [])) for seat in range(1, PROFILE.seats + 1))
                if effect.leftovers != held:
                    self.miscounted.append((effect, held))

    @property
    def path(self) -> list[str]:
        """The phases gone through so far."""
        return [effect.phase.name for effect in self.all_of(PhaseEntered)]

    def all_of(self, kind: type[E]) -> list[E]:
        return [effect for effect in self.effects if isinstance(effect, kind)]


@pytest.mark.parametrize(
    ("seats", "skill", "language"),
    [
        (2, "novice", "de"),
        (2, "regular", "en"),
        (2, "expert", "fr"),
        (3, "novice", "it"),
        (3, "regular", "nl"),
        (3, "expert", "es"),
        (4, "novice", "en"),
        (4, "regular", "de"),
        (4, "expert", "fr"),
    ],
)
def test_a_match_full_of_errors_comes_to_its_end(seats: int, skill: str, language: str) -> None:
    clumsy = with_rates(SKILLS[skill], **dict.fromkeys(RATES, 0.1))
    evening = Evening(seats, clumsy, language)
    ended = evening.play()
    scored = evening.all_of(RoundScored)
    assert len(scored) == 3 * seats
    assert all(sum(each.scores) == 0 for each in scored)
    assert ended.totals == scored[-1].totals
    assert evening.dice.count() == 24
    assert evening.miscounted == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("skill", SKILLS)
def test_every_round_is_scored_by_the_dice_that_people_really_hold(skill: str, seats: int, seed: int) -> None:
    """What the table miscounts, people dispute, and the dispute puts it right."""
    evening = Evening(seats, SKILLS[skill], rounds=3, seed=seed)
    evening.play()
    assert evening.miscounted == []


def test_after_a_pause_of_the_operator_people_play_on() -> None:
    evening = Evening(2, SKILLS["regular"], rounds=1)
    evening.until(Phase.PLAY)
    pause_ns = evening.world.now_ns + 5 * S
    evening.table.shell.command(Pause(exactly(pause_ns)))
    evening.table.shell.command(Resume(exactly(pause_ns + 30 * S)))
    evening.play()
    assert evening.path[:7] == ["JOIN", "CLEAR", "COUNTDOWN", "PLAY", "PAUSED", "PLAY", "SETTLE"]
    assert len(evening.all_of(RoundStarted)) == 1


def test_after_a_match_that_was_given_up_the_dice_are_taken_off_before_they_are_dealt_again() -> None:
    """Nobody can deal what lies on the board."""
    evening = Evening(2, SKILLS["expert"], rounds=1)
    evening.until(Phase.PLAY)
    while len(evening.dice.board) < 14:
        evening.step()
    evening.table.shell.command(EndMatch(exactly(evening.world.now_ns)))
    evening.play()
    assert evening.dice.count() == 24
    assert len(evening.all_of(MatchAbandoned)) == 1


def test_the_skills_of_the_lab_are_those_that_run_offers() -> None:
    assert set(run_command.SKILLS) == set(SKILLS)


def a_round() -> Party:
    profile = load_profile("dice4")
    party = hold_party(Invitation(profile=profile, deal=even_deal(profile, 4)), 1)
    while party.table.shell.referee.session.phase is not Phase.PLAY:
        party.table.loop.step()
    return party


def wait(party: Party, length_ns: int) -> None:
    party.table.loop.run(party.world.now_ns + length_ns)


def test_nobody_touches_anything_until_all_go_on() -> None:
    party = a_round()
    party.crowd.hands_off()
    party.crowd.hands_off()
    wait(party, 1 * S)
    lying = dict(party.things.board)  # type: ignore[union-attr]
    wait(party, 30 * S)
    assert party.things.board == lying  # type: ignore[union-attr]
    assert not any(party.table.contacts[Button(seat)].active for seat in range(1, 5))
    party.crowd.go_on()
    wait(party, 10 * S)
    assert len(party.things.board) > len(lying)  # type: ignore[union-attr]
    party.close()
