"""The cards of a seat at the start of a round."""

from random import Random

import pytest

from firmware_host.lab.bots.belongings import deal, full_set, row_size
from firmware_host.model.errors import IllegalMove


def test_a_set_has_each_number_once_in_each_colour() -> None:
    assert len(full_set(3)) == len(set(full_set(3))) == 40
    assert {card.seat for card in full_set(3)} == {3}


@pytest.mark.parametrize(
    ("players", "row", "hand"), [(2, 5, 25), (3, 4, 26), *((players, 3, 27) for players in range(4, 13))]
)
def test_the_number_of_players_sets_the_row_and_so_the_hand(players: int, row: int, hand: int) -> None:
    area = deal(1, players, Random(players))
    assert row_size(players) == row
    assert [len(stack) for stack in area.row] == [1] * row
    assert (len(area.ligretto), len(area.hand), area.discard, area.played) == (10, hand, [], [])
    assert area.count == 40


@pytest.mark.parametrize("ligretto", range(1, 11))
def test_a_smaller_ligretto_pile_leaves_more_for_the_hand(ligretto: int) -> None:
    area = deal(2, 4, Random(0), ligretto)
    assert (area.leftovers, len(area.hand)) == (ligretto, 37 - ligretto)
    assert sorted([*area.ligretto, *area.hand, *(stack[0] for stack in area.row)]) == full_set(2)


def test_the_deal_is_the_seed_s_and_nothing_else_s() -> None:
    assert deal(1, 2, Random(7)) == deal(1, 2, Random(7))
    assert deal(1, 2, Random(7)) != deal(1, 2, Random(8))


def test_experts_are_dealt_like_others() -> None:
    area = deal(1, 2, Random(7), expert=True)
    assert area.expert
    area.expert = False
    assert area == deal(1, 2, Random(7))


@pytest.mark.parametrize(("players", "ligretto"), [(1, 10), (13, 10), (4, 0), (4, 11)])
def test_no_such_deal(players: int, ligretto: int) -> None:
    with pytest.raises(IllegalMove, match="deal"):
        deal(1, players, Random(0), ligretto)
