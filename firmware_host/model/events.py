"""What happens to the table: frozen values that go from the intake to the session.

A `SourceEdge` is one raw edge of one source, bounce and all. The arbiter turns edges
into the clean events below and releases them in the order of their stamps. An
operator's commands join the same stream.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from firmware_host.model.errors import MalformedText
from firmware_host.model.places import (
    PLACES_PER_ROW,
    Button,
    Call,
    Colour,
    Slot,
    Source,
    Spot,
    Tag,
    format_tag,
    parse_spot,
    parse_tag,
)
from firmware_host.model.plain_text import shortened, whole_number
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, MaskReason
from firmware_host.model.times import Stamp, format_duration, format_seconds, parse_duration, parse_seconds


class SourceEdge(NamedTuple):
    """One edge from the intake; `seq` orders the edges of a source."""

    source: Source
    active: bool
    stamp: Stamp
    seq: int


@dataclass(frozen=True, slots=True)
class Pressed:
    """A seat's button went down: its race button, or its call button if `call`.

    `late` marks one that arrived after its settle time.
    """

    seat: int
    stamp: Stamp
    late: bool = False
    call: bool = False


@dataclass(frozen=True, slots=True)
class Released:
    """A seat's button came up again."""

    seat: int
    stamp: Stamp
    late: bool = False
    call: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """Something lies on a slot now."""

    slot: Slot
    stamp: Stamp
    late: bool = False


@dataclass(frozen=True, slots=True)
class Emptied:
    """Nothing lies on a slot any more."""

    slot: Slot
    stamp: Stamp
    late: bool = False


@dataclass(frozen=True, slots=True)
class TagSeen:
    """A tag has come to a reader, and counts from now on."""

    at: Spot
    tag: Tag
    stamp: Stamp
    late: bool = False


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A tag has gone from a reader, and does not count any more."""

    at: Spot
    tag: Tag
    stamp: Stamp
    late: bool = False


@dataclass(frozen=True, slots=True)
class Masked:
    """A source can't be right and is masked: it chatters, or is stuck."""

    source: Source
    reason: MaskReason
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Unmasked:
    """A masked source works again."""

    source: Source
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SignalsLost:
    """A driver has lost edges at some time in the `within_ns` before the stamp."""

    count: int
    within_ns: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """The condition of a device has changed. No round can go on while a needed one is lost.

    A device with a `seat` is needed only while that seat plays.
    """

    device: DeviceCondition
    needed: bool
    stamp: Stamp
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The table was away in that interval: without power, or in service. Events with the changes follow."""

    reason: AwayReason
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class StartMatch:
    """The operator starts a match; `deal` gives each seat its dice or Ligretto cards (0: not playing).

    If everybody has been dealt to, the countdown begins at once. Else the players are asked to deal.
    With a `position` in its one-line form the first round goes on from there: the dice or cards
    of that position lie on the table already.
    """

    deal: tuple[int, ...]
    stamp: Stamp
    position: str = ""
    dealt: bool = True


@dataclass(frozen=True, slots=True)
class Pause:
    """The operator stops the clock of a running round."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class Resume:
    """The operator lets a paused round go on."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class VoidRound:
    """The operator cancels the round; it will be played again."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class EndMatch:
    """The operator ends the match at once, without a result."""

    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SetLeftover:
    """The operator enters how many dice, or Ligretto cards, a seat really has left."""

    seat: int
    count: int
    stamp: Stamp


Contact = Pressed | Released | Filled | Emptied
TagEvent = TagSeen | Withdrawn
MayBeLate = Contact | TagEvent
TroubleReport = SignalsLost | DeviceChanged | Interrupted
Command = StartMatch | Pause | Resume | VoidRound | EndMatch | SetLeftover
Event = Contact | TagEvent | Masked | Unmasked | TroubleReport | Command


# Events as one-line texts that parse back: `12.0001..12.0003 press 3`.
#
# The stamp comes first, in seconds (one number if it is exact), then what happened. An event that came too
# late to be put in order ends in `late`.


