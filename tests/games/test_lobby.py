"""Before a match: sitting down, calling, an operator's start, and dealing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import CARD_GAME, DICE_GAME, Game, Table
from firmware_host.model.effects import Refused, SeatTaken
from firmware_host.model.events import EndMatch, StartMatch
from firmware_host.model.places import Card, Colour, Pad, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import Phase
from firmware_host.model.times import MS, S
from tests.games.card_driver import CALL_BUTTONS, CardDriver
from tests.games.driver import BLUE, ONE_TO_GO, Driver


def dealt(driver: Driver) -> tuple[int, ...]:
    assert driver.session.match is not None
    return driver.session.match.deal


# -- people come


def test_the_first_of_two_calls_at_one_moment_is_enough(driver: Driver) -> None:
    driver.tap(1, 2, 3)
    driver.hold(2, 3)
    assert driver.path == ["JOIN", "CLEAR"]


def test_a_short_press_calls_nothing(driver: Driver) -> None:
    driver.tap(1, 2)
    driver.press(2)
    driver.wait(driver.settings.hold_ns - 1 * MS)
    driver.release(2)
    driver.wait(1 * S)
    assert driver.phase() is Phase.JOIN


def test_an_agreed_deal_holds_for_the_seats_it_was_made_for() -> None:
    driver = Driver(Table(deal=(5, 7, 0, 0)))
    driver.tap(1, 2)
    driver.until_deadline()
    assert dealt(driver) == (5, 7, 0, 0)


def test_an_agreed_deal_is_left_aside_when_others_play() -> None:
    driver = Driver(Table(deal=(5, 7, 0, 0)))
    driver.tap(1, 3)
    driver.until_deadline()
    assert dealt(driver) == (12, 0, 12, 0)


# -- closed seats and handicaps


def test_nobody_sits_down_at_a_closed_seat() -> None:
    driver = Driver(Table(closed=frozenset({1, 3})))
    driver.tap(1, 3)
    assert driver.phase() is Phase.ATTRACT and driver.session.seated == set()
    driver.tap(2)
    deadline_ns = driver.session.state.deadline_ns
    driver.tap(3)
    assert driver.session.seated == {2}
    assert driver.session.state.deadline_ns == deadline_ns
    assert driver.all_of(SeatTaken) == [SeatTaken(2)]


def test_a_closed_seat_calls_no_match() -> None:
    driver = Driver(Table(closed=frozenset({1})))
    driver.tap(2)
    driver.hold(1)
    assert driver.phase() is Phase.JOIN


def test_a_table_is_full_when_all_open_seats_are_taken() -> None:
    driver = Driver(Table(closed=frozenset({3})))
    assert driver.session.table.open_seats == 3
    driver.tap(1, 2)
    driver.wait(driver.settings.count_ns)
    assert driver.phase() is Phase.JOIN
    driver.tap(4)
    driver.wait(driver.settings.count_ns)
    assert driver.phase() is Phase.CLEAR
    assert dealt(driver) == (8, 8, 0, 8)


def test_the_operator_may_start_a_match_at_any_seats() -> None:
    driver = Driver(Table(closed=frozenset({1})))
    driver.start(12, 12)
    assert driver.session.seated == {1, 2}


@pytest.mark.parametrize(
    ("handicap", "seats", "deal"),
    [
        ((), (1, 2, 3, 4), (6, 6, 6, 6)),
        ((2,), (1, 2, 3, 4), (4, 6, 6, 6)),
        ((0, 5, 0, 3), (1, 2, 4), (8, 3, 0, 5)),
        ((5, 6, 99, 0), (1, 2, 3, 4), (1, 1, 1, 6)),
        ((0, 4, 0, 0, 9, 9), (1, 2), (12, 8, 0, 0)),
        ((-2, -2), (1, 2, 3, 4), (7, 7, 5, 5)),
        ((-2, -2), (2, 3), (0, 13, 11, 0)),
    ],
)
def test_a_handicap_is_so_many_fewer_or_more_but_everybody_gets_one(
    handicap: tuple[int, ...], seats: tuple[int, ...], deal: tuple[int, ...]
) -> None:
    driver = Driver(Table(handicap=handicap))
    driver.tap(*seats)
    driver.until_deadline()
    assert dealt(driver) == deal


def test_a_handicap_is_left_aside_where_something_else_was_agreed() -> None:
    driver = Driver(Table(deal=(5, 7, 0, 0), handicap=(1, 1, 1, 1)))
    driver.tap(1, 2)
    driver.until_deadline()
    assert dealt(driver) == (5, 7, 0, 0)


@given(
    st.sampled_from([DICE_GAME, CARD_GAME]),
    st.lists(st.booleans(), min_size=4, max_size=4).filter(lambda present: sum(present) > 1),
    st.lists(st.integers(-30, 30), max_size=8).map(tuple),
)
def test_whatever_the_handicaps_a_usual_deal_can_be_played(
    game: Game, present: list[bool], handicap: tuple[int, ...]
) -> None:
    deal = Table(game=game, handicap=handicap).usual_deal(present)
    assert [count > 0 for count in deal] == present
    assert game.checked_deal(deal) == deal


# -- the operator starts


def test_the_operator_can_start_while_people_are_sitting_down(driver: Driver) -> None:
    driver.tap(4)
    driver.start(12, 12)
    assert driver.session.seated == {1, 2}


def test_the_operator_cannot_start_over_things_on_the_board_either(driver: Driver) -> None:
    driver.fill(Slot(BLUE, 3))
    driver.wait(100 * MS)
    driver.command(StartMatch((12, 12), driver.exactly))
    assert driver.phase() is Phase.CLEAR


@pytest.mark.parametrize(
    ("deal", "position", "reason"),
    [
        ((6, 6, 6, 6, 6), "", "this table has 4 seats"),
        ((24,), "", "1 playing, allowed are 2 to 4"),
        ((13, 12), "", "25 dice in all, there are only 24"),
        ((6, 6), "r5y0", "is no dice position"),
        ((5, 6), ONE_TO_GO, "no round can go on"),
        ((6, 6), "r6y0g0b0 0/6,6/6,-,- won=1", "no round can go on"),
        ((6, 6), "r6y0g0b0 1/6,6/6,-,-", "no round can go on"),
        ((6, 6), ONE_TO_GO, "the board does not hold"),
    ],
)
def test_a_start_that_makes_no_sense_is_refused_with_its_reason(
    driver: Driver, deal: tuple[int, ...], position: str, reason: str
) -> None:
    (refused,) = driver.command(StartMatch(deal, driver.exactly, position))
    assert isinstance(refused, Refused)
    assert refused.command == "StartMatch"
    assert reason in refused.reason
    assert driver.phase() is Phase.ATTRACT and driver.session.match is None


def test_after_a_match_that_was_given_up_nobody_sits_any_more(driver: Driver) -> None:
    driver.start(12, 12)
    driver.command(EndMatch(driver.exactly))
    assert driver.phase() is Phase.ATTRACT
    driver.tap(3)
    assert driver.session.seated == {3}


# -- as long as people are busy with dealing, the table waits


CARD = Card(1, Colour.RED, 7)


def sorting(settings: Settings | None = None) -> CardDriver:
    """Two players have sat down to play cards, and sort them now."""
    driver = CardDriver(replace(CALL_BUTTONS, seats=2, rounds=1), settings)
    driver.tap(1, 2)
    driver.until_deadline()
    assert driver.phase() is Phase.CLEAR
    return driver


def test_a_tag_that_lies_there_already_gives_no_time() -> None:
    driver = sorting()
    driver.arm(CARD)
    deadline_ns = driver.session.state.deadline_ns
    driver.wait(10 * S)
    driver.arm(CARD)
    assert driver.session.state.deadline_ns == deadline_ns


@pytest.mark.parametrize(
    ("settings", "most_ns"),
    [(Settings(), 600 * S), (Settings(clear_ns=700 * S), 700 * S)],
    ids=["as long as a pause", "but at least the time to clear"],
)
def test_a_noisy_reader_does_not_hold_up_an_empty_table_for_ever(settings: Settings, most_ns: int) -> None:
    driver = sorting(settings)
    entered_ns = driver.session.state.entered_ns
    while driver.phase() is Phase.CLEAR:
        driver.arm(CARD)
        driver.disarm(CARD)
        driver.wait(50 * S)
        assert driver.now_ns < entered_ns + most_ns + 60 * S
    assert driver.session.state.entered_ns == entered_ns + most_ns


def test_when_the_match_is_over_nobody_waits_for_tags() -> None:
    driver = sorting()
    driver.tap(1, 2)
    driver.until_deadline()
    driver.show(Pad(2), Card(2, Colour.BLUE, 5))
    driver.stop(1)
    driver.until_deadline()
    driver.tap(1, 2)
    driver.tap(1, 2)
    assert driver.path[-3:] == ["SCORES", "CLEAR", "RESULT"]
