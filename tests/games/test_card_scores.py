"""What a round of cards is worth."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import card_scores

hands = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 10)), max_size=12)


def test_a_point_for_each_card_and_two_less_for_each_that_is_left() -> None:
    assert card_scores((12, 7, 0, 3), (0, 2, 0, 10)) == (12, 3, 0, -17)


def test_nobody_scores_at_an_empty_table() -> None:
    assert card_scores((), ()) == ()


@given(hands)
def test_each_seat_scores_for_itself(hands: list[tuple[int, int]]) -> None:
    scores = card_scores([played for played, _ in hands], [left for _, left in hands])
    assert list(scores) == [card_scores([played], [left])[0] for played, left in hands]


@given(st.integers(0, 40), st.integers(0, 9))
def test_one_more_in_the_centre_is_worth_half_of_one_less_in_the_pile(played: int, left: int) -> None:
    (score,) = card_scores([played], [left])
    assert card_scores([played + 1], [left]) == (score + 1,)
    assert card_scores([played], [left + 1]) == (score - 2,)


def test_every_seat_needs_both_numbers() -> None:
    with pytest.raises(ValueError, match="shorter"):
        card_scores((1, 2), (0,))
