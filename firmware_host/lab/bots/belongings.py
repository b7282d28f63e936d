"""All cards of one table: those of each seat, and the piles in the centre that everybody sees."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from firmware_host.lab.bots.card_area import DISCARD, LIGRETTO, CardArea, Heap, Origin, card_text, descends
from firmware_host.lab.bots.movements import (
    Dealt,
    DieCleared,
    DiePut,
    DieTaken,
    HandReached,
    Thrown,
    Watch,
    unwatched,
)
from firmware_host.model.errors import IllegalMove, MalformedText
from firmware_host.model.places import CARD_NUMBERS, Card, Colour, DieFace, Slot

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


_CARD = re.compile(r"([rygb])(10|[1-9])")
_CARDS = r"((?:[rygb](?:10|[1-9]))+)"

_TEXT = re.compile(
    rf"([0-9]{{1,2}}) (\S+)(?: ligretto={_CARDS})?(?: hand={_CARDS})?(?: discard={_CARDS})?"
    rf"(?: held=([rygb](?:10|[1-9]))@(ligretto|discard|row[1-9]))?(?: played={_CARDS})?( expert)?"
)
_STACKS = re.compile(rf"(?:-|{_CARDS})(?:,(?:-|{_CARDS}))*")
_COLOURS = {colour.word[0]: colour for colour in Colour}


def parse_area(text: str) -> CardArea:
    """The cards of a one-line text; MalformedText says what is wrong with it."""
    match = _TEXT.fullmatch(text.strip())
    if match is None or not _STACKS.fullmatch(match[2]):
        wanted = "it looks like '2 r9y3,-,b10 ligretto=r1y4 hand=g2b7 discard=y1', with ' expert' at its end"
        raise MalformedText(f"'{text[:80]}' is not an area of cards; {wanted}")
    seat = int(match[1])
    area = CardArea(seat, [_cards(seat, stack) for stack in match[2].split(",")], expert=match[9] is not None)
    area.ligretto, area.hand, area.discard = (_cards(seat, match[group]) for group in (3, 4, 5))
    area.played = _cards(seat, match[8])
    if match[6]:
        (area.held,) = _cards(seat, match[6])
        area.held_from = _origin(match[7])
    fault = _fault(area)
    if fault:
        raise MalformedText(f"'{text}': {fault}")
    return area


def _cards(seat: int, text: str | None) -> list[Card]:
    return [Card(seat, _COLOURS[colour], int(number)) for colour, number in _CARD.findall(text or "")]


def _origin(text: str) -> Origin:
    fixed = {"ligretto": LIGRETTO, "discard": DISCARD}
    return fixed[text] if text in fixed else Origin(Heap.ROW, int(text.removeprefix("row")) - 1)


def _fault(area: CardArea) -> str | None:
    if not 1 <= area.seat <= MOST_PLAYERS:
        return f"seats are numbered from 1 to {MOST_PLAYERS}"
    if len(area.row) > LONGEST_ROW:
        return f"a row has at most {LONGEST_ROW} stacks"
    if area.leftovers > LIGRETTO_CARDS:
        return f"a Ligretto pile has at most {LIGRETTO_CARDS} cards"
    return _fault_of_cards(area) or _fault_of_row(area)


def _fault_of_cards(area: CardArea) -> str | None:
    piles = (*area.row, area.ligretto, area.hand, area.discard, area.played)
    cards = [card for pile in piles for card in pile]
    if area.held is not None:
        cards.append(area.held)
    doubled = [card for card in cards if cards.count(card) > 1]
    return f"{doubled[0]} is there twice" if doubled else None


def _fault_of_row(area: CardArea) -> str | None:
    row = [list(stack) for stack in area.row]
    if area.held is not None and area.held_from is not None and area.held_from.heap is Heap.ROW:
        if area.held_from.stack >= len(row):
            return f"the row has {len(row)} stacks, and nothing can come from {area.held_from}"
        row[area.held_from.stack].append(area.held)
    for stack in row:
        if len(stack) > 1 and not area.expert:
            return f"only experts have a stack such as {card_text(stack)}"
        if not all(descends(card, top) for top, card in pairwise(stack)):
            return f"{card_text(stack)} doesn't descend in changing colours"
    return None


FACES = 6
PER_COLOUR = 6


@dataclass(slots=True, eq=False)
class Die:
    """A real die, numbered from 1 to 24; its face changes when it is thrown."""

    number: int
    colour: Colour
    face: int = 1

    @property
    def tag(self) -> DieFace:
        """What a reader below it reads."""
        return DieFace(self.number, self.face)


class Dice:
    """All 24 dice and where they are. People move them; the table does not know this."""

    def __init__(self, deal: tuple[int, ...], chance: Random) -> None:
        self.dealt_to = deal
        """How many dice each seat is dealt."""
        self._chance = chance
        self.bag: list[Die] = [
            Die(PER_COLOUR * colour + i, colour) for colour in Colour for i in range(1, PER_COLOUR + 1)
        ]
        self.board: dict[Slot, Die] = {}
        self.hands: dict[int, list[Die]] = {}
        self.dealt = False
        self.watch: Watch = unwatched

    @property
    def players(self) -> list[int]:
        """The seats that dice were dealt to, or will be if none were yet."""
        return sorted(self.hands) or seats_of(self.dealt_to)

    def deal(self) -> None:
        """Put all dice except those on the board into the bag, mix them and give each seat its dice."""
        for hand in self.hands.values():
            self.bag += hand
        self._chance.shuffle(self.bag)
        self.hands = {
            seat: [self.bag.pop() for _ in range(self.dealt_to[seat - 1])] for seat in seats_of(self.dealt_to)
        }
        self.dealt = True
        self.watch(Dealt({seat: len(hand) for seat, hand in self.hands.items() if hand}))

    @property
    def cleared(self) -> bool:
        """Whether no die lies on the board."""
        return not self.board

    def throw(self, seat: int) -> None:
        """Throw all dice of a seat; throwing only some is forbidden."""
        for die in self.hands[seat]:
            die.face = self._chance.randint(1, FACES)
        self.watch(Thrown(seat, len(self.hands[seat])))

    def reach(self, seat: int, slot: Slot) -> None:
        """A hand with a die sets out for a place."""
        self.watch(HandReached(seat, slot))

    def put(self, seat: int, die: Die, slot: Slot) -> None:
        """A die goes from a hand to a free place."""
        self.hands[seat].remove(die)
        self.board[slot] = die
        self.watch(DiePut(seat, die.tag, slot))

    def take_back(self, seat: int, slot: Slot) -> None:
        """A die comes back from its place to a hand."""
        die = self.board.pop(slot)
        self.hands[seat].append(die)
        self.watch(DieTaken(seat, die.tag, slot))

    def clear(self, slot: Slot) -> None:
        """A die goes from its place into the bag."""
        die = self.board.pop(slot)
        self.bag.append(die)
        self.watch(DieCleared(die.tag, slot))

    def height(self, colour: Colour) -> int:
        """How many dice lie in a row without a gap; everybody can see this."""
        height = 0
        while Slot(colour, height + 1) in self.board:
            height += 1
        return height

    def count(self) -> int:
        """The number of all dice, which is always 24."""
        return len(self.bag) + len(self.board) + sum(map(len, self.hands.values()))


def seats_of(deal: tuple[int, ...]) -> list[int]:
    """The seats that something is dealt to."""
    return [seat for seat, count in enumerate(deal, start=1) if count]
