"""What is told of a round that does not count, and of a match that is given up: by whom, and why."""

from __future__ import annotations

import pytest

from firmware_host.games.phases import TRANSITIONS, Transition
from firmware_host.model.effects import Judged, MatchAbandoned, RoundVoided
from firmware_host.model.events import EndMatch, VoidRound
from firmware_host.model.states import AbandonReason, Phase, VoidReason
from tests.games.driver import Driver, reach


def test_hands_that_all_hold_are_named(play: Driver) -> None:
    play.hold(1, 2)
    voided = play.last(RoundVoided)
    assert (voided.number, voided.reason, voided.seats) == (1, "stuck", (1, 2))
    pressed = [(judged.seat, judged.stamp) for judged in play.all_of(Judged)]
    assert list(zip(voided.seats, voided.held, strict=True)) == pressed
    assert play.phase() is Phase.CLEAR


def test_after_an_interruption_it_is_another_reason(play: Driver) -> None:
    play.interrupt()
    play.hold(1, 2)
    voided = play.all_of(RoundVoided)
    assert [(each.reason, each.seats) for each in voided] == [("interrupted", (1, 2))]


@pytest.mark.parametrize("phase", [each for each in Phase if Transition.VOIDED in TRANSITIONS[each]])
def test_an_operator_needs_no_hands(phase: Phase) -> None:
    driver = reach(phase)
    driver.command(VoidRound(driver.exactly))
    assert driver.all_of(RoundVoided) == [RoundVoided(1, VoidReason.OPERATOR, driver.now_ns)]
    assert driver.all_of(MatchAbandoned) == []


@pytest.mark.parametrize("phase", [each for each in Phase if Transition.ABANDONED in TRANSITIONS[each]])
def test_a_match_that_runs_is_given_up_and_no_other(phase: Phase) -> None:
    driver = reach(phase)
    driver.command(EndMatch(driver.exactly))
    runs = phase not in (Phase.JOIN, Phase.RESULT)
    assert driver.all_of(MatchAbandoned) == (
        [MatchAbandoned(AbandonReason.OPERATOR, driver.now_ns)] if runs else []
    )
    assert driver.phase() is Phase.ATTRACT


def test_people_who_walk_away_give_it_up(idle: Driver) -> None:
    idle.until_deadline()
    clear = reach(Phase.CLEAR)
    clear.until_deadline()
    assert idle.last(MatchAbandoned).reason == "paused"
    assert clear.last(MatchAbandoned).reason == "unready"
