"""Rounds between the same seats, and who has won them."""

from dataclasses import FrozenInstanceError
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import DICE_GAME, Match, dice_scores, new_match
from firmware_host.model.errors import IllegalMove

leftovers_and_finishers = st.lists(
    st.tuples(st.tuples(*[st.integers(0, 6)] * 4), st.integers(1, 4)), max_size=6
)


@pytest.mark.parametrize("present", [p for p in product([False, True], repeat=4) if sum(p) >= 2])
def test_three_rounds_a_player(present: tuple[bool, ...]) -> None:
    match = new_match(DICE_GAME, DICE_GAME.standard_deal(present))
    assert match.rounds == 3 * sum(present)
    assert match.playing == present
    assert match.seats == tuple(seat for seat in (1, 2, 3, 4) if present[seat - 1])


def test_another_number_of_rounds_may_be_agreed() -> None:
    assert new_match(DICE_GAME, (6, 6, 6, 6), rounds=1).rounds == 1


@pytest.mark.parametrize("rounds", [0, -1])
def test_a_match_has_at_least_one_round(rounds: int) -> None:
    with pytest.raises(IllegalMove, match=f"start a match of {rounds} rounds: it needs at least one"):
        new_match(DICE_GAME, (6, 6, 6, 6), rounds)


def test_a_faulty_deal_makes_no_match() -> None:
    with pytest.raises(IllegalMove, match="1 playing"):
        new_match(DICE_GAME, (6,))


def test_a_match_from_first_round_to_last() -> None:
    match = new_match(DICE_GAME, (12, 12), rounds=2)
    assert (match.round_number, match.totals, match.over, match.winners) == (1, (0, 0), False, ())
    match = match.scored(dice_scores((0, 5), 1))
    assert (match.round_number, match.totals, match.over, match.winners) == (2, (5, -5), False, ())
    match = match.scored(dice_scores((2, 0), 2))
    assert (match.round_number, match.totals, match.over, match.winners) == (2, (3, -3), True, (1,))
    assert match.ranking == [(1, 1, 3), (2, 2, -3)]


def test_a_tie_has_several_winners() -> None:
    match = new_match(DICE_GAME, (8, 0, 8, 8), rounds=3)
    for leftovers, finisher in [((0, 0, 2, 1), 1), ((2, 0, 0, 1), 3), ((1, 0, 1, 0), 4)]:
        match = match.scored(dice_scores(leftovers, finisher))
    assert match.totals == (0, 0, 0, 0)
    assert match.winners == (1, 3, 4)


def test_no_round_is_scored_after_the_last() -> None:
    match = new_match(DICE_GAME, (12, 12), rounds=1).scored(dice_scores((0, 5), 1))
    with pytest.raises(IllegalMove, match="score a round: all 1 rounds are played"):
        match.scored(dice_scores((0, 5), 1))
    assert match.scores == ((5, -5),)


def test_a_match_is_a_value() -> None:
    match = new_match(DICE_GAME, (12, 12))
    later = match.scored(dice_scores((0, 5), 1))
    assert match.scores == ()
    with pytest.raises(FrozenInstanceError):
        later.rounds = 99  # type: ignore[misc]


@given(leftovers_and_finishers)
def test_the_totals_of_a_match_sum_to_zero(rounds: list[tuple[tuple[int, ...], int]]) -> None:
    match = Match((6, 6, 6, 6), len(rounds))
    for leftovers, finisher in rounds:
        match = match.scored(dice_scores(leftovers, finisher))
    assert match.over
    assert sum(match.totals) == 0
