"""What a table does that was away for a while: without power, or in service. Phase by phase."""

from __future__ import annotations

import pytest

from firmware_host.games.games import Table
from firmware_host.games.leftover_check import Settle
from firmware_host.games.phase_states import BACK_NS
from firmware_host.games.phases import CheckStep
from firmware_host.model.effects import (
    Corrected,
    Judged,
    PhaseEntered,
    RoundFinished,
    RoundScored,
    RoundStarted,
    SlotChanged,
    Verdict,
    WasInterrupted,
)
from firmware_host.model.events import Emptied, EndMatch, Filled, Pressed, Released, SetLeftover, VoidRound
from firmware_host.model.places import Colour, Slot
from firmware_host.model.states import AwayReason, Corrector, Phase, SlotState
from firmware_host.model.times import MS, S, Stamp
from firmware_host.show.picture import lamps
from tests.games.driver import ONE_TO_GO, Driver, reach
from tests.games.mishaps import R1, R2, R6

B1 = Slot(Colour.BLUE, 1)
OUTSIDE = [Phase.ATTRACT, Phase.JOIN, Phase.SETTLE, Phase.SCORES, Phase.CLEAR, Phase.RESULT]


def gone(slot: Slot, away: Stamp) -> Emptied:
    """A die was taken away meanwhile."""
    return Emptied(slot, found(away), late=True)


def come(slot: Slot, away: Stamp) -> Filled:
    """A die was put down meanwhile."""
    return Filled(slot, found(away), late=True)


def let_go(seat: int, away: Stamp) -> Released:
    """A button came up meanwhile."""
    return Released(seat, found(away), late=True)


def pressed(seat: int, away: Stamp) -> Pressed:
    """A button went down meanwhile."""
    return Pressed(seat, found(away), late=True)


def found(away: Stamp) -> Stamp:
    return Stamp(away.earliest_ns + 1, away.latest_ns)


def until_back(driver: Driver, away: Stamp) -> None:
    """Up to the moment at which the table knows what has changed."""
    driver.until(away.latest_ns + BACK_NS + driver.settings.settle_ns)


def in_play() -> Driver:
    """A round in which seat 1 has placed a red 1."""
    driver = reach(Phase.PLAY)
    driver.play(1, R1)
    return driver


def without_red_1(wait_ns: int = 1 * S) -> Driver:
    """The same round so long after the table came back, and red 1 was taken away meanwhile."""
    driver = in_play()
    driver.late(gone(R1, driver.interrupt()))
    driver.wait(wait_ns)
    return driver


def in_step(step: CheckStep) -> Driver:
    """A leftover check that is in that step; in ENTRY and CONFIRM seat 2 says that it has 5, not 6."""
    driver = Driver(Table(rounds=1))
    driver.start_from(ONE_TO_GO)
    if step is CheckStep.ASK:
        driver.fill(Slot(Colour.YELLOW, 1))
    driver.play(1, R6)
    if step is not CheckStep.LATE:
        driver.until_deadline()
    if step is CheckStep.ASK:
        driver.until_deadline()  # until then it can still be signed
    if step in (CheckStep.ENTRY, CheckStep.CONFIRM):
        driver.hold(2)
        for _ in range(5):
            driver.tap(2)
    if step is CheckStep.CONFIRM:
        driver.until_deadline()
    assert settle_of(driver).step is step
    return driver


def settle_of(driver: Driver) -> Settle:
    assert isinstance(driver.session.state, Settle)
    return driver.session.state


# -- what is told, and what nothing hangs on


@pytest.mark.parametrize("reason", AwayReason)
@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.name)
def test_it_is_told_in_every_phase_since_when_and_why(phase: Phase, reason: AwayReason) -> None:
    driver = reach(phase)
    away = driver.interrupt(reason)
    assert driver.last(WasInterrupted) == WasInterrupted(reason, away.earliest_ns)


@pytest.mark.parametrize("phase", OUTSIDE, ids=lambda phase: phase.name)
def test_where_no_round_is_played_nothing_changes(phase: Phase) -> None:
    driver, calm = reach(phase), reach(phase)
    state = driver.session.state
    driver.interrupt()
    calm.until(driver.now_ns)
    assert driver.session.state is state
    assert state.deadline_ns == calm.session.state.deadline_ns
    assert driver.lines() == calm.lines()
    assert lamps(driver.view, driver.now_ns) == lamps(calm.view, calm.now_ns)
    assert not driver.session.troubles.all and not driver.session.interrupted


