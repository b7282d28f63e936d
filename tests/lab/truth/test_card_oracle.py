"""What the sheets give for cards, for logs of hands that are written by hand."""

from __future__ import annotations

from firmware_host.lab.bots.movements import (
    ButtonPressed,
    CardHeld,
    CardLaid,
    CardPutBack,
    CardTaken,
    Dealt,
    LigrettoMoved,
    Movement,
)
from firmware_host.lab.truth.oracles import TimedMovement, card_points, card_readings
from firmware_host.model.places import Pad, Pile
from firmware_host.model.times import MS
from tests.lab.truth.logs import card_of


def log(left: dict[int, int], *timed: tuple[int, Movement]) -> list[TimedMovement]:
    return [TimedMovement(t_ms * MS, movement) for t_ms, movement in [(0, Dealt(left)), *timed]]


def points(moves: list[TimedMovement]) -> set[tuple[int, ...]]:
    """The points of each reading."""
    return {tuple(reading.points.values()) for reading in card_readings(moves)}


def play(t_ms: int, seat: int, card: str, *, ligretto: bool = False) -> list[tuple[int, Movement]]:
    """A card is taken, slapped for after 100 ms, and laid in the centre after 900 ms."""
    own = card_of(seat, card)
    return [
        (t_ms, CardTaken(own, ligretto)),
        (t_ms + 100, ButtonPressed(seat)),
        (t_ms + 900, CardLaid(own)),
    ]


def test_a_card_in_the_centre_counts_one_and_a_leftover_costs_two() -> None:
    assert card_points({1: 0, 2: 3}, {1: 11, 2: 4}) == {1: 11, 2: -2}


def test_the_round_ends_when_the_pile_is_empty_and_stop_is_called() -> None:
    moves = log({1: 1, 2: 4}, *play(0, 1, "red 1", ligretto=True), (1500, ButtonPressed(1)))
    assert points(moves) == {(1, -8)}


def test_a_card_moved_to_the_row_leaves_the_pile() -> None:
    moves = log({1: 1, 2: 4}, (500, LigrettoMoved(1)), (1500, ButtonPressed(1, call=True)))
    (reading,) = card_readings(moves)
    assert (reading.finisher, reading.points) == (1, {1: 0, 2: -8})


def test_what_is_laid_between_the_last_card_and_the_call_may_count() -> None:
    laid = play(400, 2, "blue 1")
    moves = log({1: 1, 2: 4}, *laid[:1], (450, LigrettoMoved(1)), *laid[1:], (1500, ButtonPressed(1)))
    assert points(moves) == {(0, -8), (0, -7)}


def test_a_card_that_raced_before_the_call_may_count() -> None:
    laid = play(1000, 2, "blue 1", ligretto=True)
    moves = log({1: 1, 2: 4}, (500, LigrettoMoved(1)), *laid[:2], (1500, ButtonPressed(1)), laid[2])
    assert points(moves) == {(0, -8), (0, -5)}


def test_a_card_that_races_after_the_call_does_not_count() -> None:
    laid = play(1450, 2, "blue 1")
    moves = log({1: 1, 2: 4}, (500, LigrettoMoved(1)), laid[0], (1500, ButtonPressed(1)), *laid[1:])
    assert points(moves) == {(0, -8)}


def test_a_card_on_the_reader_of_a_pile_races_from_then_on() -> None:
    card = card_of(2, "green 1")
    for held_ms, expected in ((1400, {(0, -8), (0, -7)}), (1600, {(0, -8)})):
        timed: list[tuple[int, Movement]] = [
            (500, LigrettoMoved(1)),
            (1000, CardTaken(card, False)),
            (held_ms, CardHeld(card, Pile(3))),
            (1500, ButtonPressed(1)),
            (2200, CardLaid(card)),
        ]
        assert points(log({1: 1, 2: 4}, *sorted(timed, key=lambda each: each[0]))) == expected


def test_a_card_at_a_pad_has_not_raced_and_one_put_back_has_lost() -> None:
    card = card_of(2, "green 1")
    moves = log(
        {1: 1, 2: 4},
        (900, CardTaken(card, True)),
        (950, CardHeld(card, Pad(2))),
        (1000, ButtonPressed(2)),
        (1100, LigrettoMoved(1)),
        (1500, ButtonPressed(1)),
        (1600, CardPutBack(card)),
    )
    assert points(moves) == {(0, -8)}


def test_a_card_beside_the_piles_may_count() -> None:
    moves = log(
        {1: 1, 2: 4}, *play(0, 2, "blue 2"), (1100, LigrettoMoved(1)), (1500, ButtonPressed(1, call=True))
    )
    assert points(moves) == {(0, -8), (0, -7)}


def test_a_wrong_stop_call_ends_nothing() -> None:
    moves = log(
        {1: 2, 2: 4},
        (100, ButtonPressed(1)),
        (300, LigrettoMoved(1)),
        (500, LigrettoMoved(1)),
        (700, ButtonPressed(1)),
    )
    assert points(moves) == {(0, -8)}


def test_a_round_without_an_end_is_scored_as_it_stands() -> None:
    moves = log({1: 2, 2: 4}, *play(0, 1, "red 1"), (2000, ButtonPressed(1)), (2001, ButtonPressed(2)))
    (reading,) = card_readings(moves)
    assert (reading.finisher, reading.points) == (None, {1: -3, 2: -8})
