"""The cards and faces that a table needs tags for, in the order of enrolling, and how people name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from firmware_host.config.profile import Profile
from firmware_host.config.tags import Enrolled
from firmware_host.errors import BadSettings
from firmware_host.numerals import whole_number
from firmware_host.places import CARD_NUMBERS, DICE, Card, Colour, DieFace
from firmware_host.show.lines import seat_ranges
from firmware_host.tag_text import FACES, shortened

_FORMS: dict[str, type[Enrolled]] = {
    "cards": Card,
    "seat N": Card,
    "seat N COLOUR": Card,
    "seat N COLOUR N": Card,
    "card N COLOUR N": Card,
    "dice": DieFace,
    "die N": DieFace,
    "die N face N": DieFace,
}
_EXAMPLES = "it looks like 'seat 3', 'seat 3 red', 'card 3 red 7', 'die 5', 'die 5 face 2', 'cards' or 'dice'"
_COLOURS = {colour.word: colour for colour in Colour}


def needed(profiles: Iterable[Profile]) -> tuple[Enrolled, ...]:
    """All items that need a tag: sets of cards colour by colour from 1 to 10, dice face by face."""
    with_readers = [profile for profile in profiles if profile.readers]
    seats = max((profile.seats for profile in with_readers if profile.game == "cards"), default=0)
    dice = DICE if any(profile.game == "dice" for profile in with_readers) else 0
    cards = product(range(1, seats + 1), Colour, range(1, CARD_NUMBERS + 1))
    faces = product(range(1, dice + 1), range(1, FACES + 1))
    return (*(Card(*each) for each in cards), *(DieFace(*each) for each in faces))


def select(texts: Iterable[str], items: Sequence[Enrolled], none: str) -> tuple[Enrolled, ...]:
    """The items that the texts name, in the items' order; BadSettings names each text that is wrong.

    `none` says what is wrong with a text that names none of them.
    """
    selected: set[Enrolled] = set()
    faults = []
    for text in texts:
        start = _parsed(text)
        if not start:
            faults.append(f"'{shortened(text)}' names no cards and no dice; {_EXAMPLES}")
            continue
        found = {item for item in items if (type(item), *item)[: len(start)] == start}
        selected |= found
        if not found:
            faults.append(f"'{shortened(text)}': {none}")
    if faults:
        raise BadSettings(faults)
    return tuple(item for item in items if item in selected)


def _parsed(text: str) -> tuple[object, ...]:
    """The kind that a text names, and its colour and numbers; None if it names none."""
    form, values = [], []
    for word in text.lower().split():
        value = _COLOURS.get(word, whole_number(word))
        form.append(word if value is None else "COLOUR" if word in _COLOURS else "N")
        values += [] if value is None else [value]
    kind = _FORMS.get(" ".join(form))
    return () if kind is None else (kind, *values)


def extent(items: Iterable[Enrolled]) -> str:
    """All these items in a few words: `the cards of seats 1-4, dice 1-24`."""
    owners: dict[type[Enrolled], set[int]] = {Card: set(), DieFace: set()}
    for item in items:
        owners[type(item)].add(item[0])
    seats, dice = (seat_ranges(numbers).replace(" ", ", ") for numbers in owners.values())
    words = [f"the cards of seats {seats}"] if seats else []
    words += [f"dice {dice}"] if dice else []
    return ", ".join(words) or "nothing"
