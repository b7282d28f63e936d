"""Whether anybody can still play. This is exact although hands are hidden and shuffled.

A round is stuck when no player can bring a card onto any pile *as the centre is now*, whatever
they do with their own cards, nor get rid of the Ligretto pile. For one player:

**Hand and discard pile are one pool.** A player can always turn the hand to its end and gather
it: the shuffle can give any order, and the last card turned is always a top. So each card of
the pool can be the next top, and the order in which it lies now does not matter. If a card
of the pool fits onto a pile, the player can play.

**The row** only improves through the Ligretto pile, since its cards can only go into the centre.
So what is left is to *dig*: lay the upper cards of the Ligretto pile into the row, until the
next one fits onto a pile, or none is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from itertools import takewhile

from firmware_host.places import Card, Colour
from firmware_host.players.cards.area import CardArea, Heap
from firmware_host.players.cards.dig import can_dig

NextCards = Set[tuple[Colour, int]]
"""The next cards of the piles in the centre, as colours and numbers."""


def is_stuck(areas: Iterable[CardArea], wanted: NextCards) -> bool:
    """Whether nobody can play any card with the present centre, nor finish."""
    return not any(can_play(area, wanted) for area in areas)


def can_play(area: CardArea, wanted: NextCards) -> bool:
    """Whether this player can ever play a card with the present piles, or finish.

    A one can always be played, since it opens a pile. A card in the fingers counts as lying where
    it came from.
    """

    def plays(card: Card) -> bool:
        return card.number == 1 or (card.colour, card.number) in wanted

    row, pile, pool = _put_back(area)
    if any(plays(stack[-1]) for stack in row if stack) or any(map(plays, pool)):
        return True
    above = list(takewhile(lambda card: not plays(card), reversed(pile)))
    gaps = row.count([])
    if len(above) <= gaps:
        return True
    return area.expert and can_dig(above, [stack[-1] for stack in row if stack], gaps, pool)


def _put_back(area: CardArea) -> tuple[list[list[Card]], list[Card], list[Card]]:
    """The row, the Ligretto pile and the pool, with a card in the fingers where it came from."""
    row, pile, pool = area.row, area.ligretto, area.discard + area.hand
    if area.held is None or area.held_from is None:
        return row, pile, pool
    match area.held_from.heap:
        case Heap.ROW:
            row = [list(stack) for stack in row]
            row[area.held_from.stack].append(area.held)
        case Heap.LIGRETTO:
            pile = [*pile, area.held]
        case Heap.DISCARD:
            pool.append(area.held)
    return row, pile, pool
