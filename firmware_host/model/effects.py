"""What the table decided: frozen values that go from the session to the show and the journal."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from firmware_host.model.errors import MalformedText
from firmware_host.model.events import parse_source
from firmware_host.model.places import (
    Button,
    Call,
    Card,
    DieFace,
    Pad,
    Pile,
    Slot,
    Source,
    Spot,
    Stranger,
    Tag,
    format_tag,
    parse_spot,
    parse_tag,
)
from firmware_host.model.plain_text import shortened
from firmware_host.model.states import (
    AbandonReason,
    AwayReason,
    Corrector,
    DeviceCondition,
    MaskReason,
    Phase,
    SlotState,
    VoidReason,
)
from firmware_host.model.times import Stamp


class Verdict(Enum):
    """The referee's answer to one slap."""

    ACCEPTED = "accepted"  # the placement is this seat's
    TOO_LATE = "too-late"  # a rival claimed it first
    ILLEGAL = "illegal"  # what was placed, or the card to be played, does not fit there
    FALSE_CLAIM = "false-claim"  # there was nothing to claim: a warning, then a lock
    LOCKED = "locked"  # slapped while locked
    TAKEN_BACK = "taken-back"  # lifted a counted die that nothing lay on, and slapped
    REPEATED = "repeated"  # the second slap of a hand: it counts for nothing and costs nothing
    NOT_RUNNING = "not-running"  # no round was running at that moment
    DEAD_HEAT_WON = "dead-heat-won"  # nobody was first, and the tie-break chose this seat
    DEAD_HEAT_LOST = "dead-heat-lost"  # nobody was first, and the tie-break chose a rival


WINNING = (Verdict.ACCEPTED, Verdict.DEAD_HEAT_WON)
"""The verdicts that win a die or a card."""


class Cue(Enum):
    """What is wrong with a tag or with a stop call. It is shown to its player and has no other effect."""

    UNKNOWN = "unknown-tag"  # nobody has enrolled it
    NOT_YOURS = "not-yours"  # it belongs to another seat, or to none that plays
    TWO_TAGS = "two-tags"  # more than one at a time
    IN_CENTRE = "in-the-centre"  # it was played already
    WRONG_KIND = "wrong-kind"  # a die on a table of cards, or a card on a table of dice
    GONE = "gone"  # it was taken away before the slap
    UNREAD = "unread"  # something lies there, and no tag could be read
    WRONG_DIE = "wrong-die"  # its colour or its face does not fit that place
    WRONG_STOP = "wrong-stop"  # called stop with Ligretto cards left


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a slap. Its seat is locked until `locked_until_ns` (0: it is not locked)."""

    verdict: Verdict
    seat: int
    stamp: Stamp
    decided_ns: int
    what: Slot | Card | None = None
    margin_ns: int | None = None
    rival: int | None = None  # the seat that it lost to, or took a counted die from
    doubtful: bool = False
    locked_until_ns: int = 0
    cue: Cue | None = None
    rival_stamp: Stamp | None = None  # of the slap or the card that it lost to


@dataclass(frozen=True, slots=True)
class TieBroken:
    """A dead heat was settled: the contenders, the ties each had won before, and the winner.

    `what` is the place or the card, or None for the end of the round.
    """

    what: Slot | Card | None
    seats: tuple[int, ...]
    won_before: tuple[int, ...]
    drawn: bool
    winner: int


@dataclass(frozen=True, slots=True)
class PhaseEntered:
    """The session entered a phase."""

    phase: Phase
    t_ns: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A player sat down."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """The start call: the round runs from now on. `hands` is what each seat has to get rid of."""

    number: int
    hands: tuple[int, ...]
    t_ns: int
    again: bool = False  # it goes on, after a pause or a stop call that was wrong


@dataclass(frozen=True, slots=True)
class SlotChanged:
    """The state of a place of the board changed."""

    slot: Slot
    state: SlotState
    t_ns: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played onto a pile in the centre; `height` is that of the pile now."""

    card: Card
    pile: Pile
    t_ns: int


@dataclass(frozen=True, slots=True)
class CardArmed:
    """A seat's pad has read its card, which fits onto that pile (None: onto none now)."""

    card: Card
    pile: Pile | None
    t_ns: int


@dataclass(frozen=True, slots=True)
class TagRefused:
    """A tag has no meaning where it is, or the tag of something could not be read."""

    at: Spot
    tag: Tag | None
    cue: Cue
    t_ns: int


