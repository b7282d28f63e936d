"""Effects as one-line JSON texts that parse back: `{"is": "Judged", "verdict": "accepted", "seat": 2, ...}`.

What an effect has by default is left out. Places, cards and tags are written as people write them.
How a field is read follows from its type.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from enum import Enum
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from firmware_host.effects import Effect, Judged, RoundVoided
from firmware_host.errors import MalformedText
from firmware_host.event_text import parse_source
from firmware_host.places import Button, Call, Card, DieFace, Pad, Pile, Slot, Stranger
from firmware_host.records import from_record
from firmware_host.stamps import Stamp
from firmware_host.states import Phase, SlotState
from firmware_host.tag_text import format_tag, parse_spot, parse_tag, shortened

KINDS: dict[str, type[Effect]] = {kind.__name__: kind for kind in get_args(Effect)}
_PLACES = (Button, Call, Slot, Pad, Pile)
_TAGS = (Card, DieFace, Stranger)


def format_effect(effect: Effect) -> str:
    """The one-line text of an effect."""
    record: dict[str, Any] = {"is": type(effect).__name__}
    for each in fields(effect):
        value = getattr(effect, each.name)
        if each.default is MISSING or value != each.default:
            record[each.name] = _plain(value)
    return json.dumps(record, separators=(",", ":"))


def parse_effect(text: str) -> Effect:
    """The effect that `format_effect` wrote; MalformedText if it wrote nothing like that."""
    try:
        record = json.loads(text)
        kind = record.pop("is")
        readers = _readers(kind)
        values = {name: readers.get(name, _as_it_is)(value) for name, value in record.items()}
        return from_record(KINDS[kind], values)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MalformedText(f"'{shortened(text)}' is no effect: {error}") from None


def as_written(effect: Effect, written: Effect) -> Effect:
    """The effect without the stamps that `written` lacks because an earlier version wrote it."""
    match effect, written:
        case Judged(), Judged(rival_stamp=None):
            return replace(effect, rival_stamp=None)
        case RoundVoided(), RoundVoided(held=()):
            return replace(effect, held=())
        case _:
            return effect


def _plain(value: object) -> object:
    if isinstance(value, _PLACES):
        return str(value)
    if isinstance(value, _TAGS):
        return format_tag(value)
    return _word(value) if isinstance(value, Enum) else value


def _word(member: Enum) -> object:
    """What a state, a reason or a verdict is called in a text."""
    if isinstance(member, SlotState):
        return member.word
    return member.name if isinstance(member, Phase) else member.value


@cache
def _readers(kind: str) -> dict[str, Callable[[Any], Any]]:
    """How each field of an effect is read; whether its value fits is checked afterwards."""
    return {name: _reader(hint) for name, hint in get_type_hints(KINDS[kind]).items()}


def _reader(hint: Any) -> Callable[[Any], Any]:
    if get_origin(hint) is tuple and get_args(hint)[0] is Stamp:
        return lambda pairs: tuple(map(_stamp, pairs))
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    for kind in kinds:
        if kind is Stamp:
            return _stamp
        if kind in (*_PLACES, *_TAGS):
            return _thing
        if isinstance(kind, type) and issubclass(kind, Enum):
            return _member(kind)
    return _as_it_is


def _as_it_is(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _thing(text: str | None) -> object:
    """A place or a tag, by its first word."""
    if text is None:
        return None
    words = text.split()
    match words[:1]:
        case ["card" | "die" | "unknown"]:
            return parse_tag(words)
        case ["pad" | "pile"]:
            return parse_spot(words)
        case _:
            return parse_source(words)


def _stamp(pair: Any) -> Stamp:
    earliest_ns, latest_ns = pair
    if not (type(earliest_ns) is type(latest_ns) is int and earliest_ns <= latest_ns):
        raise MalformedText(f"{shortened(repr(pair))} is not a time from one moment to a later one")
    return Stamp(earliest_ns, latest_ns)


def _member(kind: type[Enum]) -> Callable[[Any], Enum | None]:
    members = {_word(member): member for member in kind}

    def read(word: Any) -> Enum | None:
        if word is None:
            return None
        if word not in members:
            raise MalformedText(f"{shortened(repr(word))} is not one of {', '.join(map(str, members))}")
        return members[word]

    return read
