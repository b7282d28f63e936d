"""The places of a table, its sources of signals, and what tags stand for."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Colour(IntEnum):
    """The four colours of both games, in the order of the board's rows."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3

    @property
    def word(self) -> str:
        return self.name.lower()


PLACES_PER_ROW = 6


class Slot(NamedTuple):
    """One place of the board: a colour row and a number from 1 to 6."""

    colour: Colour
    number: int

    def __str__(self) -> str:
        return f"{self.colour.word} {self.number}"


class Button(NamedTuple):
    """The race button of one seat; seats are numbered from 1."""

    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat}"


class Call(NamedTuple):
    """The call button of one seat, on card tables that have them."""

    seat: int
    kind: str = "call"  # so that it differs from the race button of the same seat

    def __str__(self) -> str:
        return f"call {self.seat}"


class Pad(NamedTuple):
    """The tag reader at one seat."""

    seat: int
    kind: str = "pad"

    def __str__(self) -> str:
        return f"pad {self.seat}"


class Pile(NamedTuple):
    """One place for a pile of cards in the centre; places are numbered from 1."""

    number: int
    kind: str = "pile"

    def __str__(self) -> str:
        return f"pile {self.number}"


class Card(NamedTuple):
    """One card of a seat's set."""

    seat: int
    colour: Colour
    number: int

    def __str__(self) -> str:
        return f"{self.colour.word} {self.number}"


class DieFace(NamedTuple):
    """One of the 24 dice, and the face it shows; dice 1 to 6 are red, 7 to 12 yellow, and so on."""

    die: int
    face: int

    @property
    def colour(self) -> Colour:
        return Colour((self.die - 1) // PLACES_PER_ROW)

    @property
    def opposite(self) -> DieFace:
        """The other end of the same die: opposite faces add up to seven."""
        return DieFace(self.die, 7 - self.face)

    def __str__(self) -> str:
        return f"die {self.die} face {self.face}"


class Stranger(NamedTuple):
    """A tag that nobody has enrolled."""

    uid: str

    def __str__(self) -> str:
        return f"unknown {self.uid}"


DICE = 24
CARD_NUMBERS = 10
MOST_PILES_A_SEAT = len(Colour)
"""A seat can open this many piles, one with each of its ones."""

ALL_SLOTS: tuple[Slot, ...] = tuple(
    Slot(colour, number) for colour in Colour for number in range(1, PLACES_PER_ROW + 1)
)
"""Every place, row by row: a slot's position here is its position in every frame."""

SLOT_INDEX: dict[Slot, int] = {slot: index for index, slot in enumerate(ALL_SLOTS)}

Source = Button | Slot | Call
"""What a signal comes from."""

Spot = Pad | Pile | Slot
"""Where a tag reader is."""

Tag = Card | DieFace | Stranger
"""What a tag stands for."""
