"""Tags and the places of tag readers as texts that parse back: `card 3 red 7`, `pad 3`."""

from __future__ import annotations

import re

from firmware_host.errors import MalformedText
from firmware_host.numerals import whole_number
from firmware_host.places import (
    CARD_NUMBERS,
    DICE,
    MOST_PILES_A_SEAT,
    PLACES_PER_ROW,
    Card,
    Colour,
    DieFace,
    Pad,
    Pile,
    Slot,
    Spot,
    Stranger,
    Tag,
)

MOST_SEATS = 12
"""Three boxes of cards have sets for twelve."""
FACES = PLACES_PER_ROW
"""A die has a face for every place of its row."""
MOST_PILES = MOST_SEATS * MOST_PILES_A_SEAT

_COLOURS = {colour.word: colour for colour in Colour}
_UID = re.compile(r"(?:[0-9a-f]{2}){1,10}")
_TAG_FORM = "it looks like 'card 3 red 7', 'die 5 face 2' or 'unknown 04a1b2c3'"
_SPOT_FORM = "it looks like 'pad 3', 'pile 4' or 'red 1'"
_LONGEST = 60


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


def shortened(text: str) -> str:
    """The text, cut where it would fill the screen."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
