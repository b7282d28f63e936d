"""Which verdicts are doubtful: those that may hang on an edge that nobody has seen."""

from __future__ import annotations

import pytest

from firmware_host.games.dice.dice import opening
from firmware_host.games.dice.dice_round import DiceRound
from firmware_host.games.round import NOTICED_NS, Outbox
from firmware_host.model.effects import Judged, Verdict
from firmware_host.model.events import Filled, Pressed, SignalsLost
from firmware_host.model.places import Button, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S, Stamp, exactly
from firmware_host.timing.ties import TieBreaker
from tests.games.driver import RED, YELLOW, Driver, reach

SETTINGS = Settings()
EARLY, LATE, SETTLE = SETTINGS.claim_early_ns, SETTINGS.claim_late_ns, SETTINGS.settle_ns
R1, R2, R3, Y1 = Slot(RED, 1), Slot(RED, 2), Slot(RED, 3), Slot(YELLOW, 1)
PLACED = exactly(100 * S)
SLAPPED = exactly(100 * S + 300 * MS)
BLUR = 2 * SETTINGS.stamp_uncertainty_ns
FIRST = PLACED.earliest_ns - EARLY - BLUR
LAST = SLAPPED.latest_ns + BLUR
"""What happens from FIRST to LAST has to do with the claim: a dead heat at the last moment, for instance."""


class Lottery:
    """Nobody may need it."""

    def choice(self, seats: object) -> int:
        raise AssertionError("no tie was expected")


def new_round() -> DiceRound:
    """A round that runs from 50 s on."""
    ties = TieBreaker(Lottery())  # type: ignore[arg-type]
    found = DiceRound(SETTINGS, opening((12, 12, 0, 0)), ties, Outbox())
    found.go(50 * S)
    return found


def judge(round_: DiceRound, until_ns: int = 200 * S) -> list[Judged]:
    """All verdicts of a round by then."""
    due_ns = round_.awaits_after_ns(0)
    while due_ns is not None and due_ns <= until_ns:
        round_.decide(due_ns, due_ns)
        due_ns = round_.awaits_after_ns(due_ns)
    return [effect for effect in round_.out.take() if isinstance(effect, Judged)]


def a_claim(round_: DiceRound) -> None:
    """Seat 1 claims red 1."""
    round_.landed(Filled(R1, PLACED))
    round_.slapped(Pressed(1, SLAPPED), SLAPPED.latest_ns + SETTLE)


def a_false_claim(round_: DiceRound) -> None:
    """Seat 1 slaps for nothing."""
    round_.slapped(Pressed(1, SLAPPED), SLAPPED.latest_ns + SETTLE)


@pytest.fixture
def round_() -> DiceRound:
    return new_round()


# -- a gap


@pytest.mark.parametrize(
    ("gap", "doubtful"),
    [
        (Stamp(0, FIRST - 1), False),
        (Stamp(0, FIRST), True),  # a rival's early slap
        (exactly(PLACED.earliest_ns), True),
        (exactly(SLAPPED.latest_ns), True),
        (Stamp(LAST, 200 * S), True),
        (Stamp(LAST + 1, 200 * S), False),
        (Stamp(0, 200 * S), True),
    ],
)
def test_a_claim_hangs_on_all_from_the_first_early_slap_to_its_own(gap: Stamp, doubtful: bool) -> None:
    round_ = new_round()
    round_.doubt(gap)
    a_claim(round_)
    (judged,) = judge(round_)
    assert (judged.verdict, judged.doubtful) == (Verdict.ACCEPTED, doubtful)


@pytest.mark.parametrize(
    ("gap", "doubtful"),
    [
        (Stamp(0, SLAPPED.earliest_ns - LATE - BLUR - 1), False),
        (Stamp(0, SLAPPED.earliest_ns - LATE - BLUR), True),  # a die that it may have been for
        (exactly(SLAPPED.earliest_ns), True),
        (Stamp(LAST + EARLY, 200 * S), True),  # a die that it may have been early for
        (Stamp(LAST + EARLY + 1, 200 * S), False),
    ],
)
def test_a_false_claim_hangs_on_all_dice_that_it_may_have_been_for(gap: Stamp, doubtful: bool) -> None:
    round_ = new_round()
    round_.doubt(gap)
    a_false_claim(round_)
    (judged,) = judge(round_)
    assert (judged.verdict, judged.doubtful) == (Verdict.FALSE_CLAIM, doubtful)


@pytest.mark.parametrize(("gap_ns", "doubtful"), [(-1, True), (0, True), (1, False)])
def test_who_is_too_late_is_so_by_an_edge_that_is_there(gap_ns: int, doubtful: bool) -> None:
    round_ = new_round()
    a_claim(round_)
    second = exactly(SLAPPED.latest_ns + 5 * MS)
    round_.slapped(Pressed(2, second), second.latest_ns + SETTLE)
    round_.doubt(Stamp(second.latest_ns + BLUR + gap_ns, 200 * S))
    won, lost = judge(round_)
    assert (won.verdict, won.doubtful) == (Verdict.ACCEPTED, False)
    assert (lost.verdict, lost.doubtful) == (Verdict.TOO_LATE, doubtful)


