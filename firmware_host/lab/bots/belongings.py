"""The dice or cards of a table as plain data, so that people can go on with them later.

In the data, a card in somebody's fingers lies where it came from, and nobody has said anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.lab.bots.card_area import CardArea
from firmware_host.lab.bots.decks import Decks, parse_area
from firmware_host.lab.bots.dice_set import Dice, Die
from firmware_host.model.errors import TableError
from firmware_host.model.places import ALL_SLOTS, Card, Colour, Slot

BAG = "bag"
Data = Mapping[str, Any]


class OtherBelongings(TableError):
    """The data does not fit the dice or cards of this table."""


def kept(things: Dice | Decks) -> Data:
    """The data of the dice or cards: lists, numbers and texts."""
    return _kept_cards(things) if isinstance(things, Decks) else _kept_dice(things)


def restore(things: Dice | Decks, data: Data) -> None:
    """Put everything where it was; OtherBelongings, and no change, if the data does not fit."""
    try:
        if isinstance(things, Decks):
            _restore_cards(things, data)
        else:
            _restore_dice(things, data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise OtherBelongings(f"these are not the things of this table: {error}") from None


# -- dice


def _kept_dice(dice: Dice) -> Data:
    places = {die.number: BAG for die in dice.bag}
    places |= {die.number: str(slot) for slot, die in dice.board.items()}
    places |= {die.number: str(seat) for seat, hand in dice.hands.items() for die in hand}
    faces = {die.number: die.face for die in _all_dice(dice)}
    return {
        "seats": sorted(dice.hands),
        "dealt": dice.dealt,
        "dice": [[faces[number], places[number]] for number in sorted(faces)],
    }


def _restore_dice(dice: Dice, data: Data) -> None:
    slots = {str(slot): slot for slot in ALL_SLOTS}
    hands: dict[int, list[Die]] = {int(seat): [] for seat in data["seats"]}
    board: dict[Slot, Die] = {}
    bag: list[Die] = []
    every = sorted(_all_dice(dice), key=lambda die: die.number)
    for die, (face, place) in zip(every, data["dice"], strict=True):
        known = Die(die.number, die.colour, int(face))
        if place in slots:
            board[slots[place]] = known
        else:
            (bag if place == BAG else hands[int(place)]).append(known)
    if len(bag) + len(board) + sum(map(len, hands.values())) != len(every):
        raise ValueError("two dice lie on one place")
    dice.bag, dice.board, dice.hands, dice.dealt = bag, board, hands, bool(data["dealt"])


def _all_dice(dice: Dice) -> list[Die]:
    return [*dice.bag, *dice.board.values(), *(die for hand in dice.hands.values() for die in hand)]


# -- cards


def _kept_cards(decks: Decks) -> Data:
    centre = decks.centre
    return {
        "areas": [str(area) for area in decks.areas.values()],
        "piles": [_numbers(pile) for pile in centre.piles],
        "beside": _numbers(centre.beside),
        "dealt": decks.dealt,
    }


def _restore_cards(decks: Decks, data: Data) -> None:
    areas = [_at_rest(parse_area(text)) for text in data["areas"]]
    piles = [_cards(pile) for pile in data["piles"]]
    beside = _cards(data["beside"])
    if len(piles) != len(decks.centre.piles):
        raise ValueError(f"{len(piles)} piles")
    played = sorted(card for area in areas for card in area.played)
    if played != sorted([*beside, *(card for pile in piles for card in pile)]):
        raise ValueError("other cards lie in the centre than were played")
    decks.areas = {area.seat: area for area in areas}
    decks.centre.lay_out(piles, beside)
    decks.dealt = bool(data["dealt"])


def _at_rest(area: CardArea) -> CardArea:
    if area.held is not None:
        area.put_back()
    return area


def _numbers(cards: list[Card]) -> list[list[int]]:
    return [[card.seat, int(card.colour), card.number] for card in cards]


def _cards(numbers: list[list[int]]) -> list[Card]:
    return [Card(seat, Colour(colour), number) for seat, colour, number in numbers]
