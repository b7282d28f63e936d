"""A round of Ligretto cards as the referee knows it.

The referee sees only the centre, not the rows, Ligretto piles and hands of the players. A
one of any colour opens a new pile, on which 2, 3 … 10 of its colour follow; there may be several
piles of a colour at once. The tags tell whose card lies where, so that each seat's cards in
the centre can be counted. A round ends when a seat calls stop, or when all seats call stuck.

The one-line text form is `10,10,-,8 r1.3.3 - b4 stop=3`: the Ligretto cards dealt to each seat
(`-` for an empty one), then for each pile its colour and the owners of its cards from the one
upwards (`-` for a free place), then who called stop (or `stuck`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from firmware_host.games.games import CARD_GAME
from firmware_host.model.errors import IllegalMove, MalformedText
from firmware_host.model.places import CARD_NUMBERS, MOST_PILES_A_SEAT, Card, Colour

_PILE = re.compile(r"([rygb])([0-9]{1,2}(?:\.[0-9]{1,2}){0,9})")
_HANDS = re.compile(r"(?:[0-9]{1,2}|-)(?:,(?:[0-9]{1,2}|-))*")
_LETTER = {colour.word[0]: colour for colour in Colour}


class CardPile(NamedTuple):
    """Cards of one colour, by their owners, the one first."""

    colour: Colour
    owners: tuple[int, ...]

    @property
    def height(self) -> int:
        return len(self.owners)

    @property
    def full(self) -> bool:
        return len(self.owners) == CARD_NUMBERS

    @property
    def cards(self) -> list[Card]:
        return [Card(seat, self.colour, number) for number, seat in enumerate(self.owners, start=1)]

    def __str__(self) -> str:
        return self.colour.word[0] + ".".join(map(str, self.owners))


@dataclass(frozen=True, slots=True)
class CardsPosition:
    """The piles in the centre by place, what was dealt to each seat, and how the round has ended."""

    dealt: tuple[int, ...]
    piles: tuple[CardPile | None, ...] = ()
    caller: int | None = None
    stuck: bool = False

    @property
    def over(self) -> bool:
        return self.stuck or self.caller is not None

    @property
    def centre(self) -> set[Card]:
        """Every card in the centre."""
        return {card for pile in self.piles if pile is not None for card in pile.cards}

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards of each seat lie in the centre."""
        counts = [0] * len(self.dealt)
        for pile in self.piles:
            for seat in pile.owners if pile is not None else ():
                counts[seat - 1] += 1
        return tuple(counts)

    @property
    def least_left(self) -> tuple[int, ...]:
        """The fewest cards that each Ligretto pile can have left in the standard game.

        Each card that leaves the pile brings one of the seat's cards into the centre: itself, or the card of
        the row whose gap it fills.
        """
        return tuple(max(0, dealt - count) for dealt, count in zip(self.dealt, self.counts, strict=True))

    def plays(self, seat: int) -> bool:
        """Whether this seat was dealt any cards."""
        return 1 <= seat <= len(self.dealt) and self.dealt[seat - 1] > 0

    def is_in_centre(self, card: Card) -> bool:
        """Whether this card of this seat lies on a pile."""
        seat, colour, number = card
        for pile in self.piles:
            if pile is not None and pile[0] is colour:
                owners = pile[1]
                if len(owners) >= number and owners[number - 1] == seat:
                    return True
        return False

    def accepts(self, card: Card, place: int) -> bool:
        """Whether the card may go onto that place now."""
        pile = self._pile(place)
        if pile is None:
            return card.number == 1 and 1 <= place <= self.places
        return pile.colour is card.colour and pile.height + 1 == card.number

    def places_for(self, card: Card) -> list[int]:
        """The places that the card fits onto, lowest first. A one goes onto the first free place."""
        if card.number == 1:
            free = [place for place in range(1, self.places + 1) if self._pile(place) is None]
            return free[:1]
        return [
            place
            for place, pile in enumerate(self.piles, start=1)
            if pile is not None and pile.colour is card.colour and pile.height + 1 == card.number
        ]

    @property
    def places(self) -> int:
        """The most piles that there can be: every seat has four ones."""
        return MOST_PILES_A_SEAT * len(self.dealt)

    def played(self, card: Card, place: int) -> CardsPosition:
        """The position after the card went onto that place."""
        if not self.plays(card.seat):
            raise IllegalMove(f"play {card} of seat {card.seat} in '{self}': that seat does not play")
        if self.is_in_centre(card):
            raise IllegalMove(f"play {card} of seat {card.seat} in '{self}': it lies in the centre already")
        if not self.accepts(card, place):
            raise IllegalMove(f"play {card} onto place {place} in '{self}': it does not belong there")
        piles = list(self.piles) + [None] * (place - len(self.piles))
        pile = piles[place - 1]
        owners = () if pile is None else pile.owners
        piles[place - 1] = CardPile(card.colour, (*owners, card.seat))
        return replace(self, piles=tuple(piles))

    def at_table_of(self, seats: int) -> CardsPosition:
        """The same position with empty seats up to that number."""
        return replace(self, dealt=self.dealt + (0,) * (seats - len(self.dealt)))

    def _pile(self, place: int) -> CardPile | None:
        return self.piles[place - 1] if 0 < place <= len(self.piles) else None

    def __str__(self) -> str:
        hands = ",".join(str(count) if count else "-" for count in self.dealt)
        words = [hands, *("-" if pile is None else str(pile) for pile in self.piles)]
        if self.caller is not None:
            words.append(f"stop={self.caller}")
        return " ".join([*words, "stuck"] if self.stuck else words)