def test_a_wrong_die_is_judged_like_any_other(round_: DiceRound) -> None:
    round_.landed(Filled(R3, PLACED))
    round_.slapped(Pressed(1, SLAPPED), SLAPPED.latest_ns + SETTLE)
    round_.doubt(exactly(SLAPPED.latest_ns))
    (judged,) = judge(round_)
    assert (judged.verdict, judged.doubtful) == (Verdict.ILLEGAL, True)


def test_any_of_several_gaps_is_enough(round_: DiceRound) -> None:
    for gap in (exactly(60 * S), exactly(PLACED.latest_ns + 1), exactly(150 * S)):
        round_.doubt(gap)
    a_claim(round_)
    assert judge(round_)[0].doubtful


def test_a_die_that_came_late_is_doubtful_without_any_gap(round_: DiceRound) -> None:
    round_.landed(Filled(R1, PLACED, late=True))
    round_.slapped(Pressed(1, SLAPPED), SLAPPED.latest_ns + SETTLE)
    assert judge(round_)[0].doubtful


# -- something is missing for a while


@pytest.mark.parametrize(
    ("after_ns", "doubtful"), [(-BLUR, True), (NOTICED_NS, True), (NOTICED_NS + 1, False), (S, False)]
)
def test_a_device_may_have_been_lost_for_a_while_before_that_was_noticed(
    round_: DiceRound, after_ns: int, doubtful: bool
) -> None:
    a_claim(round_)
    round_.impair(True, LAST + after_ns)
    assert judge(round_)[0].doubtful is doubtful


def test_everything_is_doubtful_as_long_as_something_is_missing(round_: DiceRound) -> None:
    round_.impair(True, 60 * S)
    round_.impair(True, 150 * S)  # another device: it was doubtful already
    a_claim(round_)
    assert judge(round_)[0].doubtful


@pytest.mark.parametrize(("back_ns", "doubtful"), [(-1, False), (0, True)])
def test_what_begins_when_all_is_back_is_sure_again(round_: DiceRound, back_ns: int, doubtful: bool) -> None:
    round_.impair(True, 60 * S)
    round_.impair(False, FIRST + back_ns)
    round_.impair(False, 150 * S)  # nothing new: all was back already
    a_claim(round_)
    assert judge(round_)[0].doubtful is doubtful


def test_it_may_be_lost_and_come_back_more_than_once(round_: DiceRound) -> None:
    for lost_ns, back_ns in ((60 * S, 61 * S), (100 * S + 200 * MS, 100 * S + 210 * MS)):
        round_.impair(True, lost_ns)
        round_.impair(False, back_ns)
    a_claim(round_)
    assert judge(round_)[0].doubtful


# -- at the table


def doubts(driver: Driver) -> list[tuple[int, Verdict, bool]]:
    return [(judged.seat, judged.verdict, judged.doubtful) for judged in driver.all_of(Judged)]


def test_a_gap_lies_before_the_moment_at_which_it_is_noticed(play: Driver) -> None:
    slap = play.slap_for(1, R1)
    play.until(slap.latest_ns + 31 * MS)
    play.command(SignalsLost(1, 30 * MS, play.exactly))
    play.wait(1 * S)
    assert doubts(play) == [(1, Verdict.ACCEPTED, False)]


@pytest.mark.parametrize("phase", [Phase.ATTRACT, Phase.JOIN, Phase.CLEAR, Phase.RESULT])
def test_where_there_is_no_round_a_gap_makes_nothing_doubtful(phase: Phase) -> None:
    driver = reach(phase)
    assert driver.session.round is None
    assert driver.lose_edges(1 * S)
    assert driver.phase() is phase


def test_a_gap_in_the_countdown_may_hide_a_die(countdown: Driver) -> None:
    countdown.wait(2 * S)
    countdown.lose_edges()
    countdown.wait(1 * S)
    countdown.tap(1)
    countdown.wait(1 * S)
    assert doubts(countdown) == [(1, Verdict.FALSE_CLAIM, True)]


@pytest.mark.parametrize("how", ["lost before the round", "lost in the countdown", "masked before the round"])
def test_a_round_that_began_in_spite_of_it_is_doubtful_from_its_first_die(how: str) -> None:
    driver = reach(Phase.CLEAR)
    if how == "lost before the round":
        driver.device("left", "lost")
    elif how == "masked before the round":
        driver.mask(Button(2))
        driver.wait(100 * MS)
    driver.tap(1, 2)
    assert driver.phase() is Phase.COUNTDOWN
    if how == "lost in the countdown":
        driver.device("left", "lost")
    driver.wait(3 * S)
    assert driver.phase() is Phase.PAUSED
    driver.hold(1)
    driver.wait(1 * S)
    driver.play(1, Y1)
    assert doubts(driver)[-1] == (1, Verdict.ACCEPTED, True)


def test_what_was_decided_before_stands_as_it_is(play: Driver) -> None:
    play.play(1, R1)
    play.device("left", "lost")
    play.wait(1 * S)
    assert doubts(play) == [(1, Verdict.ACCEPTED, False)]
