"""Everything that a player could ever do alone, by trying it all: slow, and with no theory."""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence
from itertools import permutations
from random import Random
from typing import Any

from firmware_host.lab.bots.card_area import CardArea, NextCards
from tests.lab.bots.moves import copied, do, every_move


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
