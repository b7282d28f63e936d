"""The cards of one seat, and the moves that only their owner sees.

The row and the Ligretto pile lie face up in front of a player. The hand is face down,
and its cards are turned over by threes onto the discard pile. The last card of a list is
the top of its pile, or of its stack in the row. In the standard game a stack is one card;
in both games an empty stack is a gap.

A card goes to the centre in two steps, since a race can be lost: it is *taken* into the
fingers, and then it is laid *in the centre* or put *back*. With a card in the fingers
there is no other move, so the card can always go back to its old place. A refused move
changes nothing.

The one-line text form is `2 r9y3,-,b10 ligretto=r1y4 hand=g2b2r7 discard=y1 expert`:
the seat, the stacks of the row (`-` for a gap), and each pile from its lowest card to
its top; then `held=g3@row2` (or `@ligretto`, `@discard`) for the card in the fingers and
`played=r2g1` for those in the centre. An empty pile is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from itertools import takewhile
from random import Random
from typing import NamedTuple

from firmware_host.lab.bots.movements import CardLaid, CardPutBack, CardTaken, LigrettoMoved, Watch, unwatched
from firmware_host.model.errors import IllegalMove
from firmware_host.model.places import Card, Colour

TURNED = 3
"""How many cards of the hand are turned over together."""


class PrivateMoveRefused(IllegalMove):
    """A move within a player's own cards that the rules forbid."""


class Heap(Enum):
    """The kinds of piles that a card may be played from."""

    ROW = "row"
    LIGRETTO = "ligretto"
    DISCARD = "discard"


class Origin(NamedTuple):
    """The pile that a card is taken from; the stacks of the row are counted from 0."""

    heap: Heap
    stack: int = 0

    def __str__(self) -> str:
        return f"row{self.stack + 1}" if self.heap is Heap.ROW else self.heap.value


LIGRETTO = Origin(Heap.LIGRETTO)
DISCARD = Origin(Heap.DISCARD)


def descends(card: Card, top: Card) -> bool:
    """Whether an expert may lay this card onto the top of a stack of the row."""
    # The rule sheets disagree twice here. In the Dutch one numbers ascend, in the others they descend: they
    # descend here. In the English one neighbours have different colours, in the others successive cards: here
    # successive cards. None says by how much numbers descend: any lower number is allowed here.
    return card.number < top.number and card.colour != top.colour