@pytest.mark.parametrize("step", CheckStep, ids=lambda step: step.name)
def test_each_step_of_the_leftover_check_goes_on_where_it_was(step: CheckStep) -> None:
    driver, calm = in_step(step), in_step(step)
    driver.interrupt()
    calm.until(driver.now_ns)
    mine, other = settle_of(driver), settle_of(calm)
    assert (mine.step, mine.disputing, mine.entered, mine.deadline_ns, mine.counts) == (
        other.step,
        other.disputing,
        other.entered,
        other.deadline_ns,
        other.counts,
    )
    assert driver.lines() == calm.lines()


def test_a_dispute_comes_to_what_it_would_have_come_to() -> None:
    driver = in_step(CheckStep.CONFIRM)
    driver.interrupt()
    driver.tap(1)
    assert driver.last(Corrected) == Corrected(2, 6, 5, Corrector.PLAYERS)
    driver.tap(1, 2)
    assert driver.last(RoundScored).leftovers == (0, 5, 0, 0)


def test_who_has_agreed_already_needs_not_do_so_again() -> None:
    driver = reach(Phase.SCORES)
    driver.tap(1)
    driver.interrupt()
    driver.tap(2)
    assert driver.phase() is Phase.CLEAR


def test_the_board_may_be_cleared_while_the_table_is_off() -> None:
    driver = reach(Phase.SCORES)
    driver.tap(1, 2)
    assert driver.phase() is Phase.CLEAR
    lying = sorted(driver.session.occupied)
    assert lying
    away = driver.interrupt()
    for slot in lying:
        driver.late(gone(slot, away))
    driver.wait(1 * S)
    assert driver.phase() is Phase.RESULT


def test_people_go_on_sitting_down() -> None:
    driver = reach(Phase.JOIN)
    driver.interrupt()
    driver.tap(3)
    assert driver.session.seated == {2, 3}
    driver.until_deadline()
    assert driver.phase() is Phase.CLEAR


# -- a button that is down in the very moment


@pytest.mark.parametrize("meanwhile", ["it is let go", "it stays down"])
@pytest.mark.parametrize("phase", OUTSIDE, ids=lambda phase: phase.name)
def test_a_press_that_was_cut_off_is_no_answer_and_no_call(phase: Phase, meanwhile: str) -> None:
    """Nobody knows how long it would have been held."""
    driver, calm = reach(phase), reach(phase)
    for each in (driver, calm):
        each.wait(1 * S)
    if phase in (Phase.ATTRACT, Phase.JOIN):
        driver.tap(1)
        calm.tap(1)
        driver.tap(2)
        calm.tap(2)
    driver.press(2)
    driver.wait(200 * MS)
    away = driver.interrupt()
    if meanwhile == "it is let go":
        driver.late(let_go(2, away))
    driver.wait(2 * S)
    calm.until(driver.now_ns)
    assert driver.path == calm.path
    assert driver.session.state.deadline_ns == calm.session.state.deadline_ns
    assert getattr(driver.session.state, "agreed", set()) == set()
    assert driver.session.down == set()


@pytest.mark.parametrize("step", [CheckStep.CHECK, CheckStep.CONFIRM], ids=lambda step: step.name)
def test_a_press_that_was_cut_off_disputes_and_confirms_nothing(step: CheckStep) -> None:
    driver = in_step(step)
    driver.wait(MS)
    driver.press(1)
    driver.wait(100 * MS)
    away = driver.interrupt()
    driver.late(let_go(1, away))
    driver.wait(1 * S)
    assert settle_of(driver).step is step
    assert settle_of(driver).agreed == set()


def test_a_press_that_was_cut_off_before_it_was_known_is_no_answer_either() -> None:
    driver = reach(Phase.SCORES)
    driver.wait(1 * S)
    driver.press(1, 2)
    driver.wait(5 * MS)
    away = driver.interrupt()
    driver.late(let_go(1, away))
    driver.late(let_go(2, away))
    driver.wait(1 * S)
    assert driver.phase() is Phase.SCORES


def test_whoever_presses_anew_is_heard() -> None:
    driver = reach(Phase.SCORES)
    driver.press(1)
    driver.wait(100 * MS)
    away = driver.interrupt()
    driver.late(let_go(1, away))
    driver.wait(100 * MS)
    driver.tap(1, 2)
    assert driver.phase() is Phase.CLEAR