def format_stamp(stamp: Stamp) -> str:
    """`12.0001..12.0003`, or `12.0001` if it is exact."""
    earliest = format_seconds(stamp.earliest_ns)
    if stamp.earliest_ns == stamp.latest_ns:
        return earliest
    return f"{earliest}..{format_seconds(stamp.latest_ns)}"


def parse_stamp(text: str) -> Stamp:
    """The stamp that `format_stamp` wrote."""
    first, dots, last = text.partition("..")
    earliest_ns = parse_seconds(first)
    latest_ns = parse_seconds(last) if dots else earliest_ns
    if latest_ns < earliest_ns:
        raise MalformedText(f"'{text}' ends before it begins")
    return Stamp(earliest_ns, latest_ns)


def format_event(event: Event) -> str:
    """The one-line text of an event."""
    word, words_of = _WORDS_OF[type(event)]
    words = [format_stamp(event.stamp), word, *words_of(event)]
    if isinstance(event, MayBeLate) and event.late:
        words.append("late")
    return " ".join(words)


def parse_event(text: str) -> Event:
    """The event of a one-line text; MalformedText says what is wrong with it."""
    words = text.split()
    if len(words) < 2:
        raise MalformedText(f"'{text}' is no event; it looks like '1.000050 press 3'")
    stamp = parse_stamp(words[0])
    return parse_event_words(words[1], words[2:], stamp)


def parse_event_words(word: str, arguments: list[str], stamp: Stamp) -> Event:
    """The event that a word and its arguments name."""
    if word not in _FORMS:
        raise MalformedText(f"'{word}' is no event; known: {', '.join(sorted(_FORMS))}")
    form = _FORMS[word]
    if arguments[-1:] == ["late"] and issubclass(form.kind, MayBeLate):
        late: Event = form.kind(**form.read(arguments[:-1]), stamp=stamp, late=True)
        return late
    event: Event = form.kind(**form.read(arguments), stamp=stamp)
    return event


def parse_seat(words: list[str]) -> int:
    """A seat's number from exactly one word."""
    if not words:
        raise MalformedText("the seat is missing")
    seat = whole_number(words[0]) if len(words) == 1 else None
    if not seat:
        raise MalformedText(f"'{_short(words)}' is no seat; seats are numbered from 1")
    return seat


def parse_slot(words: list[str]) -> Slot:
    """A slot from a colour and a number."""
    if not words:
        raise MalformedText("the slot is missing; it looks like 'red 3'")
    colours = {colour.word: colour for colour in Colour}
    number = whole_number(words[1]) if len(words) == 2 else None
    if number is None or words[0] not in colours:
        raise MalformedText(f"'{_short(words)}' is no slot; it looks like 'red 3'")
    if not 1 <= number <= PLACES_PER_ROW:
        raise MalformedText(f"'{' '.join(words)}' is no slot; a row has the places 1 to {PLACES_PER_ROW}")
    return Slot(colours[words[0]], number)


def parse_source(words: list[str]) -> Source:
    """A button or a slot: `seat 1`, `call 1` or `red 3`."""
    if words[:1] == ["call"]:
        return Call(parse_seat(words[1:]))
    return Button(parse_seat(words[1:])) if words[:1] == ["seat"] else parse_slot(words)


def parse_deal(words: list[str]) -> tuple[int, ...]:
    """A deal such as `6,6,6,6`."""
    if not words:
        raise MalformedText("the deal is missing; it looks like '6,6,6,6'")
    parts = words[0].split(",") if len(words) == 1 else []
    deal = tuple(number for part in parts if (number := whole_number(part)) is not None)
    if not parts or len(deal) != len(parts):
        raise MalformedText(f"'{_short(words)}' is no deal; it looks like '6,6,6,6', 0 for an empty seat")
    return deal


def _short(words: list[str]) -> str:
    return shortened(" ".join(words))


Fields = dict[str, Any]
SPOT_WORDS = 2


