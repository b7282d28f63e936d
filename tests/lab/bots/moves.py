"""Every private move there is, legal or not, for tests that make many of them."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from firmware_host.lab.bots.card_area import DISCARD, LIGRETTO, CardArea, Heap, NextCards, Origin
from firmware_host.model.errors import IllegalMove
from firmware_host.model.places import Card


class Move(NamedTuple):
    """A move by its name, with the pile it takes from and the stack it goes to."""

    name: str
    origin: Origin = LIGRETTO
    stack: int = 0


def every_move(area: CardArea) -> list[Move]:
    """Every move that can be written down, also for stacks that do not exist."""
    stacks = range(-1, len(area.row) + 1)
    origins = [LIGRETTO, DISCARD, *(Origin(Heap.ROW, stack) for stack in stacks)]
    return [
        *(Move(name) for name in ("turn", "gather", "put back", "lay in centre")),
        *(Move("refill", stack=stack) for stack in stacks),
        *(Move("take", origin) for origin in origins),
        *(Move("lay", origin, stack) for origin in origins for stack in stacks),
    ]


def make(area: CardArea, move: Move, chance: Random) -> None:
    """The area makes this move, or refuses it."""
    match move.name:
        case "turn":
            area.turn()
        case "gather":
            area.gather(chance)
        case "put back":
            area.put_back()
        case "lay in centre":
            area.lay_in_centre()
        case "refill":
            area.refill(move.stack)
        case "take":
            area.take(move.origin)
        case "lay":
            area.lay(move.origin, move.stack)
        case _:
            raise AssertionError(move)


def do(area: CardArea, move: Move, chance: Random) -> bool:
    """Whether the move was legal; it is made if so."""
    try:
        make(area, move, chance)
    except IllegalMove:
        return False
    return True


def copied(area: CardArea) -> CardArea:
    """The same cards at the same places, to be moved on their own."""
    return CardArea(
        area.seat,
        [list(stack) for stack in area.row],
        list(area.ligretto),
        list(area.hand),
        list(area.discard),
        area.held,
        area.held_from,
        list(area.played),
        area.expert,
    )


def legal_moves(area: CardArea) -> list[Move]:
    """The moves that the area itself doesn't refuse."""
    return [move for move in every_move(area) if do(copied(area), move, Random(0))]


def any_move(area: CardArea, chance: Random) -> Move:
    """A move that is legal as often as one of its kind is; the kinds come up equally often."""
    name = chance.choice(sorted({move.name for move in every_move(area)}))
    moves = [move for move in every_move(area) if move.name == name]
    legal = [move for move in moves if do(copied(area), move, Random(0))]
    return chance.choice(legal or moves)


def everywhere(area: CardArea) -> list[Card]:
    """All cards of the seat, in order, wherever they are."""
    piles = (*area.row, area.ligretto, area.hand, area.discard, area.played)
    return sorted([card for pile in piles for card in pile] + ([area.held] if area.held else []))


class Shuffle(Random):
    """Chance that brings one certain order."""

    def __init__(self, order: tuple[int, ...]) -> None:
        super().__init__(0)
        self._order = order

    def shuffle(self, x: MutableSequence[Any]) -> None:
        x[:] = [x[i] for i in self._order]


def could_play(area: CardArea, wanted: NextCards) -> bool:
    """Whether any private moves with any luck bring a card that is wanted to lie open, or finish."""
    return any(_plays(one, wanted) for one in reachable(area))


def reachable(area: CardArea) -> Iterator[CardArea]:
    """Each position that private moves alone can lead to, with this one."""
    seen, edge = {str(area)}, [area]
    while edge:
        here = edge.pop()
        yield here
        for there in _next(here):
            if str(there) not in seen:
                seen.add(str(there))
                edge.append(there)


def _next(area: CardArea) -> Iterator[CardArea]:
    orders = list(permutations(range(len(area.discard)))) or [()]
    for move in every_move(area):
        if move.name in ("take", "lay in centre"):  # to take a card and put it back leads nowhere
            continue
        for order in orders if move.name == "gather" else orders[:1]:
            there = copied(area)
            if do(there, move, Shuffle(order)):
                yield there


def _plays(area: CardArea, wanted: NextCards) -> bool:
    if area.finished:
        return True
    if area.held is not None:  # the fingers must be free to take what lies open
        return False
    return any(card.number == 1 or (card.colour, card.number) in wanted for card, _ in area.playable())
