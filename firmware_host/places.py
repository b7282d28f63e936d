"""The places of the board and the sources of signals around it."""

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


ALL_SLOTS: tuple[Slot, ...] = tuple(
    Slot(colour, number) for colour in Colour for number in range(1, PLACES_PER_ROW + 1)
)
"""Every place, row by row: a slot's position here is its position in every frame."""

SLOT_INDEX: dict[Slot, int] = {slot: index for index, slot in enumerate(ALL_SLOTS)}

Source = Button | Slot
"""What a signal comes from."""
