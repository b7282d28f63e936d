"""What the sheets give for dice, for logs of hands that are written by hand."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.lab.bots.belongings import Dice
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
from firmware_host.lab.truth.oracles import (
    TimedMovement,
    card_points,
    card_readings,
    closest,
    dice_points,
    dice_readings,
)
from firmware_host.model.places import ALL_SLOTS, Pad, Pile
from firmware_host.model.times import MS
from tests.lab.truth.logs import HandLog, card_of

Result = tuple[int | None, tuple[int, ...]]


def results(log: HandLog, *, signed: bool = True) -> set[Result]:
    """The finisher of each reading, and what the seats have left."""
    return {
        (reading.finisher, tuple(reading.left.values()))
        for reading in dice_readings(log.moves, signed=signed)
    }


def test_the_worked_example_of_the_sheets() -> None:
    log = HandLog(1, 3, 1, 4).sign(1000, 1, "red 1")
    (reading,) = dice_readings(log.moves, signed=True)
    assert reading.points == {1: 8, 2: -3, 3: -1, 4: -4}


def test_nobody_has_finished() -> None:
    assert results(HandLog(2, 2).sign(1000, 1, "red 1")) == set()


def test_a_die_counts_for_who_put_it_down_whoever_signs_for_it() -> None:
    log = HandLog(2, 3).put(1000, 1, "red 1").press(1050, 2).sign(3000, 1, "red 2")
    assert results(log) == {(1, (0, 3))}


def test_a_die_that_lies_there_counts_without_a_signature() -> None:
    log = HandLog(1, 3).put(900, 2, "red 1").sign(1000, 1, "red 2").press(1200, 2)
    assert results(log) == {(1, (0, 2))}


@pytest.mark.parametrize("die", ["yellow 1", "red 2"])
def test_a_die_of_the_wrong_colour_or_number_does_not_count(die: str) -> None:
    assert results(HandLog(1, 2).put(1000, 1, "red 1", die).press(1100, 1)) == set()


def test_only_the_next_place_of_a_row_is_legal() -> None:
    assert results(HandLog(1, 2).sign(1000, 1, "red 2")) == set()
    assert results(HandLog(1, 2).sign(500, 2, "red 1").sign(1000, 1, "red 2")) == {(1, (0, 1))}


def test_a_die_above_a_wrong_one_has_two_readings() -> None:
    log = HandLog(1, 3).put(500, 2, "red 1", "yellow 1").sign(1000, 1, "red 2")
    assert results(log) == {(1, (0, 3))}  # only if it goes by what lies there, the round has ended
    longer = HandLog(2, 3).put(500, 2, "red 1", "blue 4").sign(1000, 1, "red 2").sign(2000, 1, "green 1")
    assert results(longer.sign(3000, 1, "green 2")) == {(1, (0, 3))}


def test_what_was_taken_back_is_in_the_hand_again() -> None:
    log = HandLog(1, 2).sign(500, 2, "red 1").take(700, 2, "red 1").sign(1000, 1, "blue 1")
    assert results(log) == {(1, (0, 2))}


def test_a_wrong_die_that_somebody_else_takes_is_in_that_hand() -> None:
    log = HandLog(2, 2).put(500, 2, "red 1", "blue 1").take(700, 1, "red 1")
    log = log.sign(1000, 2, "red 1")
    assert results(log) == {(2, (3, 0))}


def test_what_is_taken_back_after_the_end_still_counts() -> None:
    log = HandLog(1, 2).sign(500, 2, "red 1").sign(1000, 1, "blue 1").take(4000, 2, "red 1")
    assert results(log) == {(1, (0, 1))}


def test_the_end_may_be_any_moment_from_the_placement_to_the_call() -> None:
    log = HandLog(1, 3).put(1000, 1, "red 1").put(1200, 2, "blue 1").put(1400, 2, "blue 2")
    log = log.press(1450, 1).put(1600, 2, "blue 3")
    assert results(log) == {(1, (0, 3)), (1, (0, 2)), (1, (0, 1))}


def test_without_signatures_the_placement_is_the_end() -> None:
    log = HandLog(1, 3).put(1000, 1, "red 1").put(1200, 2, "blue 1").press(1450, 1)
    assert results(log, signed=False) == {(1, (0, 3))}


def test_an_early_slap_was_the_call() -> None:
    log = HandLog(1, 3).reach(400, 1, "red 1").press(800, 1).put(1000, 1, "red 1")
    log = log.put(1200, 2, "blue 1").press(3000, 1)
    assert results(log) == {(1, (0, 3))}


def test_a_press_before_the_hand_set_out_was_no_call() -> None:
    log = HandLog(1, 3).press(300, 1).reach(400, 1, "red 1").put(1000, 1, "red 1")
    log = log.put(1200, 2, "blue 1").press(3000, 1)
    assert results(log) == {(1, (0, 3)), (1, (0, 2))}


def test_whoever_has_none_left_and_calls_first_may_be_the_finisher() -> None:
    log = HandLog(1, 1, 4).put(1000, 1, "red 1").put(1100, 2, "blue 1").press(1150, 2).press(1300, 1)
    assert results(log) == {(1, (0, 1, 4)), (1, (0, 0, 4)), (2, (0, 0, 4))}


def test_a_player_who_calls_later_is_not_the_finisher() -> None:
    log = HandLog(1, 1, 4).sign(1000, 1, "red 1").sign(1050, 2, "blue 1")
    assert {finisher for finisher, _ in results(log)} == {1}


def test_last_dice_within_a_millisecond_are_together() -> None:
    log = HandLog(1, 1, 4).sign(1000, 1, "red 1").sign(1000.9, 2, "blue 1")
    assert {finisher for finisher, _ in results(log)} == {1, 2}
    apart = HandLog(1, 1, 4).sign(1000, 1, "red 1").sign(1001.1, 2, "blue 1")
    assert {finisher for finisher, _ in results(apart)} == {1}


def test_a_die_that_comes_down_together_with_the_last_one_may_be_in_time() -> None:
    before = HandLog(1, 3).put(999.5, 2, "blue 1").sign(1000, 1, "red 1")
    assert results(before) == {(1, (0, 3)), (1, (0, 2))}
    surely = HandLog(1, 3).put(998, 2, "blue 1").sign(1000, 1, "red 1")
    assert results(surely) == {(1, (0, 2))}


def test_the_closest_reading_is_the_one_with_the_nearest_points() -> None:
    log = HandLog(1, 3).put(1000, 1, "red 1").put(1200, 2, "blue 1").press(1450, 1)
    readings = dice_readings(log.moves, signed=True)
    near = closest(readings, {1: 0, 2: 2}, {1: 2, 2: -2})
    assert near is not None and near.points == {1: 2, 2: -2}
    assert closest([], {1: 0}, {1: 0}) is None


@given(st.dictionaries(st.integers(1, 4), st.integers(0, 12), min_size=2), st.data())
def test_points_are_zero_in_sum(left: dict[int, int], data: st.DataObject) -> None:
    finisher = data.draw(st.sampled_from(sorted(left)))
    points = dice_points({**left, finisher: 0}, finisher)
    assert sum(points.values()) == 0
    assert points[finisher] >= 0 and all(points[seat] <= 0 for seat in left if seat != finisher)


@given(st.integers(0, 2**32), st.sampled_from([(6, 6, 6, 6), (1, 2), (8, 8, 8), (1, 1, 1, 1)]))
def test_each_reading_of_any_round_is_fair(seed: int, deal: tuple[int, ...]) -> None:
    """Hands that do anything: the finisher has none left, the sum is zero, and nothing gets lost."""
    chance, moves = Random(seed), list[TimedMovement]()
    dice, now_ns = Dice(deal, chance), 0
    dice.watch = lambda movement: moves.append(TimedMovement(now_ns, movement))
    dice.deal()
    for _ in range(300):
        now_ns += chance.choice((100_000, 400_000_000))
        seat = chance.choice(list(dice.hands))
        fitting = [
            (die, slot)
            for die in dice.hands[seat]
            for slot in ALL_SLOTS
            if slot not in dice.board and (chance.random() < 0.01 or tuple(slot) == (die.colour, die.face))
        ]
        match chance.choice(("throw", "put", "put", "put", "take", "press")):
            case "throw":
                dice.throw(seat)
            case "put" if fitting:
                dice.put(seat, *chance.choice(fitting))
            case "take" if dice.board and chance.random() < 0.2:
                dice.take_back(seat, chance.choice(sorted(dice.board)))
            case "press":
                moves.append(TimedMovement(now_ns, ButtonPressed(seat)))
            case _:
                pass
    for reading in dice_readings(moves, signed=True):
        assert reading.finisher is not None and reading.left[reading.finisher] == 0
        assert sum(reading.points.values()) == 0
        assert all(0 <= count <= 24 for count in reading.left.values())
        assert reading.points == dice_points(reading.left, reading.finisher)


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