@dataclass(frozen=True, slots=True)
class DieShown:
    """A seat has shown a die to its pad, `count` so far; the die needs no slap when it is placed."""

    seat: int
    die: int
    count: int


@dataclass(frozen=True, slots=True)
class LeftoverScanned:
    """A seat has shown one more of its leftover Ligretto cards."""

    card: Card
    count: int


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A seat placed its last die, or called stop."""

    seat: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class RoundStuck:
    """All seats called that nobody can play any more."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """A round that does not count is played again.

    `seats` are those that called for it by holding their buttons, and `held` has the stamp of each press.
    """

    number: int
    reason: VoidReason
    t_ns: int
    seats: tuple[int, ...] = ()
    held: tuple[Stamp, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrected:
    """A seat's leftover count was changed after a dispute or by the operator."""

    seat: int
    before: int
    after: int
    by: Corrector


@dataclass(frozen=True, slots=True)
class RoundScored:
    """The round is scored. `seats` played; the other tuples have one entry for each seat of the table.

    A round that was stuck has no finisher.
    """

    number: int
    seats: tuple[int, ...]
    finisher: int | None
    leftovers: tuple[int, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; several seats may have won. Totals have one entry for each seat of the table."""

    seats: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchAbandoned:
    """The match was given up before its end."""

    reason: AbandonReason
    t_ns: int


@dataclass(frozen=True, slots=True)
class LateSignal:
    """An edge or a tag came after its settle time. Such an edge is not judged."""

    source: Source | Spot
    stamp: Stamp
    behind_ns: int


@dataclass(frozen=True, slots=True)
class Noise:
    """A source bounced without changing: a disturbance on the wire, not a hand."""

    source: Source
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SourceMasked:
    """A button or slot chatters or is stuck, and is masked."""

    source: Source
    reason: MaskReason
    t_ns: int


@dataclass(frozen=True, slots=True)
class SourceUnmasked:
    """A button or slot works again."""

    source: Source
    t_ns: int


@dataclass(frozen=True, slots=True)
class EdgesLost:
    """A driver lost edges in that interval; verdicts that depend on it are doubtful."""

    count: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class DeviceReported:
    """The condition of a device has changed."""

    device: DeviceCondition
    needed: bool
    t_ns: int


@dataclass(frozen=True, slots=True)
class WasInterrupted:
    """The table is back. A round that was running waits until everything lies where it lay."""

    reason: AwayReason
    t_ns: int


@dataclass(frozen=True, slots=True)
class Refused:
    """A command of the operator was not possible in the present phase."""

    command: str
    reason: str


Effect = (
    Judged
    | TieBroken
    | PhaseEntered
    | SeatTaken
    | RoundStarted
    | SlotChanged
    | CardPlayed
    | CardArmed
    | TagRefused
    | DieShown
    | LeftoverScanned
    | RoundFinished
    | RoundStuck
    | RoundVoided
    | Corrected
    | RoundScored
    | MatchEnded
    | MatchAbandoned
    | LateSignal
    | Noise
    | SourceMasked
    | SourceUnmasked
    | EdgesLost
    | DeviceReported
    | WasInterrupted
    | Refused
)
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
_THINGS = (Button, Call, Slot, Pad, Pile, Card, DieFace, Stranger)


def format_effect(effect: Effect) -> str:
    """The one-line text of an effect."""
    return json.dumps(effect_record(effect), separators=(",", ":"))


def effect_record(effect: Effect) -> dict[str, Any]:
    """An effect as plain values with stable names, for JSON."""
    record: dict[str, Any] = {"is": type(effect).__name__}
    for each in fields(effect):
        value = getattr(effect, each.name)
        if isinstance(value, DeviceCondition):
            told = {"seen": value.seen, "advice": value.advice}
            record |= {"device": value.name, "condition": value.condition}
            record |= {name: words for name, words in told.items() if words}
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
    if isinstance(value, _THINGS):
        return format_tag(value) if isinstance(value, Card) else str(value)
    return _word(value) if isinstance(value, Enum) else value


def _word(member: Enum) -> object:
    """A state, a reason or a verdict in a text."""
    if isinstance(member, SlotState):
        return member.word
    return member.name if isinstance(member, Phase) else member.value


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
        if kind in _THINGS:
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
