"""Between rounds and after the match: scores, an empty board, the standings."""

from __future__ import annotations

import pytest

from firmware_host.games.games import Table
from firmware_host.model.places import Slot
from firmware_host.model.states import Phase
from firmware_host.model.times import MS
from tests.games.driver import RED, YELLOW, Driver

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


def test_the_first_die_taken_off_ends_the_scores(scores: Driver) -> None:
    scores.empty(R6)
    scores.wait(scores.known_after_ns)
    assert scores.phase() is Phase.CLEAR


def test_a_die_that_is_put_down_leaves_the_scores_on_show(scores: Driver) -> None:
    scores.fill(Slot(YELLOW, 1))
    scores.wait(scores.known_after_ns)
    assert scores.phase() is Phase.SCORES


# -- clearing the board


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


# -- the end of the match


def test_a_board_that_is_empty_already_need_not_be_cleared() -> None:
    driver = scored_with_empty_board(1)
    driver.tap(1, 2)
    assert driver.phase() is Phase.RESULT


def test_a_board_that_is_cleared_while_the_last_scores_are_on_show_is_enough() -> None:
    driver = scored(1)
    driver.clear_board()
    assert driver.phase() is Phase.RESULT


def test_everybody_may_leave_the_standings_at_once(over: Driver) -> None:
    over.clear_board()
    over.tap(1, 3)
    assert over.phase() is Phase.RESULT
    over.tap(2)
    assert over.phase() is Phase.ATTRACT