def _button_words(event: Pressed | Released) -> list[str]:
    return ["call", str(event.seat)] if event.call else [str(event.seat)]


def _button(words: list[str]) -> Fields:
    call = words[:1] == ["call"]
    return {"seat": parse_seat(words[1:] if call else words), "call": call}


def _start_words(event: StartMatch) -> list[str]:
    deal = ",".join(map(str, event.deal))
    if event.position:
        return [deal, "from", event.position]
    return [deal, "dealt"] if event.dealt else [deal]


def _start(words: list[str]) -> Fields:
    if len(words) > 2 and words[1] == "from":
        return {"deal": parse_deal(words[:1]), "position": " ".join(words[2:])}
    dealt = words[1:] == ["dealt"]
    return {"deal": parse_deal(words[:1] if dealt else words), "dealt": dealt}


def _leftover(words: list[str]) -> Fields:
    count = whole_number(words[1]) if len(words) == 2 else None
    if count is None:
        raise MalformedText(f"'{_short(words)}' is not a leftover count; it looks like '3 2': seat, dice")
    return {"seat": parse_seat(words[:1]), "count": count}


def _loss(words: list[str]) -> Fields:
    count = whole_number(words[0]) if len(words) == 2 else None
    if count is None:
        raise MalformedText(
            f"'{_short(words)}' is not a loss of edges; it looks like '3 100ms': how many, within"
        )
    return {"count": count, "within_ns": parse_duration(words[1])}


_NOTES = re.compile(r"(?:\((?P<seen>.*)\) )?-> \((?P<advice>.*)\)|\((?P<all>.*)\)|")
"""What was seen, what to do about it, or both; neither contains `) -> (`."""


def _device_words(event: DeviceChanged) -> list[str]:
    device = event.device
    words = [device.name, device.condition]
    words += ["needed"] if event.needed else []
    words += ["seat", str(event.seat)] if event.seat else []
    seen, advice = (" ".join(text.split()) for text in (device.seen, device.advice))
    words += [f"({seen})"] if seen else []
    return words + ([f"-> ({advice})"] if advice else [])


def _device(words: list[str]) -> Fields:
    if len(words) < 2 or words[1] not in tuple(Condition):
        known = ", ".join(Condition)
        raise MalformedText(f"'{_short(words)}' is no device; it looks like 'left lost needed' ({known})")
    rest = words[2:]
    needed = rest[:1] == ["needed"]
    rest = rest[1:] if needed else rest
    seat = parse_seat(rest[1:2]) if rest[:1] == ["seat"] else 0
    rest = rest[2:] if seat else rest
    notes = _NOTES.fullmatch(" ".join(rest))
    if notes is None:
        form = "write '(what was seen) -> (what to do about it)'"
        raise MalformedText(f"'{_short(rest)}' is unexpected here; {form}")
    seen, advice = notes["seen"] or notes["all"] or "", notes["advice"] or ""
    device = DeviceCondition(words[0], Condition(words[1]), seen.strip(), advice.strip())
    return {"device": device, "needed": needed, "seat": seat}


def _interruption(words: list[str]) -> Fields:
    if len(words) != 1 or words[0] not in tuple(AwayReason):
        raise MalformedText(f"'{_short(words)}' is no interruption; allowed: {', '.join(AwayReason)}")
    return {"reason": AwayReason(words[0])}


def _masking(words: list[str]) -> Fields:
    if not words or words[-1] not in tuple(MaskReason):
        raise MalformedText(
            f"'{_short(words)}' is no masking; it looks like 'red 3 chatters' or 'seat 1 stuck'"
        )
    return {"source": parse_source(words[:-1]), "reason": MaskReason(words[-1])}


def _nothing(words: list[str]) -> Fields:
    if words:
        raise MalformedText(f"'{' '.join(words)}' is unexpected here")
    return {}


