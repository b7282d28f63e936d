"""Between rounds and after the match: scores, an empty board, the standings."""

from __future__ import annotations

import pytest

from firmware_host.durations import MS
from firmware_host.effects import MatchEnded, RoundScored, RoundStarted
from firmware_host.places import Slot
from firmware_host.states import Phase
from firmware_host.table.session import Table
from tests.table.driver import MOMENT_NS, RED, YELLOW, Driver

R6 = Slot(RED, 6)


def scored(rounds: int) -> Driver:
    """A match of two seats after its first round, with the scores on show."""
    driver = Driver(Table(rounds=rounds))
    driver.end_round()
    driver.tap(1, 2)
    assert driver.phase() is Phase.SCORES
    return driver


def scored_with_empty_board(rounds: int) -> Driver:
    """The same, but the board was cleared while the counts were on show."""
    driver = Driver(Table(rounds=rounds))
    driver.end_round()
    driver.clear_board()
    driver.tap(1, 2)
    assert driver.phase() is Phase.SCORES
    return driver


@pytest.fixture
def scores() -> Driver:
    """The scores of the first of two rounds are on show."""
    return scored(2)


@pytest.fixture
def clear(scores: Driver) -> Driver:
    """The board is to be cleared for the second of two rounds."""
    scores.tap(1, 2)
    assert scores.phase() is Phase.CLEAR
    return scores


@pytest.fixture
def over() -> Driver:
    """The only round was scored; the board is still full."""
    driver = scored(1)
    driver.tap(1, 2)
    assert driver.phase() is Phase.CLEAR
    return driver


# -- scores


def test_every_round_sums_to_zero(scores: Driver) -> None:
    assert scores.last(RoundScored).scores == (6, -6, 0, 0)
    assert scores.last(RoundScored).totals == (6, -6, 0, 0)


def test_the_scores_stand_for_a_while(scores: Driver) -> None:
    scores.until_deadline()
    assert scores.phase() is Phase.CLEAR


def test_the_first_die_taken_off_ends_the_scores(scores: Driver) -> None:
    scores.empty(R6)
    scores.wait(scores.known_after_ns)
    assert scores.phase() is Phase.CLEAR


def test_a_die_that_is_put_down_leaves_the_scores_on_show(scores: Driver) -> None:
    scores.fill(Slot(YELLOW, 1))
    scores.wait(scores.known_after_ns)
    assert scores.phase() is Phase.SCORES


def test_one_impatient_player_cannot_skip_the_scores(scores: Driver) -> None:
    for seat in (1, 1, 3):
        scores.tap(seat)
    assert scores.phase() is Phase.SCORES
    scores.tap(2)
    assert scores.phase() is Phase.CLEAR


# -- clearing the board


def test_nobody_can_be_ready_before_the_board_is_empty(clear: Driver) -> None:
    clear.tap(1, 2)
    clear.clear_board()
    assert clear.phase() is Phase.CLEAR
    clear.tap(1, 2)
    assert clear.phase() is Phase.COUNTDOWN
    clear.count_down()
    assert clear.last(RoundStarted).number == 2


def test_the_next_round_waits_for_all_players(clear: Driver) -> None:
    clear.clear_board()
    assert clear.phase() is Phase.CLEAR
    clear.tap(1)
    assert clear.phase() is Phase.CLEAR
    clear.tap(2)
    assert clear.phase() is Phase.COUNTDOWN


def test_a_board_half_cleared_is_not_empty(clear: Driver) -> None:
    clear.empty(R6)
    clear.wait(100 * MS)
    clear.tap(1, 2)
    assert clear.phase() is Phase.CLEAR


def test_whoever_puts_something_down_again_makes_all_ask_again(clear: Driver) -> None:
    clear.clear_board()
    clear.tap(1)
    clear.fill(R6)
    clear.wait(100 * MS)
    clear.clear_board()
    clear.tap(2)
    assert clear.phase() is Phase.CLEAR


