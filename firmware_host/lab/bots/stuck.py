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

from collections.abc import Iterable, Sequence, Set
from itertools import takewhile

from firmware_host.lab.bots.card_area import CardArea, Heap, descends
from firmware_host.model.places import Card, Colour

# Whether the upper cards of a Ligretto pile can all be laid into the player's row, in their order.
#
# **Gaps** take any card. A refill covers no top, but it uses up the gap, which a higher card may need later.
# So it is one of several ways to land. In the standard game it is the only one.
#
# **Tops.** Experts also lay cards onto their stacks. A card that a stack refuses only because of its
# colour can land there after a *separator* from the pool of hand and discard pile: a card of another
# colour in between. One separator is always enough, since of several in a row the last one alone
# would do. It is of no use to lay one earlier than needed, or where no card of the Ligretto pile
# follows. So each card lands in a gap, on a top, or on a top with a separator, and each separator is
# used once. Which card is which separator is left open: there are enough if the demands on the pool
# can be matched with its cards.
#
# The search is small. A state is the set of cards that are tops now: the highest of them tells how many
# cards are dug, and their number tells how many gaps are left. Five stacks and ten cards have at
# most 5000 states. A first search treats separators as free, and so finds all states that are hopeless
# anyway. Only the others need the second search, which keeps the demands. A demand that the pool can
# meet in as many ways as there can be demands can always be met, and is not kept.


_NOTHING = 0
"""The demand of a landing without a separator. Other demands are sets of cards of the pool, as bits."""


def can_dig(cards: Sequence[Card], tops: Sequence[Card], gaps: int, pool: Sequence[Card]) -> bool:
    """Whether an expert can land all these cards, the first one first."""
    return _Dig(cards, tops, gaps, pool).succeeds()


class _Dig:
    """The search for a way to land cards; a set of tops is held as bits."""

    def __init__(self, cards: Sequence[Card], tops: Sequence[Card], gaps: int, pool: Sequence[Card]) -> None:
        self._depth = len(cards)
        self._tops = len(tops)  # the first tops have the bits below, the cards to dig the others
        self._stacks = len(tops) + gaps
        known = [*tops, *cards]
        self._landings = [_landings(card, known[: self._tops + i], pool) for i, card in enumerate(cards)]
        self._most_demands = sum(any(demand for _, demand in landings) for landings in self._landings)
        self._hopes: dict[int, bool] = {}
        self._failed: set[tuple[int, tuple[int, ...]]] = set()

    def succeeds(self) -> bool:
        """Whether there is a way to land all cards."""
        start = (1 << self._tops) - 1
        return self._hopeful(0, start) and self._search(0, start, ())

    def _hopeful(self, dug: int, tops: int) -> bool:
        """Whether the rest could be dug if separators were free."""
        if dug == self._depth:
            return True
        hope = self._hopes.get(tops)
        if hope is None:
            hope = any(self._hopeful(dug + 1, after) for after, _ in self._moves(dug, tops))
            self._hopes[tops] = hope
        return hope

    def _search(self, dug: int, tops: int, demands: tuple[int, ...]) -> bool:
        """Whether the rest can be dug when these demands must be met too."""
        if dug == self._depth:
            return True
        if (tops, demands) in self._failed:
            return False
        for after, demand in self._moves(dug, tops):
            if not self._hopeful(dug + 1, after):
                continue
            kept = demands
            if demand and demand.bit_count() < self._most_demands:
                kept = tuple(sorted((*demands, demand)))
                if not matched(kept):
                    continue
            if self._search(dug + 1, after, kept):
                return True
        self._failed.add((tops, demands))
        return False

    def _moves(self, dug: int, tops: int) -> list[tuple[int, int]]:
        """The tops after each possible landing of the next card, and its demand on the pool."""
        card = 1 << (self._tops + dug)
        moves = [(tops ^ top | card, demand) for top, demand in self._landings[dug] if tops & top]
        return moves if tops.bit_count() == self._stacks else [*moves, (tops | card, _NOTHING)]


def _landings(card: Card, tops: Sequence[Card], pool: Sequence[Card]) -> list[tuple[int, int]]:
    """Each top that the card can land on, as a bit, and its possible separators; those without one first."""
    found = []
    for i, top in enumerate(tops):
        if descends(card, top):
            found.append((1 << i, _NOTHING))
            continue
        between = sum(
            1 << k for k, other in enumerate(pool) if descends(other, top) and descends(card, other)
        )
        if between:
            found.append((1 << i, between))
    return sorted(found, key=lambda landing: landing[1] != _NOTHING)


def matched(demands: Sequence[int]) -> bool:
    """Whether each demand, a set of cards as bits, can be met with a different card."""
    met: dict[int, int] = {}
    return all(_meet(demand, met, set()) for demand in demands)


def _meet(demand: int, met: dict[int, int], tried: set[int]) -> bool:
    """Whether this demand gets a card; another demand may have to change its card for that."""
    choice = demand
    while choice:
        card = choice & -choice
        choice ^= card
        if card in tried:
            continue
        tried.add(card)
        if card not in met or _meet(met[card], met, tried):
            met[card] = demand
            return True
    return False


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