@dataclass(slots=True)
class CardArea:
    """All cards of one seat; only their owner sees and moves them."""

    seat: int
    row: list[list[Card]]
    ligretto: list[Card] = field(default_factory=list)
    hand: list[Card] = field(default_factory=list)
    discard: list[Card] = field(default_factory=list)
    held: Card | None = None
    held_from: Origin | None = None
    played: list[Card] = field(default_factory=list)
    expert: bool = False
    watch: Watch = field(default=unwatched, compare=False, repr=False)

    # -- what the owner sees

    @property
    def finished(self) -> bool:
        """Whether the Ligretto pile is empty, so that its owner may call stop."""
        return not self.leftovers

    @property
    def leftovers(self) -> int:
        """How many cards of the Ligretto pile are left; one in the fingers still counts."""
        return len(self.ligretto) + (self.held_from == LIGRETTO)

    @property
    def count(self) -> int:
        """How many cards are not in the centre yet."""
        piles = len(self.ligretto) + len(self.hand) + len(self.discard)
        return sum(map(len, self.row)) + piles + (self.held is not None)

    def playable(self) -> list[tuple[Card, Origin]]:
        """Each card that may be played, and where it lies; not the one in the fingers."""
        found = [(stack[-1], Origin(Heap.ROW, i)) for i, stack in enumerate(self.row) if stack]
        if self.ligretto:
            found.append((self.ligretto[-1], LIGRETTO))
        if self.discard:
            found.append((self.discard[-1], DISCARD))
        return found

    def gaps(self) -> list[int]:
        """The empty stacks that may be refilled now."""
        if self.held is not None or not self.ligretto:
            return []
        return [i for i, stack in enumerate(self.row) if not stack]

    def lays(self) -> list[tuple[Origin, int]]:
        """Each move of a card onto a stack of the row that is open to an expert now."""
        if self.held is not None or not self.expert:
            return []
        return [
            (origin, i)
            for pile, origin in ((self.ligretto, LIGRETTO), (self.discard, DISCARD))
            if pile
            for i, stack in enumerate(self.row)
            if stack and descends(pile[-1], stack[-1])
        ]

    # -- what the owner does

    def turn(self) -> None:
        """Turn three cards of the hand together onto the discard pile, or as many as are left."""
        self._needs_free_fingers("turn cards")
        if not self.hand:
            raise self._refused("turn cards", "the hand is used up")
        packet = self.hand[-TURNED:]
        del self.hand[-TURNED:]
        packet.reverse()  # they are turned over together, so the uppermost card becomes the lowest
        self.discard += packet

    def gather(self, chance: Random) -> None:
        """Shuffle the discard pile, which becomes the hand again."""
        self._needs_free_fingers("gather cards")
        if self.hand:
            raise self._refused("gather cards", "the hand is not used up")
        if not self.discard:
            raise self._refused("gather cards", "the discard pile is empty")
        self.hand, self.discard = self.discard, []
        chance.shuffle(self.hand)

    def refill(self, stack: int) -> None:
        """Fill a gap of the row from the Ligretto pile."""
        self._needs_free_fingers("refill a gap")
        if self._stack(stack, "refill a gap"):
            raise self._refused("refill a gap", f"stack {stack + 1} is none")
        if not self.ligretto:
            raise self._refused("refill a gap", "the Ligretto pile is empty")
        self.row[stack].append(self.ligretto.pop())
        self.watch(LigrettoMoved(self.seat))

    def lay(self, origin: Origin, stack: int) -> None:
        """Lay the top of the discard or Ligretto pile onto a stack of the row, as experts may."""
        self._needs_free_fingers("lay a card on the row")
        if not self.expert:
            raise self._refused("lay a card on the row", "only experts do that")
        if origin.heap is Heap.ROW:
            raise self._refused("lay a card on the row", "a card of the row stays on its stack")
        pile = self._cards_at(origin, "lay a card on the row")
        target = self._stack(stack, "lay a card on the row")
        if not target:
            raise self._refused("lay a card on the row", "a gap is filled from the Ligretto pile alone")
        if not descends(pile[-1], target[-1]):
            why = f"{pile[-1]} is not lower than {target[-1]} or is of its colour"
            raise self._refused("lay a card on the row", why)
        target.append(pile.pop())
        if origin == LIGRETTO:
            self.watch(LigrettoMoved(self.seat))

    def take(self, origin: Origin) -> Card:
        """Take the top card of a pile into the fingers."""
        self._needs_free_fingers("take a card")
        card = self._cards_at(origin, "take a card").pop()
        self.held, self.held_from = card, origin
        self.watch(CardTaken(card, origin == LIGRETTO))
        return card

    def put_back(self) -> Card:
        """Put the card in the fingers back onto the pile that it came from."""
        if self.held is None or self.held_from is None:
            raise self._refused("put a card back", "the fingers hold none")
        card = self.held
        self._pile(self.held_from, "put a card back").append(card)
        self.held = self.held_from = None
        self.watch(CardPutBack(card))
        return card

    def lay_in_centre(self) -> Card:
        """Lay the card in the fingers in the centre; its owner can't move it any more."""
        if self.held is None:
            raise self._refused("lay a card in the centre", "the fingers hold none")
        card = self.held
        self.played.append(card)
        self.held = self.held_from = None
        self.watch(CardLaid(card))
        return card

    # -- within

    def _pile(self, origin: Origin, move: str) -> list[Card]:
        if origin.heap is Heap.LIGRETTO:
            return self.ligretto
        if origin.heap is Heap.DISCARD:
            return self.discard
        return self._stack(origin.stack, move)

    def _cards_at(self, origin: Origin, move: str) -> list[Card]:
        pile = self._pile(origin, move)
        if not pile:
            raise self._refused(move, f"none lies at {origin}")
        return pile

    def _stack(self, stack: int, move: str) -> list[Card]:
        if not 0 <= stack < len(self.row):
            raise self._refused(move, f"the row has {len(self.row)} stacks, and none is number {stack + 1}")
        return self.row[stack]

    def _needs_free_fingers(self, move: str) -> None:
        if self.held is not None:
            raise self._refused(move, "a card is in the fingers")

    def _refused(self, move: str, why: str) -> PrivateMoveRefused:
        return PrivateMoveRefused(f"{move} in '{self}': {why}")

    def __str__(self) -> str:
        words = [str(self.seat), ",".join(card_text(stack) or "-" for stack in self.row)]
        piles = {"ligretto": self.ligretto, "hand": self.hand, "discard": self.discard}
        words += [f"{name}={card_text(cards)}" for name, cards in piles.items() if cards]
        if self.held is not None:
            words.append(f"held={card_text([self.held])}@{self.held_from}")
        if self.played:
            words.append(f"played={card_text(self.played)}")
        return " ".join([*words, "expert"] if self.expert else words)


def card_text(cards: Sequence[Card]) -> str:
    """Cards in the text of a position, such as `r9y10`; empty without cards."""
    return "".join(f"{card.colour.word[0]}{card.number}" for card in cards)


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


# Whether anybody can still play. This is exact although hands are hidden and shuffled.
#
# A round is stuck when no player can bring a card onto any pile *as the centre is now*, whatever
# they do with their own cards, nor get rid of the Ligretto pile. For one player:
#
# **Hand and discard pile are one pool.** A player can always turn the hand to its end and gather
# it: the shuffle can give any order, and the last card turned is always a top. So each card of
# the pool can be the next top, and the order in which it lies now does not matter. If a card
# of the pool fits onto a pile, the player can play.
#
# **The row** only improves through the Ligretto pile, since its cards can only go into the centre.
# So what is left is to *dig*: lay the upper cards of the Ligretto pile into the row, until the
# next one fits onto a pile, or none is left.


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
