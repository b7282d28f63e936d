"""Effects as one-line JSON texts that parse back: `{"is": "Judged", "verdict": "accepted", "seat": 2, ...}`.

What an effect has by default is left out. Places, cards and tags are written as people write them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, fields, replace
from enum import Enum
from typing import Any, get_args

from firmware_host.effects import Cue, Effect, Judged, RoundVoided, Verdict
from firmware_host.errors import MalformedText
from firmware_host.event_text import parse_source
from firmware_host.places import Button, Call, Card, DieFace, Pad, Pile, Slot, Source, Spot, Stranger, Tag
from firmware_host.records import from_record
from firmware_host.stamps import Stamp
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
        kind = KINDS[record.pop("is")]
        return from_record(kind, {name: _READ.get(name, _as_it_is)(value) for name, value in record.items()})
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
    if isinstance(value, Enum):
        return value.value
    return value


def _as_it_is(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _what(text: str | None) -> Slot | Card | None:
    if text is None:
        return None
    thing = _tag(text) if text.startswith("card ") else _spot(text)
    if not isinstance(thing, Slot | Card):
        raise MalformedText(f"'{thing}' is nothing that a slap could be for")
    return thing


def _source(text: str) -> Source | Spot:
    words = text.split()
    return parse_spot(words) if words[:1] in (["pad"], ["pile"]) else parse_source(words)


def _spot(text: str) -> Spot:
    return parse_spot(text.split())


def _tag(text: str) -> Tag:
    return parse_tag(text.split())


def _stamp(pair: Any) -> Stamp:
    earliest_ns, latest_ns = pair
    if not (type(earliest_ns) is type(latest_ns) is int and earliest_ns <= latest_ns):
        raise MalformedText(f"{shortened(repr(pair))} is not a time from one moment to a later one")
    return Stamp(earliest_ns, latest_ns)


def _or_none(read: Callable[[str], Any]) -> Callable[[str | None], Any]:
    return lambda text: None if text is None else read(text)


_READ: dict[str, Callable[[Any], Any]] = {
    "verdict": Verdict,
    "cue": _or_none(Cue),
    "stamp": _stamp,
    "rival_stamp": _or_none(_stamp),
    "held": lambda pairs: tuple(map(_stamp, pairs)),
    "what": _what,
    "slot": _spot,
    "at": _spot,
    "pile": _or_none(_spot),
    "card": _tag,
    "tag": _or_none(_tag),
    "source": _source,
}
"""How a field is read, by its name: the same name means the same kind of thing in all effects."""
