"""All cards of one table: those of each seat, and the piles in the centre that everybody sees."""

from __future__ import annotations

from random import Random

from firmware_host.places import CARD_NUMBERS, Card, Colour
from firmware_host.players.cards.area import CardArea
from firmware_host.players.cards.deal import deal
from firmware_host.players.movements import Dealt, Watch, unwatched


class Centre:
    """The real piles by place; places are numbered from 1."""

    def __init__(self, places: int) -> None:
        self.piles: list[list[Card]] = [[] for _ in range(places)]
        self.wanted: set[tuple[Colour, int]] = set()
        self.beside: list[Card] = []
        """Cards that count, but that nobody could put onto a pile."""
        self.version = 0
        """Changes with each card, so that people only think again after a change."""

    def place_for(self, card: Card) -> int | None:
        """A place that the card fits onto; everybody can see that."""
        for place, pile in enumerate(self.piles, start=1):
            top = pile[-1] if pile else None
            if top is None if card.number == 1 else top is not None and _follows(card, top):
                return place
        return None

    def put(self, card: Card, place: int | None) -> None:
        """Put a card on its place, or beside the piles without one."""
        (self.beside if place is None else self.piles[place - 1]).append(card)
        self._look()

    def clear(self) -> None:
        """Take all cards away."""
        self.lay_out([[] for _ in self.piles], [])

    def lay_out(self, piles: list[list[Card]], beside: list[Card]) -> None:
        """Replace everything by these piles."""
        self.piles, self.beside = piles, beside
        self._look()

    def fits(self, card: Card) -> bool:
        """Whether the card fits onto a pile, or opens one."""
        return card.number == 1 or (card.colour, card.number) in self.wanted

    def _look(self) -> None:
        self.version += 1
        tops = [pile[-1] for pile in self.piles if pile]
        self.wanted = {(top.colour, top.number + 1) for top in tops if top.number < CARD_NUMBERS}


def _follows(card: Card, top: Card) -> bool:
    return top.colour is card.colour and top.number + 1 == card.number


class Decks:
    """The sets of cards of all seats, and what people tell each other about them."""

    def __init__(self, deal: tuple[int, ...], places: int, chance: Random, *, expert: bool = False) -> None:
        self._deal = deal
        self._chance = chance
        self._expert = expert
        self.areas: dict[int, CardArea] = {}
        self.centre = Centre(places)
        self.cannot: set[int] = set()
        """The seats that have said that they can't play."""
        self.dealt = False
        self.watch: Watch = unwatched

    @property
    def cleared(self) -> bool:
        """Always true: cards need not be taken off sensors before they are dealt."""
        return True

    def deal(self) -> None:
        """Sort all cards, shuffle each set, and lay it out."""
        players = sum(1 for count in self._deal if count)
        self.areas = {
            seat: deal(seat, players, self._chance, count, expert=self._expert)
            for seat, count in enumerate(self._deal, start=1)
            if count
        }
        for area in self.areas.values():
            area.watch = self.watch
        self.centre.clear()
        self.cannot.clear()
        self.dealt = True
        self.watch(Dealt({seat: len(area.ligretto) for seat, area in self.areas.items()}))

    def count(self) -> int:
        """The number of all cards."""
        centre = self.centre
        return sum(area.count for area in self.areas.values()) + sum(map(len, [*centre.piles, centre.beside]))