class _Form(NamedTuple):
    """The text of a kind of event: which words follow its own, and what fields they have."""

    kind: type[Any]
    words: Callable[[Any], list[str]]
    read: Callable[[list[str]], Fields]


def _of_slot(kind: type[Any]) -> _Form:
    return _Form(kind, lambda event: [str(event.slot)], lambda words: {"slot": parse_slot(words)})


def _of_tag(kind: type[Any]) -> _Form:
    def read(words: list[str]) -> Fields:
        return {"at": parse_spot(words[:SPOT_WORDS]), "tag": parse_tag(words[SPOT_WORDS:])}

    return _Form(kind, lambda event: [str(event.at), format_tag(event.tag)], read)


def _alone(kind: type[Any]) -> _Form:
    return _Form(kind, lambda event: [], _nothing)


_OPERATOR_FORMS = {
    "start": _Form(StartMatch, _start_words, _start),
    "pause": _alone(Pause),
    "resume": _alone(Resume),
    "void": _alone(VoidRound),
    "end": _alone(EndMatch),
    "leftover": _Form(SetLeftover, lambda event: [str(event.seat), str(event.count)], _leftover),
}
_REPORT_FORMS = {
    "lost": _Form(SignalsLost, lambda event: [str(event.count), format_duration(event.within_ns)], _loss),
    "device": _Form(DeviceChanged, _device_words, _device),
    "interrupted": _Form(Interrupted, lambda event: [event.reason], _interruption),
}
_FORMS = {
    "press": _Form(Pressed, _button_words, _button),
    "release": _Form(Released, _button_words, _button),
    "fill": _of_slot(Filled),
    "empty": _of_slot(Emptied),
    "show": _of_tag(TagSeen),
    "withdraw": _of_tag(Withdrawn),
    **_OPERATOR_FORMS,
    **_REPORT_FORMS,
    "mask": _Form(Masked, lambda event: [str(event.source), event.reason], _masking),
    "unmask": _Form(
        Unmasked, lambda event: [str(event.source)], lambda words: {"source": parse_source(words)}
    ),
}
"""A row for each kind of event, by its word."""
_WORDS_OF = {form.kind: (word, form.words) for word, form in _FORMS.items()}

OPERATOR_WORDS: dict[str, type[Command]] = {word: form.kind for word, form in _OPERATOR_FORMS.items()}
"""The commands of an operator by their words."""

COMMAND_WORDS = frozenset(_OPERATOR_FORMS | _REPORT_FORMS)


# Inputs as one-line texts that parse back: edges, tags, reports and commands.
#
# An edge is `12.0001..12.0003 edge on seat 3 #17`; everything else looks like an event.


Input = SourceEdge | TagSeen | Withdrawn | Command | SignalsLost | DeviceChanged | Interrupted
_EDGE = "edge"
_SEQ = re.compile(r"#([0-9]{1,19})")
_LEVELS = {"on": True, "off": False}


def format_input(seen: Input) -> str:
    """The one-line text of an input."""
    if isinstance(seen, SourceEdge):
        level = "on" if seen.active else "off"
        return f"{format_stamp(seen.stamp)} {_EDGE} {level} {seen.source} #{seen.seq}"
    return format_event(seen)


def parse_input(text: str) -> Input:
    """The input that `format_input` wrote; MalformedText says what is wrong with a text."""
    words = text.split(" ")
    if words[1:2] == [_EDGE]:
        return _parse_edge(words)
    event = parse_event(text)
    if not isinstance(event, Input):
        raise MalformedText(f"'{shortened(text)}' is made by the table, it does not come into it")
    return event


def _parse_edge(words: list[str]) -> SourceEdge:
    match words:
        case [stamp, _, level, *source, number] if level in _LEVELS and (seq := _SEQ.fullmatch(number)):
            return SourceEdge(parse_source(source), _LEVELS[level], parse_stamp(stamp), int(seq[1]))
        case _:
            found = shortened(" ".join(words))
            raise MalformedText(f"'{found}' is no edge; it looks like '1.0001 edge on seat 3 #17'")
