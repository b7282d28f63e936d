"""How many dice each seat starts with."""

from itertools import product

import pytest

from firmware_host.engine.deal import DICE, checked_deal, deal_faults, standard_deal
from firmware_host.errors import IllegalMove


@pytest.mark.parametrize(("players", "share"), [(2, 12), (3, 8), (4, 6)])
def test_all_dice_are_dealt_in_equal_parts(players: int, share: int) -> None:
    assert standard_deal([True] * players) == (share,) * players


@pytest.mark.parametrize("present", list(product([False, True], repeat=4)))
def test_only_those_present_are_dealt_dice(present: tuple[bool, ...]) -> None:
    if sum(present) < 2:
        with pytest.raises(IllegalMove, match=f"dice need 2 to 4 players, not {sum(present)}"):
            standard_deal(present)
    else:
        deal = standard_deal(present)
        assert sum(deal) == DICE
        assert tuple(dice > 0 for dice in deal) == present
        assert deal_faults(deal) == []


def test_five_are_too_many() -> None:
    with pytest.raises(IllegalMove, match="not 5"):
        standard_deal([True] * 5)


@pytest.mark.parametrize("deal", [(8, 6, 5, 5), (7, 5), (1, 1), (12, 0, 12, 0), (23, 1), (6, 6, 6, 6, 0)])
def test_a_handicap_is_fine_within_24_dice(deal: tuple[int, ...]) -> None:
    assert checked_deal(list(deal)) == deal


@pytest.mark.parametrize(
    ("deal", "faults"),
    [
        ((24, 0), ["deal 24,0: 1 playing, allowed are 2 to 4"]),
        ((), ["deal : 0 playing, allowed are 2 to 4"]),
        ((2, 2, 2, 2, 2), ["deal 2,2,2,2,2: 5 playing, allowed are 2 to 4"]),
        ((13, 12), ["deal 13,12: 25 dice in all, there are only 24"]),
        ((8, -1, 8), ["deal 8,-1,8: a seat has a negative number of dice"]),
        (
            (25, -1, 2, 2, 2),
            [
                "deal 25,-1,2,2,2: a seat has a negative number of dice",
                "deal 25,-1,2,2,2: 5 playing, allowed are 2 to 4",
                "deal 25,-1,2,2,2: 30 dice in all, there are only 24",
            ],
        ),
    ],
)
def test_each_fault_of_a_deal_has_its_line(deal: tuple[int, ...], faults: list[str]) -> None:
    assert deal_faults(deal) == faults
    with pytest.raises(IllegalMove) as error:
        checked_deal(deal)
    assert str(error.value) == "; ".join(faults)


def test_a_deal_of_three_is_faulty_only_for_too_few_seats_or_too_many_dice() -> None:
    for deal in product(range(26), repeat=3):
        playing = sum(dice > 0 for dice in deal)
        assert bool(deal_faults(deal)) == (playing < 2 or sum(deal) > DICE)
