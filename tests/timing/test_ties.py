"""Who gets it when nobody was first: fairly, and never by number or order."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.places import Colour, Slot
from firmware_host.timing.ties import TieBreaker

SLOT = Slot(Colour.GREEN, 4)
HEATS = 10_000

# A fair lot exceeds these for one seed in a thousand; keyed by degrees of freedom.
CHI_SQUARED_AT_ONE_IN_A_THOUSAND = {1: 10.828, 2: 13.816, 3: 16.266}

GROUPS = [(1, 2), (2, 4), (1, 3, 4), (1, 2, 3, 4)]


def fresh_each_time(heats: Iterable[Sequence[int]], seed: int) -> list[int]:
    """The winners if every heat is the first of its match."""
    lot = Random(seed)
    return [TieBreaker(lot).settle(SLOT, seats).winner for seats in heats]


def one_for_all(heats: Iterable[Sequence[int]], seed: int) -> list[int]:
    """The winners if all heats are of one match."""
    ties = TieBreaker(Random(seed))
    return [ties.settle(SLOT, seats).winner for seats in heats]


def a_match_each(heats: Iterable[Sequence[int]], seed: int) -> list[int]:
    """The winners if every heat is the first of its match, and every match has its own seed."""
    return [TieBreaker(Random(seed + n)).settle(SLOT, seats).winner for n, seats in enumerate(heats)]


def assert_even(winners: Iterable[int], seats: Sequence[int]) -> None:
    wins = Counter(winners)
    assert set(wins) <= set(seats)
    expected = wins.total() / len(seats)
    chi_squared = sum((wins[seat] - expected) ** 2 / expected for seat in seats)
    assert chi_squared < CHI_SQUARED_AT_ONE_IN_A_THOUSAND[len(seats) - 1], wins


@pytest.mark.parametrize("group", GROUPS, ids=str)
@pytest.mark.parametrize("winners_of", [fresh_each_time, a_match_each, one_for_all])
def test_ten_thousand_dead_heats_are_won_evenly(
    winners_of: Callable[[Iterable[Sequence[int]], int], list[int]], group: tuple[int, ...]
) -> None:
    assert_even(winners_of([group] * HEATS, 5), group)


@pytest.mark.parametrize("group", GROUPS, ids=str)
def test_in_one_match_nobody_is_ever_more_than_one_win_ahead(group: tuple[int, ...]) -> None:
    wins = Counter(dict.fromkeys(group, 0))
    for winner in one_for_all([group] * 100, 5):
        wins[winner] += 1
        assert max(wins.values()) - min(wins.values()) <= 1


def test_who_wins_first_is_even_too() -> None:
    """In one match of two the second heat goes to the loser of the first: look at every other."""
    assert_even(one_for_all([(1, 2)] * (2 * HEATS), 5)[::2], (1, 2))


def test_changing_groups_are_even_as_well() -> None:
    chance = Random(6)
    heats = [chance.sample((1, 2, 3, 4), chance.choice((2, 3, 4))) for _ in range(HEATS)]
    assert_even(one_for_all(heats, 5), (1, 2, 3, 4))
    assert_even(fresh_each_time(heats, 5), (1, 2, 3, 4))


heats = st.lists(st.lists(st.sampled_from((1, 2, 3, 4)), min_size=2, max_size=4, unique=True), max_size=12)


@given(heats, st.integers(0, 99), st.randoms(use_true_random=False))
def test_the_order_in_which_seats_are_given_does_not_matter(
    heats: list[list[int]], seed: int, chance: Random
) -> None:
    shuffled = [chance.sample(seats, len(seats)) for seats in heats]
    one, other = TieBreaker(Random(seed)), TieBreaker(Random(seed))
    assert [one.settle(SLOT, seats) for seats in heats] == [other.settle(SLOT, seats) for seats in shuffled]


@given(heats, st.integers(0, 99))
def test_the_winner_is_always_one_with_the_fewest_wins(heats: list[list[int]], seed: int) -> None:
    ties, wins = TieBreaker(Random(seed)), Counter[int]()
    for seats in heats:
        tie = ties.settle(SLOT, seats)
        fewest = min(wins[seat] for seat in seats)
        assert tie.winner in seats
        assert wins[tie.winner] == fewest
        assert tie.won_before == tuple(wins[seat] for seat in tie.seats)
        assert tie.drawn == (sum(wins[seat] == fewest for seat in seats) > 1)
        wins[tie.winner] += 1