def test_a_button_that_went_down_meanwhile_is_no_slap_no_answer_and_no_call() -> None:
    driver = in_play()
    away = driver.interrupt()
    driver.late(pressed(2, away))
    driver.wait(200 * MS)
    driver.release(2)
    driver.wait(100 * MS)
    assert driver.phase() is Phase.PAUSED
    assert driver.verdicts == [(1, Verdict.ACCEPTED)]


# -- the round waits, and goes on by itself


@pytest.mark.parametrize("phase", [Phase.COUNTDOWN, Phase.PLAY], ids=lambda phase: phase.name)
def test_a_round_waits_for_a_moment_and_counts_down_by_itself(phase: Phase) -> None:
    driver = reach(phase)
    away = driver.interrupt()
    assert driver.phase() is Phase.PAUSED and driver.session.interrupted
    back_ns = away.latest_ns + BACK_NS + driver.settings.settle_ns
    driver.until(back_ns - 1)
    assert driver.phase() is Phase.PAUSED
    driver.until(back_ns)
    assert driver.last(PhaseEntered) == PhaseEntered(Phase.COUNTDOWN, back_ns)
    driver.count_down()
    assert not driver.session.troubles.all and not driver.session.impaired


def test_the_round_goes_on_with_all_that_counted() -> None:
    driver = in_play()
    driver.interrupt()
    driver.wait(6 * S)
    assert driver.phase() is Phase.PLAY
    driver.play(2, R2)
    assert driver.verdicts == [(1, Verdict.ACCEPTED), (2, Verdict.ACCEPTED)]
    assert not driver.last(Judged).doubtful
    assert driver.dice.position.left == (11, 11, 0, 0)


def test_the_countdown_after_a_pause_is_begun_again_too(impaired: Driver) -> None:
    impaired.device("left", "ok")
    impaired.wait(1 * S)
    impaired.interrupt()
    assert impaired.phase() is Phase.PAUSED
    impaired.wait(3 * S)
    assert impaired.phase() is Phase.COUNTDOWN
    impaired.wait(3 * S)
    assert impaired.phase() is Phase.PLAY
    assert [started.again for started in impaired.all_of(RoundStarted)] == [False, True]


def test_a_round_that_never_began_has_its_start_call_at_last(countdown: Driver) -> None:
    away = countdown.interrupt()
    until_back(countdown, away)
    assert countdown.all_of(RoundStarted) == []
    countdown.count_down()
    assert countdown.last(RoundStarted).number == 1


@pytest.mark.parametrize("first", AwayReason)
def test_interrupted_again_while_it_waits(first: AwayReason) -> None:
    driver = in_play()
    driver.interrupt(first)
    driver.wait(500 * MS)
    away = driver.interrupt("power")
    until_back(driver, Stamp(0, away.latest_ns - 1))
    assert driver.phase() is Phase.PAUSED
    driver.wait(1)
    assert driver.phase() is Phase.COUNTDOWN
    assert driver.path[-3:] == ["PLAY", "PAUSED", "COUNTDOWN"]


def test_interrupted_again_while_something_is_missing() -> None:
    driver = without_red_1(5 * S)
    away = driver.interrupt()
    driver.late(come(R1, away))
    driver.wait(10 * S)
    assert driver.phase() is Phase.PLAY
    assert driver.state(R1) is SlotState.COUNTED


def test_the_scoreboard_says_that_it_was_off_and_then_counts() -> None:
    driver = in_play()
    away = driver.interrupt()
    assert driver.lines() == ("Table was off", "")
    until_back(driver, away)
    assert driver.lines() == ("Round 1/6", "3")


def test_after_service_it_only_says_that_it_pauses() -> None:
    driver = in_play()
    driver.interrupt("service")
    assert driver.lines() == ("Paused", "")


# -- nothing of it is left behind


@pytest.mark.parametrize("command", [VoidRound, EndMatch])
def test_the_operator_may_end_it_and_the_next_round_knows_nothing_of_it(
    command: type[VoidRound | EndMatch],
) -> None:
    driver = without_red_1(5 * S)
    driver.command(command(driver.exactly))
    assert not driver.session.interrupted and not driver.session.troubles.all
    if command is EndMatch:
        driver.start(12, 12)
    else:
        driver.tap(1, 2)
        driver.count_down()
    assert driver.path.count("PAUSED") == 1
    driver.play(1, R1)
    assert driver.verdicts[-1] == (1, Verdict.ACCEPTED)
    assert not driver.last(Judged).doubtful


