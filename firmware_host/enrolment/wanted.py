"""What a table needs tags for, in the order in which hands go through it, and parts of that by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from firmware_host.config.profile import Profile
from firmware_host.config.tags import Enrolled
from firmware_host.errors import BadSettings, MalformedText
from firmware_host.numerals import whole_number
from firmware_host.places import CARD_NUMBERS, DICE, Card, Colour, DieFace
from firmware_host.show.lines import seat_ranges
from firmware_host.tag_text import FACES, shortened

PART_FORM = "it looks like 'seat 3', 'seat 3 red', 'card 3 red 7', 'die 5', 'die 5 face 2', 'cards' or 'dice'"

_COLOURS = {colour.word: colour for colour in Colour}


class Part(NamedTuple):
    """Some of all cards or faces: those whose numbers begin like these."""

    kind: type[Card] | type[DieFace]
    numbers: tuple[int, ...] = ()

    def has(self, item: Enrolled) -> bool:
        """Whether it is one of them."""
        return isinstance(item, self.kind) and tuple(item)[: len(self.numbers)] == self.numbers


def needed(profiles: Iterable[Profile]) -> tuple[Enrolled, ...]:
    """A tag for each of these: sets of cards colour by colour from 1 to 10, dice face by face."""
    with_readers = [profile for profile in profiles if profile.readers]
    seats = max((profile.seats for profile in with_readers if profile.game == "cards"), default=0)
    dice = DICE if any(profile.game == "dice" for profile in with_readers) else 0
    cards = product(range(1, seats + 1), Colour, range(1, CARD_NUMBERS + 1))
    faces = product(range(1, dice + 1), range(1, FACES + 1))
    return (*(Card(*each) for each in cards), *(DieFace(*each) for each in faces))


def parse_part(text: str) -> Part:
    """The cards or faces that a text names; MalformedText says what it should look like."""
    words = text.lower().split()
    match words:
        case ["cards"]:
            return Part(Card)
        case ["dice"]:
            return Part(DieFace)
        case ["seat", seat]:
            return Part(Card, _numbers(text, seat))
        case ["seat", seat, colour] if colour in _COLOURS:
            return Part(Card, (*_numbers(text, seat), _COLOURS[colour]))
        case ["seat" | "card", seat, colour, number] if colour in _COLOURS:
            owner, value = _numbers(text, seat, number)
            return Part(Card, (owner, _COLOURS[colour], value))
        case ["die", die]:
            return Part(DieFace, _numbers(text, die))
        case ["die", die, "face", face]:
            return Part(DieFace, _numbers(text, die, face))
        case _:
            raise _malformed(text)


def chosen(texts: Iterable[str], items: Sequence[Enrolled], none: str) -> tuple[Enrolled, ...]:
    """Those of the items that the texts name, in the items' order; BadSettings names each text that is wrong.

    `none` says what is wrong with a text that names none of them.
    """
    parts, faults = [], []
    for text in texts:
        try:
            part = parse_part(text)
        except MalformedText as error:
            faults.append(str(error))
            continue
        parts.append(part)
        if not any(map(part.has, items)):
            faults.append(f"'{shortened(text)}': {none}")
    if faults:
        raise BadSettings(faults)
    return tuple(item for item in items if any(part.has(item) for part in parts))


def extent(items: Iterable[Enrolled]) -> str:
    """In a few words what all these are: `the cards of seats 1-4, dice 1-24`."""
    seats: set[int] = set()
    dice: set[int] = set()
    for item in items:
        if isinstance(item, Card):
            seats.add(item.seat)
        else:
            dice.add(item.die)
    words = [f"the cards of seats {_commas(seats)}"] if seats else []
    words += [f"dice {_commas(dice)}"] if dice else []
    return ", ".join(words) or "nothing"


def _commas(numbers: set[int]) -> str:
    return seat_ranges(numbers).replace(" ", ", ")


def _numbers(text: str, *words: str) -> tuple[int, ...]:
    numbers = [number for number in map(whole_number, words) if number is not None]
    if len(numbers) < len(words):
        raise _malformed(text)
    return tuple(numbers)


def _malformed(text: str) -> MalformedText:
    return MalformedText(f"'{shortened(text)}' names no cards and no dice; {PART_FORM}")
