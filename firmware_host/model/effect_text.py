"""Effects as one-line JSON texts that parse back: `{"is": "Judged", "verdict": "accepted", "seat": 2, ...}`.

Fields with their default values are left out. Places, cards and tags are written as people write them.
The type of a field decides how it is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, replace
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from firmware_host.model.effects import DeviceReported, Effect, Judged, RoundVoided
from firmware_host.model.errors import MalformedText
from firmware_host.model.event_text import parse_source
from firmware_host.model.places import (
    Button,
    Call,
    Card,
    DieFace,
    Pad,
    Pile,
    Slot,
    Stranger,
    format_tag,
    parse_spot,
    parse_tag,
    shortened,
)
from firmware_host.model.states import DeviceCondition, Phase, SlotState
from firmware_host.model.times import Stamp

MOST = 2**63 - 1
"""The greatest whole number that a store can hold."""


def from_record(kind: type[T], record: Mapping[str, Any]) -> T:
    """A dataclass with these values in its fields; MalformedText names a field that can't have its value."""
    hashable: Any = kind
    tests, needed = _fields(hashable)
    for name, value in record.items():
        if name not in tests:
            raise MalformedText(f"'{shortened(name)}' is unknown")
        if not tests[name](value):
            raise MalformedText(f"{name} can't be {shortened(repr(value))}")
    missing = needed - record.keys()
    if missing:
        raise MalformedText(f"{min(missing)} is missing")
    return kind(**record)


@cache
def _fields(kind: Any) -> tuple[dict[str, Callable[[Any], bool]], frozenset[str]]:
    """The test for each field, and the fields without a default."""
    hints = get_type_hints(kind)
    needed = {each.name for each in fields(kind) if each.default is MISSING}
    return {name: _test(hint) for name, hint in hints.items()}, frozenset(needed)


def _test(hint: Any) -> Callable[[Any], bool]:
    """The test whether a value is of that type; True is not a number here."""
    if hint is int:
        return lambda value: type(value) is int and -MOST <= value <= MOST
    origin = get_origin(hint)
    if origin is UnionType:
        tests = [_test(each) for each in get_args(hint)]
        return lambda value: any(test(value) for test in tests)
    if origin in (tuple, frozenset):
        test = _test(get_args(hint)[0])
        return lambda value: isinstance(value, origin) and all(map(test, value))
    if hint is NoneType:
        return lambda value: value is None
    return lambda value: isinstance(value, hint)


KINDS: dict[str, type[Effect]] = {kind.__name__: kind for kind in get_args(Effect)}
T = TypeVar("T")
_PLACES = (Button, Call, Slot, Pad, Pile)
_TAGS = (Card, DieFace, Stranger)


def format_effect(effect: Effect) -> str:
    """The one-line text of an effect."""
    return json.dumps(effect_record(effect), separators=(",", ":"))


def effect_record(effect: Effect) -> dict[str, Any]:
    """An effect as plain values with stable names, for JSON."""
    record: dict[str, Any] = {"is": type(effect).__name__}
    for each in fields(effect):
        value = getattr(effect, each.name)
        if isinstance(value, DeviceCondition):
            record |= _device_record(value)
        elif each.default is MISSING or value != each.default:
            record[each.name] = _plain(value)
    return record


def parse_effect(text: str) -> Effect:
    """The effect that `format_effect` wrote; MalformedText if it can't have written that."""
    try:
        record = json.loads(text)
        kind = KINDS[record.pop("is")]
        if kind is DeviceReported:
            record["device"] = _device(record)
        return _read(kind, record)
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
    """A state, a reason or a verdict in a text."""
    if isinstance(member, SlotState):
        return member.word
    return member.name if isinstance(member, Phase) else member.value


def _device_record(device: DeviceCondition) -> dict[str, str]:
    told = {"seen": device.seen, "advice": device.advice}
    return {"device": device.name, "condition": device.condition} | {k: v for k, v in told.items() if v}


_DEVICE_FIELDS = {
    "device": "name",
    "condition": "condition",
    "seen": "seen",
    "advice": "advice",
    "words": "seen",
}
"""The field of each key. An earlier version wrote all that was reported of a device as `words`."""


def _device(record: dict[str, Any]) -> DeviceCondition:
    """The device of a record, which keeps the other keys."""
    values = {field: record.pop(key) for key, field in _DEVICE_FIELDS.items() if key in record}
    return _read(DeviceCondition, values)


def _read(kind: type[T], record: dict[str, Any]) -> T:
    hashable: Any = kind
    readers = _readers(hashable)
    return from_record(kind, {name: readers.get(name, _as_it_is)(value) for name, value in record.items()})


@cache
def _readers(kind: Any) -> dict[str, Callable[[Any], Any]]:
    """How each field is read. The values are checked afterwards."""
    return {name: _reader(hint) for name, hint in get_type_hints(kind).items()}


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
