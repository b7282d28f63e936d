"""The cards of a seat at the start of a round."""

from __future__ import annotations

from random import Random

from firmware_host.errors import IllegalMove
from firmware_host.places import CARD_NUMBERS, Card, Colour
from firmware_host.players.cards.area import CardArea

FEWEST_PLAYERS, MOST_PLAYERS = 2, 12
LIGRETTO_CARDS = 10
LONGEST_ROW = 5
_ROW_SIZES = {2: LONGEST_ROW, 3: 4}
_SHORTEST_ROW = 3


def full_set(seat: int) -> list[Card]:
    """All 40 cards of a seat, in order."""
    return [Card(seat, colour, number) for colour in Colour for number in range(1, CARD_NUMBERS + 1)]


def row_size(players: int) -> int:
    """How many stacks a row has with that many players."""
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise IllegalMove(f"deal for {players} players: {FEWEST_PLAYERS} to {MOST_PLAYERS} can play")
    return _ROW_SIZES.get(players, _SHORTEST_ROW)


def deal(
    seat: int, players: int, chance: Random, ligretto: int = LIGRETTO_CARDS, *, expert: bool = False
) -> CardArea:
    """A seat's set, shuffled and laid out for that many players; a smaller Ligretto pile is a handicap."""
    size = row_size(players)
    if not 1 <= ligretto <= LIGRETTO_CARDS:
        raise IllegalMove(f"deal a Ligretto pile of {ligretto}: it has 1 to {LIGRETTO_CARDS} cards")
    cards = full_set(seat)
    chance.shuffle(cards)
    row = [[cards.pop()] for _ in range(size)]
    pile = cards[-ligretto:]
    del cards[-ligretto:]
    return CardArea(seat, row, pile, cards, expert=expert)
