"""Dice and cards as data: what is put back is what was there, and nothing else is taken for it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from firmware_host.lab.bots.belongings import Decks, Dice
from firmware_host.lab.bots.card_area import LIGRETTO
from firmware_host.lab.world.things import OtherBelongings, kept, restore
from firmware_host.model.places import Colour, Slot

DEAL = (6, 6, 0, 6)
RED_1 = Slot(Colour.RED, 1)


def some_dice() -> Dice:
    dice = Dice(DEAL, Random(1))
    dice.deal()
    dice.throw(1)
    dice.put(1, dice.hands[1][0], RED_1)
    return dice


def some_cards() -> Decks:
    decks = Decks((10, 0, 10), 8, Random(1))
    decks.deal()
    for seat in (1, 3):
        area = decks.areas[seat]
        area.turn()
        area.take(LIGRETTO)
        decks.centre.put(area.lay_in_centre(), seat)
    decks.areas[1].take(LIGRETTO)
    decks.areas[1].put_back()
    return decks


def as_written(things: Dice | Decks) -> Any:
    return json.loads(json.dumps(kept(things)))


def test_dice_are_where_they_were() -> None:
    before, after = some_dice(), Dice(DEAL, Random(2))
    restore(after, as_written(before))
    assert as_written(after) == as_written(before)
    assert (after.board[RED_1].number, after.board[RED_1].face) == (
        before.board[RED_1].number,
        before.board[RED_1].face,
    )
    assert after.dealt and after.count() == 24 and len(after.hands[1]) == 5
    after.clear(RED_1)
    after.deal()
    assert after.count() == 24


def test_dice_that_nobody_has_dealt_are_in_the_bag() -> None:
    after = some_dice()
    restore(after, as_written(Dice(DEAL, Random(1))))
    assert len(after.bag) == 24 and not after.hands and not after.dealt


def test_cards_are_where_they_were() -> None:
    before, after = some_cards(), Decks((10, 0, 10), 8, Random(2))
    restore(after, as_written(before))
    assert as_written(after) == as_written(before)
    assert after.centre.wanted == before.centre.wanted and after.centre.wanted
    assert after.dealt and after.count() == 80 and sorted(after.areas) == [1, 3]


def test_a_card_in_the_fingers_goes_back_and_one_beside_the_piles_stays_there() -> None:
    before, after = some_cards(), Decks((10, 0, 10), 8, Random(2))
    area = before.areas[3]
    area.take(LIGRETTO)
    before.centre.put(area.lay_in_centre(), None)
    card = area.take(LIGRETTO)
    restore(after, as_written(before))
    assert after.areas[3].held is None and after.areas[3].ligretto[-1] == card
    assert len(after.centre.beside) == 1 and after.count() == 80


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda data: data.pop("dice"),
        lambda data: data["dice"].pop(),
        lambda data: data["dice"][0].pop(),
        lambda data: data["dice"][0].__setitem__(1, "nowhere"),
        lambda data: data["dice"][0].__setitem__(1, "9"),
        lambda data: [die.__setitem__(1, "red 2") for die in data["dice"][:2]],
        lambda data: data.__setitem__("seats", 7),
    ],
)
def test_other_dice_are_refused(spoilt: Any) -> None:
    data, dice = as_written(some_dice()), some_dice()
    before = as_written(dice)
    spoilt(data)
    with pytest.raises(OtherBelongings, match="not the things of this table"):
        restore(dice, data)
    assert as_written(dice) == before


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda data: data.pop("areas"),
        lambda data: data["areas"].append("not cards"),
        lambda data: data["piles"].pop(),
        lambda data: data["piles"][0].append([1, 9, 1]),
        lambda data: data["piles"][0].clear(),
        lambda data: data["beside"].append([1, 0, 10]),
    ],
)
def test_other_cards_are_refused(spoilt: Any) -> None:
    data, decks = as_written(some_cards()), some_cards()
    before = as_written(decks)
    spoilt(data)
    with pytest.raises(OtherBelongings):
        restore(decks, data)
    assert as_written(decks) == before


def test_cards_are_no_dice() -> None:
    with pytest.raises(OtherBelongings):
        restore(some_dice(), as_written(some_cards()))
    with pytest.raises(OtherBelongings):
        restore(some_cards(), as_written(some_dice()))
