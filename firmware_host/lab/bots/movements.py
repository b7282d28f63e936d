"""What hands do at a table, as values. An onlooker of a simulation may take them; the referee never does.

Dice, cards and the simulated table each have a `watch`, which gets a movement at the moment when it happens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from firmware_host.model.places import Card, DieFace, Slot, Spot


class Dealt(NamedTuple):
    """Every seat has its dice, or its Ligretto pile, of that many."""

    hands: dict[int, int]


class Thrown(NamedTuple):
    """A seat has thrown all its dice."""

    seat: int
    left: int


class HandReached(NamedTuple):
    """A hand with a die set out for a place."""

    seat: int
    slot: Slot


class DiePut(NamedTuple):
    """A die went from a hand onto a place."""

    seat: int
    die: DieFace
    slot: Slot


class DieTaken(NamedTuple):
    """A die came back from its place into the hand of a seat."""

    seat: int
    die: DieFace
    slot: Slot


class DieCleared(NamedTuple):
    """A die went from its place into the bag."""

    die: DieFace
    slot: Slot


class SlotTouched(NamedTuple):
    """Something came down on a place, or went up from it: also a die that a sleeve knocks off."""

    slot: Slot
    filled: bool


class ButtonPressed(NamedTuple):
    """A finger came down on the button of a seat: its race button, or its call button if `call`."""

    seat: int
    call: bool = False


class CardTaken(NamedTuple):
    """A card went from a pile into the fingers of its owner."""

    card: Card
    from_ligretto: bool


class CardHeld(NamedTuple):
    """A card came before a reader."""

    card: Card
    at: Spot


class CardPutBack(NamedTuple):
    """The card in the fingers went back where it came from."""

    card: Card


class CardLaid(NamedTuple):
    """The card in the fingers was laid down in the centre."""

    card: Card


class LigrettoMoved(NamedTuple):
    """A card went from a Ligretto pile into the row of its owner."""

    seat: int


Movement = (
    Dealt
    | Thrown
    | HandReached
    | DiePut
    | DieTaken
    | DieCleared
    | SlotTouched
    | ButtonPressed
    | CardTaken
    | CardHeld
    | CardPutBack
    | CardLaid
    | LigrettoMoved
)

Watch = Callable[[Movement], None]


def unwatched(movement: Movement) -> None:
    """Nobody looks on."""