def opening(deal: tuple[int, ...]) -> CardsPosition:
    """The position at the start call."""
    return CardsPosition(CARD_GAME.checked_deal(deal))


def parse_position(text: str) -> CardsPosition:
    """The position of a one-line text; MalformedText if it is not one."""
    words = text.split()
    if not words or not _HANDS.fullmatch(words[0]):
        wanted = "it looks like '10,10,-,10 r1.3.3 - b4' with ' stop=3' or ' stuck' when over"
        raise MalformedText(f"'{text[:80]}' is no position of cards; {wanted}")
    dealt = tuple(0 if word == "-" else int(word) for word in words[0].split(","))
    rest = words[1:]
    caller = None
    stuck = rest[-1:] == ["stuck"]
    if stuck:
        rest.pop()
    elif rest and re.fullmatch(r"stop=[0-9]{1,2}", rest[-1]):
        caller = int(rest.pop().removeprefix("stop="))
    position = CardsPosition(dealt, tuple(_parse_pile(word) for word in rest), caller, stuck)
    fault = _fault(position)
    if fault:
        raise MalformedText(f"'{text}': {fault}")
    return position


def _parse_pile(word: str) -> CardPile | None:
    if word == "-":
        return None
    match = _PILE.fullmatch(word)
    if match is None:
        raise MalformedText(f"'{word[:40]}' is no pile; it looks like 'r1.3.3' (colour, owners) or '-'")
    return CardPile(_LETTER[match[1]], tuple(map(int, match[2].split("."))))


def _fault(position: CardsPosition) -> str | None:
    faults = CARD_GAME.deal_faults(position.dealt)
    if faults:
        return faults[0]
    if len(position.piles) > position.places:
        return f"{len(position.piles)} places; {len(position.dealt)} seats have {position.places}"
    seen: set[Card] = set()
    for pile in position.piles:
        for card in pile.cards if pile is not None else ():
            if not position.plays(card.seat):
                return f"seat {card.seat} does not play, and has a card in the centre"
            if card in seen:
                return f"{card} of seat {card.seat} is there twice"
            seen.add(card)
    if position.caller is not None and not position.plays(position.caller):
        return f"seat {position.caller} does not play, and called stop"
    return None