def test_a_table_that_everybody_has_left_finds_its_way_home_and_forgets() -> None:
    driver = without_red_1(0)
    settings = driver.settings
    driver.until(driver.session.progress_ns + settings.idle_ns + settings.paused_ns)
    assert driver.phase() is Phase.ATTRACT
    assert not driver.session.troubles.all
    assert driver.lines() == ("Press to play", "")


@pytest.mark.parametrize("every_s", [1, 3, 8, 20])
def test_a_loose_plug_does_not_keep_an_unattended_table_awake(play: Driver, every_s: int) -> None:
    settings = play.settings
    home_ns = play.now_ns + settings.idle_ns + settings.paused_ns + 140 * S
    while play.phase() is not Phase.ATTRACT:
        play.interrupt()
        play.wait(every_s * S)
        assert play.now_ns < home_ns


# -- what was under way


def test_a_slap_under_way_is_decided_as_it_would_have_been_but_doubtful(play: Driver) -> None:
    play.slap_for(1, R1)
    play.wait(300_000)
    play.press(2)
    play.wait(5 * MS)
    assert play.verdicts == []
    play.interrupt()
    decided = [(each.seat, each.verdict, each.doubtful) for each in play.all_of(Judged)]
    assert decided == [(1, Verdict.ACCEPTED, True), (2, Verdict.TOO_LATE, True)]
    play.wait(6 * S)
    assert play.phase() is Phase.PLAY


def test_a_last_slap_under_way_ends_the_round_though_it_waits() -> None:
    driver = Driver(Table(rounds=2))
    driver.start_from(ONE_TO_GO)
    slap = driver.slap_for(1, R6)
    driver.wait(1 * MS)
    driver.interrupt()
    assert driver.path == ["COUNTDOWN", "PLAY", "PAUSED", "SETTLE"]
    assert driver.last(RoundFinished).stamp == slap
    assert not driver.session.interrupted and not driver.session.troubles.all
    driver.until_deadline()
    driver.tap(1, 2)
    assert driver.phase() is Phase.SCORES
    driver.tap(1, 2)
    driver.clear_board()
    driver.tap(1, 2)
    driver.count_down()
    assert driver.path.count("PAUSED") == 1
    driver.play(2, R1)
    assert not driver.last(Judged).doubtful


def test_a_die_that_nobody_slapped_any_more_waits_to_be_placed_again(play: Driver) -> None:
    play.fill(R1)
    play.wait(play.known_after_ns + play.settings.settle_ns)
    assert play.state(R1) is SlotState.OPEN
    play.interrupt()
    play.wait(6 * S)
    assert play.phase() is Phase.PLAY
    assert play.state(R1) is SlotState.LAPSED


def test_a_die_that_was_lifted_in_the_pause_of_an_interruption_is_missed_by_nobody(play: Driver) -> None:
    """It had not counted yet, so it may be taken back like any other."""
    play.fill(R1)
    play.wait(play.known_after_ns + play.settings.settle_ns)
    away = play.interrupt()
    play.late(gone(R1, away))
    play.wait(6 * S)
    assert play.state(R1) is SlotState.FREE
    assert play.phase() is Phase.PLAY


def test_what_happens_while_it_waits_counts_for_nothing() -> None:
    driver = in_play()
    driver.interrupt()
    driver.fill(R2)
    driver.tap(2)
    assert driver.verdicts[-1] == (2, Verdict.NOT_RUNNING)
    assert driver.state(R2) is SlotState.ILLEGAL


def test_what_was_shown_stays() -> None:
    driver = in_play()
    before = list(driver.effects)
    away = driver.interrupt()
    driver.late(gone(R1, away))
    driver.wait(5 * S)
    assert driver.effects[: len(before)] == before
    assert [effect for effect in driver.effects[len(before) :] if isinstance(effect, Judged)] == []
    assert driver.last(SlotChanged).state is SlotState.MISSING


# -- the leftover check


def test_an_operator_can_still_enter_a_count() -> None:
    driver = in_step(CheckStep.CHECK)
    driver.interrupt()
    driver.command(SetLeftover(2, 4, driver.exactly))
    assert driver.last(Corrected) == Corrected(2, 6, 4, Corrector.OPERATOR)


def test_the_stop_call_goes_on() -> None:
    driver = in_step(CheckStep.LATE)
    deadline_ns = driver.session.state.deadline_ns
    driver.interrupt()
    assert settle_of(driver).deadline_ns == deadline_ns
    driver.until_deadline()
    assert settle_of(driver).step is CheckStep.CHECK
