"""The words for what hands do: which contact moves at a table, or which tag comes to which reader.

Short words stand for what hands do most often: `hold 3 red 7` shows the own card of seat 3 to its
own pad, `take 3 red 7` takes it away, and `lay 3 red 7 on 2` lays it on the reader of pile 2.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from firmware_host.config.profile import Profile
from firmware_host.errors import MalformedText
from firmware_host.event_text import COMMAND_WORDS, SPOT_WORDS, parse_seat, parse_slot
from firmware_host.places import Button, Call, Pad, Pile, Slot, Source, Spot, Tag
from firmware_host.scenario.wording import check_seat
from firmware_host.tag_text import format_spot, parse_spot, parse_tag


class Gesture(NamedTuple):
    """Which contact a word moves; whether that is active then; whether it comes back by itself."""

    source: Callable[[list[str], Profile], Source]
    active: bool
    tap: bool = False
    of: tuple[type[Source], ...] = (Button,)


class Glimpse(NamedTuple):
    """Which tag a word moves, and before which reader; whether it is there then."""

    tag: Callable[[list[str], Profile], tuple[Spot, Tag]]
    present: bool
    of: tuple[type[Spot], ...] = (Pad, Pile, Slot)


def input_words(profile: Profile) -> list[str]:
    """All inputs that make sense at this table."""
    moved = {type(source) for source in profile.lines.values()}
    seen = {type(reader.at) for reader in profile.readers}
    words = [word for word, gesture in GESTURES.items() if moved & set(gesture.of)]
    words += [word for word, glimpse in GLIMPSES.items() if seen & set(glimpse.of)]
    return [*words, *sorted(COMMAND_WORDS)]


def _button(words: list[str], profile: Profile) -> Source:
    return Button(check_seat(parse_seat(words), profile))


def _call(words: list[str], profile: Profile) -> Source:
    call = Call(check_seat(parse_seat(words), profile))
    if call not in profile.lines.values():
        raise MalformedText("this table has no call buttons")
    return call


def _any_button(words: list[str], profile: Profile) -> Source:
    return _call(words[1:], profile) if words[:1] == ["call"] else _button(words, profile)


def _slot(words: list[str], profile: Profile) -> Source:
    slot = parse_slot(words)
    if slot not in profile.lines.values():
        raise MalformedText("this table has no places for dice")
    return slot


def _anything(words: list[str], profile: Profile) -> tuple[Spot, Tag]:
    at = parse_spot(words[:SPOT_WORDS])
    return _reader(at, profile), parse_tag(words[SPOT_WORDS:])


def _own_card(words: list[str], profile: Profile) -> tuple[Spot, Tag]:
    seat = check_seat(parse_seat(words[:1]), profile)
    return _reader(Pad(seat), profile), parse_tag(["card", *words])


def _laid_card(words: list[str], profile: Profile) -> tuple[Spot, Tag]:
    card, on, pile = words[:-2], words[-2:-1], words[-1:]
    if on != ["on"]:
        raise MalformedText("write the seat, its card, and the number of a pile, as in 'lay 3 red 7 on 2'")
    check_seat(parse_seat(card[:1]), profile)
    return _reader(parse_spot(["pile", *pile]), profile), parse_tag(["card", *card])


def _reader(at: Spot, profile: Profile) -> Spot:
    if all(reader.at != at for reader in profile.readers):
        raise MalformedText(f"this table has no reader at {format_spot(at)}")
    return at


GESTURES: dict[str, Gesture] = {
    "press": Gesture(_any_button, True),
    "release": Gesture(_any_button, False),
    "slap": Gesture(_button, True, tap=True),
    "stop": Gesture(_call, True, tap=True, of=(Call,)),
    "fill": Gesture(_slot, True, of=(Slot,)),
    "empty": Gesture(_slot, False, of=(Slot,)),
}
GLIMPSES: dict[str, Glimpse] = {
    "show": Glimpse(_anything, True),
    "withdraw": Glimpse(_anything, False),
    "hold": Glimpse(_own_card, True, of=(Pad,)),
    "take": Glimpse(_own_card, False, of=(Pad,)),
    "lay": Glimpse(_laid_card, True, of=(Pile,)),
}