def test_a_press_from_before_the_last_die_was_taken_off_is_no_answer(clear: Driver) -> None:
    clear.wait(MOMENT_NS)
    clear.press(1)
    clear.clear_board()
    clear.release(1)
    clear.tap(2)
    assert clear.phase() is Phase.CLEAR


def test_a_press_from_before_the_board_was_to_be_cleared_is_no_answer() -> None:
    scores = scored_with_empty_board(2)
    scores.wait(scores.settings.scores_ns - 500 * MS)
    scores.press(1)
    scores.until_deadline()
    assert scores.phase() is Phase.CLEAR
    scores.release(1)
    scores.wait(100 * MS)
    scores.tap(2)
    assert scores.phase() is Phase.CLEAR


def test_a_long_press_is_no_answer(scores: Driver) -> None:
    scores.hold(1, 2)
    assert scores.phase() is Phase.SCORES


def test_whoever_is_ready_need_not_wait_for_ever(clear: Driver) -> None:
    clear.clear_board()
    clear.tap(1)
    clear.until_deadline()
    assert clear.phase() is Phase.COUNTDOWN


def test_if_nobody_is_ready_they_have_gone_home(clear: Driver) -> None:
    clear.clear_board()
    clear.until_deadline()
    assert clear.phase() is Phase.ATTRACT


def test_if_the_board_is_never_cleared_they_have_gone_home(clear: Driver) -> None:
    clear.tap(1)
    clear.until_deadline()
    assert clear.phase() is Phase.ATTRACT
    assert clear.all_of(MatchEnded) == []


# -- the end of the match


def test_after_the_last_round_an_empty_board_is_enough(over: Driver) -> None:
    over.clear_board()
    assert over.phase() is Phase.RESULT
    assert over.all_of(MatchEnded) == [MatchEnded((1, 2), (6, -6, 0, 0), (1,))]


def test_a_board_that_is_empty_already_need_not_be_cleared() -> None:
    driver = scored_with_empty_board(1)
    driver.tap(1, 2)
    assert driver.phase() is Phase.RESULT


def test_a_board_that_is_cleared_while_the_last_scores_are_on_show_is_enough() -> None:
    driver = scored(1)
    driver.clear_board()
    assert driver.phase() is Phase.RESULT


def test_the_result_comes_even_if_nobody_clears_the_board(over: Driver) -> None:
    over.until_deadline()
    assert over.phase() is Phase.RESULT


def test_everybody_may_leave_the_standings_at_once(over: Driver) -> None:
    over.clear_board()
    over.tap(1, 3)
    assert over.phase() is Phase.RESULT
    over.tap(2)
    assert over.phase() is Phase.ATTRACT


def test_the_standings_outlive_the_match(over: Driver) -> None:
    over.clear_board()
    over.until_deadline()
    assert over.phase() is Phase.ATTRACT
    assert over.session.match is None
    assert over.news.last_match == MatchEnded((1, 2), (6, -6, 0, 0), (1,))


@pytest.mark.parametrize("seats", [(12, 12), (8, 8, 8), (6, 6, 6, 6)])
def test_everybody_plays_three_rounds(seats: tuple[int, ...]) -> None:
    driver = Driver()
    driver.start(*seats)
    assert driver.session.match is not None
    assert driver.session.match.rounds == 3 * len(seats)


def test_a_tie_has_several_winners() -> None:
    driver = Driver(Table(rounds=2))
    driver.start(1, 1)
    for finisher in (1, 2):
        driver.play(finisher, Slot(RED, 1))
        driver.until_deadline()
        driver.tap(1, 2)
        driver.clear_board()
        driver.tap(1, 2)
        if finisher == 1:
            driver.tap(1, 2)
            driver.count_down()
    assert driver.all_of(MatchEnded) == [MatchEnded((1, 2), (0, 0, 0, 0), (1, 2))]
