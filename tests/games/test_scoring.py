"""What a round is worth and who has won."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import dice_scores, ranking, winners

ALL = (True,) * 4
totals_of_four = st.tuples(*[st.integers(-9, 9)] * 4)
presence = st.tuples(*[st.booleans()] * 4).filter(any)


def test_the_worked_example_of_the_rules() -> None:
    assert dice_scores((0, 3, 1, 4), finisher=1) == (8, -3, -1, -4)


def test_every_round_of_four_sums_to_zero() -> None:
    for leftovers in product(range(7), repeat=4):
        for finisher in (1, 2, 3, 4):
            assert sum(dice_scores(leftovers, finisher)) == 0


@given(st.lists(st.integers(0, 23), min_size=2, max_size=4), st.data())
def test_everybody_but_the_finisher_loses_what_is_held(leftovers: list[int], data: st.DataObject) -> None:
    finisher = data.draw(st.integers(1, len(leftovers)))
    scores = dice_scores(leftovers, finisher)
    for seat, (held, score) in enumerate(zip(leftovers, scores, strict=True), start=1):
        assert score == -held or seat == finisher
    assert scores[finisher - 1] >= 0


def test_an_empty_seat_scores_nothing() -> None:
    assert dice_scores((0, 0, 2, 5), finisher=1) == (7, 0, -2, -5)


@pytest.mark.parametrize(
    ("totals", "ranks"),
    [
        ((3, 1, 0, -4), [(1, 1, 3), (2, 2, 1), (3, 3, 0), (4, 4, -4)]),
        ((1, 3, 3, -7), [(1, 2, 3), (1, 3, 3), (3, 1, 1), (4, 4, -7)]),
        ((0, 0, 0, 0), [(1, 1, 0), (1, 2, 0), (1, 3, 0), (1, 4, 0)]),
        ((5, -5, -5, 5), [(1, 1, 5), (1, 4, 5), (3, 2, -5), (3, 3, -5)]),
    ],
)
def test_equal_totals_share_a_rank(totals: tuple[int, ...], ranks: list[tuple[int, int, int]]) -> None:
    assert ranking(totals, ALL) == ranks


def test_an_empty_seat_has_no_rank_even_where_zero_would_win() -> None:
    assert ranking((-1, 0, -2), (True, False, True)) == [(1, 1, -1), (2, 3, -2)]


@given(totals_of_four, presence)
def test_a_rank_is_one_more_than_the_number_of_better_seats(
    totals: tuple[int, ...], playing: tuple[bool, ...]
) -> None:
    ranked = ranking(totals, playing)
    assert sorted(seat for _, seat, _ in ranked) == [seat for seat in (1, 2, 3, 4) if playing[seat - 1]]
    for rank, seat, total in ranked:
        assert total == totals[seat - 1]
        assert rank == 1 + sum(other > total for _, _, other in ranked)


@given(totals_of_four, presence)
def test_the_winners_are_all_with_the_best_total(totals: tuple[int, ...], playing: tuple[bool, ...]) -> None:
    best = max(total for total, here in zip(totals, playing, strict=True) if here)
    assert winners(totals, playing) == tuple(
        seat for seat in (1, 2, 3, 4) if playing[seat - 1] and totals[seat - 1] == best
    )
