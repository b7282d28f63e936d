"""How the words of an expectation are read: each reader splits them into an argument and the wanted text.

The wanted text has the form in which `expectations` describes the table, so that a mismatch
shows what differs. What a table does not have can't be expected of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from firmware_host.games.cards import cards
from firmware_host.games.dice import dice
from firmware_host.model.effects import Cue, Verdict
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import SPOT_WORDS, Command, TroubleReport, parse_seat, parse_slot
from firmware_host.model.places import CARD_NUMBERS, Colour, Source, Spot, Tag, parse_spot
from firmware_host.model.plain_text import whole_number
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import format_duration, parse_duration
from firmware_host.profile.profile import Profile
from firmware_host.show.lamps import Beat, Tint

Words = Callable[[list[str], Profile], tuple[str, str]]
"""Reads the words after the subject, at a table of that profile."""

_COLOURS = {colour.word: colour for colour in Colour}
_CUES = [cue.value for cue in Cue]
_HEAD = "head"


def check_seat(seat: int, profile: Profile) -> int:
    """The seat, if the table has it."""
    if seat > profile.seats:
        raise MalformedText(f"there is no seat {seat}: this table has {profile.seats}")
    return seat


def read_form(form: str, what: str) -> Words:
    """A reader of words that must look a certain way."""
    pattern = re.compile(form)

    def read(words: list[str], profile: Profile) -> tuple[str, str]:
        text = " ".join(words)
        if not pattern.fullmatch(text):
            raise MalformedText(f"'{text}' is not a {what}" if text else f"the {what} is missing")
        return "", text

    return read


def read_per_seat(form: str, what: str) -> Words:
    """A reader of a list with an entry for each seat, or of `none` where the form allows it."""
    read_list = read_form(form, what)

    def read(words: list[str], profile: Profile) -> tuple[str, str]:
        argument, text = read_list(words, profile)
        entries = text.count(",") + 1
        if text != "none" and entries != profile.seats:
            raise MalformedText(f"'{text}' has {entries} entries; this table has {profile.seats} seats")
        return argument, text

    return read


def read_seats(form: str, what: str) -> Words:
    """A reader of a list of seats, or of `none` where the form allows it."""
    read_list = read_form(form, what)

    def read(words: list[str], profile: Profile) -> tuple[str, str]:
        argument, text = read_list(words, profile)
        for seat in text.split(",") if text != "none" else ():
            check_seat(int(seat), profile)
        return argument, text

    return read


def read_verdict(words: list[str], profile: Profile) -> tuple[str, str]:
    """`2 too-late red 1 margin 300us`, or `3 illegal not-yours`."""
    if words == ["none"]:
        return "", "none"
    seat = check_seat(parse_seat(words[:1]), profile)
    if len(words) < 2 or words[1] not in {verdict.value for verdict in Verdict}:
        found = f"'{words[1]}' is not a verdict" if len(words) > 1 else "the verdict is missing"
        raise MalformedText(f"{found}; known: {', '.join(v.value for v in Verdict)}")
    wanted, rest = [str(seat), words[1]], words[2:]
    if rest and rest[0] in _COLOURS:
        wanted.append(_thing(rest[:2], profile))
        rest = rest[2:]
    if rest and rest[0] == "margin":
        wanted.append(f"margin {format_duration(parse_duration(' '.join(rest[1:2])))}")
        rest = rest[2:]
    if rest and rest[0] in _CUES:
        wanted.append(rest.pop(0))
    if rest == ["doubtful"]:
        wanted.append("doubtful")
        rest = []
    if rest:
        raise MalformedText(f"'{' '.join(rest)}' is unexpected here")
    return "", " ".join(wanted)


def _thing(words: list[str], profile: Profile) -> str:
    """What was claimed: a card, or a place of the board."""
    if not profile.piles:
        return str(parse_slot(words))
    number = whole_number(words[1]) if len(words) == 2 else None
    if words[0] not in _COLOURS or number is None or not 1 <= number <= CARD_NUMBERS:
        raise MalformedText(f"'{' '.join(words)}' is not a card; it looks like 'red 7'")
    return f"{words[0]} {number}"


def read_word(known: Iterable[str], what: str) -> Words:
    """A reader of one of these words."""
    words_known = list(known)

    def read(words: list[str], profile: Profile) -> tuple[str, str]:
        if len(words) != 1 or words[0] not in words_known:
            raise MalformedText(f"'{' '.join(words)}' is not a {what}; known: {', '.join(words_known)}")
        return "", words[0]

    return read


def read_position(words: list[str], profile: Profile) -> tuple[str, str]:
    """The one-line text of a position of the game."""
    if not words:
        raise MalformedText("the position is missing")
    parse = cards.parse_position if profile.piles else dice.parse_position
    return "", str(parse(" ".join(words)).at_table_of(profile.seats))


def read_slot(words: list[str], profile: Profile) -> tuple[str, str]:
    """`red 1 counted`."""
    states = [state.word for state in SlotState]
    if len(words) != 3 or words[2] not in states:
        raise MalformedText(f"'{' '.join(words)}' is not a state of a slot; known: {', '.join(states)}")
    return str(parse_slot(words[:2])), words[2]


def read_led(words: list[str], profile: Profile) -> tuple[str, str]:
    """`red 1 white fast`; with cards `pile 3 head red steady`, or the number of a card for `head`."""
    if not profile.piles:
        return str(parse_slot(words[:2])), _lamp(words[2:])
    lamp = words[2:3]
    number = whole_number(lamp[0]) if lamp else None
    if words[:1] != ["pile"] or not (lamp == [_HEAD] or (number and number <= CARD_NUMBERS)):
        raise MalformedText(
            f"'{' '.join(words[:3])}' is not a lamp; it looks like 'pile 3 head' or 'pile 3 10'"
        )
    return f"{_pile(words[1:2], profile)} {lamp[0]}", _lamp(words[3:])


def _pile(words: list[str], profile: Profile) -> str:
    number = whole_number(words[0]) if words else None
    if not number or number > profile.piles:
        raise MalformedText(f"there is no pile '{' '.join(words)}': this table has {profile.piles}")
    return f"pile {number}"


def _lamp(words: list[str]) -> str:
    text = " ".join(words)
    if not text:
        raise MalformedText("the light is missing")
    if text == "off":
        return "off dark"
    tints = [tint.name.lower() for tint in Tint if tint]
    beats = [*(beat.name.lower() for beat in Beat if beat), "chase"]
    if len(words) != 2 or words[0] not in tints or words[1] not in beats:
        raise MalformedText(
            f"'{text}' is not a light; write 'off', or one of {', '.join(tints)} "
            f"with one of {', '.join(beats)}"
        )
    return text


def read_panel(words: list[str], profile: Profile) -> tuple[str, str]:
    """`2 green steady`."""
    return str(check_seat(parse_seat(words[:1]), profile)), _lamp(words[1:])


def read_line(words: list[str], profile: Profile) -> tuple[str, str]:
    """`1 "Start Ligretto"`."""
    text = " ".join(words[1:])
    if not words or words[0] not in ("1", "2") or len(text) < 2 or text[0] != '"' or text[-1] != '"':
        raise MalformedText("write the number of the line and its text in quotes")
    return words[0], text


def read_armed(words: list[str], profile: Profile) -> tuple[str, str]:
    """`3 red 7 pile 2`, `3 red 7 nowhere` if no pile wants it, or `3 none`."""
    seat = str(check_seat(parse_seat(words[:1]), profile))
    rest = words[1:]
    if rest == ["none"]:
        return seat, "none"
    card, where = rest[:2], rest[2:]
    if not card:
        raise MalformedText("the card is missing")
    if where == ["nowhere"]:
        return seat, f"{_thing(card, profile)} nowhere"
    if where[:1] != ["pile"] or len(where) != 2:
        raise MalformedText(f"'{' '.join(where)}' is not a place for a card; write a pile, or 'nowhere'")
    return seat, f"{_thing(card, profile)} {_pile(where[1:], profile)}"


def read_cue(words: list[str], profile: Profile) -> tuple[str, str]:
    """`3 unknown-tag` for the pad of a seat, or `pile 2 two-tags`."""
    if words == ["none"]:
        return "", "none"
    if words[-1:] == [] or words[-1] not in _CUES:
        found = f"'{words[-1]}' is not a cue" if words else "the cue is missing"
        raise MalformedText(f"{found}; known: {', '.join(_CUES)}")
    where = words[:-1]
    if len(where) == SPOT_WORDS:
        return "", f"{parse_spot(where)} {words[-1]}"
    return "", f"{check_seat(parse_seat(where), profile)} {words[-1]}"


@dataclass(frozen=True, slots=True)
class Input:
    """An edge of a contact: true time `t_ns`, seen by the software at `arrival_ns`.

    A wide one was found by looking again, and happened up to `wide_ns` before `t_ns`.

    One in the background happens by itself later on: the file does not wait for it.
    """

    number: int
    t_ns: int
    arrival_ns: int
    source: Source
    active: bool
    background: bool = False
    wide_ns: int = 0


@dataclass(frozen=True, slots=True)
class Sighting:
    """A tag has come to a reader, or has gone, in the `wide_ns` before `t_ns`; reported at `arrival_ns`."""

    number: int
    t_ns: int
    arrival_ns: int
    at: Spot
    tag: Tag
    present: bool
    background: bool = False
    wide_ns: int = 0


@dataclass(frozen=True, slots=True)
class Order:
    """A command of the operator, or a report of a device."""

    number: int
    t_ns: int
    command: Command | TroubleReport


@dataclass(frozen=True, slots=True)
class Until:
    """Let time pass until then."""

    number: int
    t_ns: int


@dataclass(frozen=True, slots=True)
class Expect:
    """Something must be so now. `wanted` is in the same form as what the table is found to be."""

    number: int
    subject: str
    argument: str
    wanted: str

    def __str__(self) -> str:
        return " ".join(word for word in (self.subject, self.argument, self.wanted) if word)


Statement = Input | Sighting | Order | Until | Expect


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One file: how the table is set up, and what happens. The deal has an entry for each of its seats."""

    name: str
    title: str = ""
    profile: str = "dice4"
    ownership: str = ""
    """How dice are owned, if not as the profile says."""
    deal: tuple[int, ...]
    rounds: int | None = None
    expert: bool = False
    seed: int = 1
    settings: Settings = field(default_factory=Settings)
    position: str = ""
    playing: bool = True
    statements: tuple[Statement, ...] = ()
