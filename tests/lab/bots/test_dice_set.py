"""The dice of simulated people: 24 of them, always, wherever they are."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.lab.bots.belongings import FACES, PER_COLOUR, Dice, Die
from firmware_host.lab.bots.movements import (
    Dealt,
    DieCleared,
    DiePut,
    DieTaken,
    HandReached,
    Movement,
    Thrown,
)
from firmware_host.model.places import ALL_SLOTS, Colour, Slot

DEALS = ((12, 12, 0, 0), (8, 0, 8, 8), (6, 6, 6, 6), (5, 7), (1, 1))
TWO = (12, 12)


def everywhere(dice: Dice) -> list[Die]:
    return [*dice.bag, *dice.board.values(), *(die for hand in dice.hands.values() for die in hand)]


def place(dice: Dice, seat: int, colour: Colour, *numbers: int) -> None:
    """Any dice of a hand onto these places."""
    for number in numbers:
        dice.put(seat, dice.hands[seat][0], Slot(colour, number))


@given(
    st.sampled_from(DEALS),
    st.integers(0, 2**32),
    st.lists(st.sampled_from(("deal", "throw", "put", "take back", "clear")), max_size=60),
)
def test_no_die_is_ever_lost_or_doubled(deal: tuple[int, ...], seed: int, deeds: list[str]) -> None:
    chance = Random(seed)
    dice = Dice(deal, chance)
    seats = [seat for seat, count in enumerate(deal, start=1) if count]
    dice.deal()
    for deed in deeds:
        seat = chance.choice(seats)
        free = [slot for slot in ALL_SLOTS if slot not in dice.board]
        match deed:
            case "deal" if not dice.board:
                dice.deal()
            case "throw":
                dice.throw(seat)
            case "put" if dice.hands[seat]:
                dice.put(seat, dice.hands[seat][0], chance.choice(free))
            case "take back" if dice.board:
                dice.take_back(seat, chance.choice(sorted(dice.board)))
            case "clear" if dice.board:
                dice.clear(chance.choice(sorted(dice.board)))
        assert dice.count() == 24
        assert len({id(die) for die in everywhere(dice)}) == 24
        assert set(Counter(die.colour for die in everywhere(dice)).values()) == {PER_COLOUR}


@given(st.sampled_from(DEALS), st.integers(0, 2**32))
def test_a_deal_gives_each_seat_its_number(deal: tuple[int, ...], seed: int) -> None:
    dice = Dice(deal, Random(seed))
    dice.deal()
    dice.deal()
    assert tuple(len(dice.hands.get(seat, ())) for seat in range(1, len(deal) + 1)) == deal
    assert dice.players == [seat for seat, count in enumerate(deal, start=1) if count]
    assert len(dice.bag) == 24 - sum(deal)


def test_colours_are_dealt_unevenly() -> None:
    dice = Dice(TWO, Random(1))
    dice.deal()
    assert len(set(Counter(die.colour for die in dice.hands[1]).values())) > 1


def test_a_throw_is_of_all_dice_of_one_hand_and_of_no_others() -> None:
    dice = Dice(TWO, Random(1))
    dice.deal()
    for die in everywhere(dice):
        die.face = 0
    dice.throw(1)
    assert all(1 <= die.face <= FACES for die in dice.hands[1])
    assert all(die.face == 0 for die in dice.hands[2])


def test_every_face_comes_up() -> None:
    dice = Dice(TWO, Random(1))
    dice.deal()
    seen = set()
    for _ in range(20):
        dice.throw(1)
        seen |= {die.face for die in dice.hands[1]}
    assert seen == set(range(1, FACES + 1))


def test_a_row_is_as_high_as_its_dice_lie_without_a_gap() -> None:
    dice = Dice(TWO, Random(1))
    dice.deal()
    assert dice.height(Colour.RED) == 0
    place(dice, 1, Colour.RED, 1, 2, 4)
    assert dice.height(Colour.RED) == 2
    place(dice, 2, Colour.RED, 3, 5, 6)
    assert dice.height(Colour.RED) == 6
    dice.clear(Slot(Colour.RED, 1))
    assert dice.height(Colour.RED) == 0


def test_a_die_comes_back_to_the_hand_that_takes_it() -> None:
    dice = Dice(TWO, Random(1))
    dice.deal()
    die = dice.hands[1][0]
    dice.put(1, die, Slot(Colour.BLUE, 1))
    assert die not in dice.hands[1]
    dice.take_back(1, Slot(Colour.BLUE, 1))
    assert die in dice.hands[1] and not dice.board


def test_an_onlooker_gets_each_movement_of_a_hand() -> None:
    dice, seen = Dice((1, 2), Random(1)), list[Movement]()
    dice.watch = seen.append
    dice.deal()
    dice.throw(1)
    (die,) = dice.hands[1]
    slot = Slot(Colour.RED, 1)
    dice.reach(1, slot)
    dice.put(1, die, slot)
    dice.take_back(1, slot)
    dice.put(1, die, slot)
    dice.clear(slot)
    put = DiePut(1, die.tag, slot)
    assert seen == [
        Dealt({1: 1, 2: 2}),
        Thrown(1, 1),
        HandReached(1, slot),
        put,
        DieTaken(1, die.tag, slot),
        put,
        DieCleared(die.tag, slot),
    ]
