"""The places of a table, its sources of edges, and what tags stand for."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import NamedTuple

from firmware_host.model.errors import MalformedText
from firmware_host.model.plain_text import shortened, whole_number


class Colour(IntEnum):
    """The four colours of both games, in the order of the board's rows."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3

    def __init__(self, _: int) -> None:
        self.word = self.name.lower()


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
"""What an edge comes from."""

Spot = Pad | Pile | Slot
"""Where a tag reader is."""

Tag = Card | DieFace | Stranger
"""What a tag stands for."""
MOST_SEATS = 12
"""Three boxes of cards have sets for twelve."""
FACES = PLACES_PER_ROW
"""A die has a face for every place of its row."""
MOST_PILES = MOST_SEATS * MOST_PILES_A_SEAT

_COLOURS = {colour.word: colour for colour in Colour}
_UID = re.compile(r"(?:[0-9a-f]{2}){1,10}")
_TAG_FORM = "it looks like 'card 3 red 7', 'die 5 face 2' or 'unknown 04a1b2c3'"
_SPOT_FORM = "it looks like 'pad 3', 'pile 4' or 'red 1'"


def format_tag(tag: Tag) -> str:
    """The text of a tag; that of a card includes its owner."""
    return f"card {tag.seat} {tag}" if isinstance(tag, Card) else str(tag)


def parse_tag(words: list[str]) -> Tag:
    """The tag that `format_tag` wrote, from its words; MalformedText says what is wrong with them."""
    match words:
        case ["card", seat, colour, number] if colour in _COLOURS:
            owner = _number(words, seat, "sets of cards", MOST_SEATS)
            return Card(owner, _COLOURS[colour], _number(words, number, "cards of a colour", CARD_NUMBERS))
        case ["die", die, "face", face]:
            return DieFace(_number(words, die, "dice", DICE), _number(words, face, "faces", FACES))
        case ["unknown", uid] if _UID.fullmatch(uid.lower()):
            return Stranger(uid.lower())
        case []:
            raise MalformedText(f"the tag is missing; {_TAG_FORM}")
        case _:
            raise MalformedText(f"'{shortened(' '.join(words))}' is no tag; {_TAG_FORM}")


def format_spot(spot: Spot) -> str:
    """The text of a reader's place."""
    return str(spot)


def parse_spot(words: list[str]) -> Spot:
    """The place that `format_spot` wrote, from its words; MalformedText says what is wrong with them."""
    match words:
        case ["pad", seat]:
            return Pad(_number(words, seat, "pads", MOST_SEATS))
        case ["pile", number]:
            return Pile(_number(words, number, "piles", MOST_PILES))
        case [colour, number] if colour in _COLOURS:
            return Slot(_COLOURS[colour], _number(words, number, "places of a row", PLACES_PER_ROW))
        case []:
            raise MalformedText(f"the reader's place is missing; {_SPOT_FORM}")
        case _:
            raise MalformedText(f"'{shortened(' '.join(words))}' is no reader's place; {_SPOT_FORM}")


def _number(words: list[str], text: str, things: str, most: int) -> int:
    """The number that a text has; the `things` are counted from 1, and `words` is for the message."""
    number = whole_number(text)
    if number is None or not 1 <= number <= most:
        raise MalformedText(
            f"'{shortened(' '.join(words))}' does not exist; {things} are numbered from 1 to {most}"
        )
    return number
