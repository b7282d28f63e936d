"""Events as one-line texts that parse back: `12.0001..12.0003 press 3`.

The stamp comes first, in seconds (one number if it is exact), then what happened. An event
that came too late to be put in order ends in `late`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from firmware_host.model import events as e
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import (
    Command,
    DeviceChanged,
    Interrupted,
    SignalsLost,
    SourceEdge,
    TagSeen,
    Withdrawn,
)
from firmware_host.model.places import (
    PLACES_PER_ROW,
    Button,
    Call,
    Colour,
    Slot,
    Source,
    format_spot,
    format_tag,
    parse_spot,
    parse_tag,
    shortened,
)
from firmware_host.model.plain_text import whole_number
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, MaskReason
from firmware_host.model.times import Stamp, format_duration, format_seconds, parse_duration, parse_seconds


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


def format_event(event: e.Event) -> str:
    """The one-line text of an event."""
    words = [format_stamp(event.stamp), _WORD_OF[type(event)]]
    match event:
        case e.Pressed() | e.Released():
            words += ["call", str(event.seat)] if event.call else [str(event.seat)]
        case e.TagSeen() | e.Withdrawn():
            words += [format_spot(event.at), format_tag(event.tag)]
        case e.Filled() | e.Emptied():
            words.append(str(event.slot))
        case e.StartMatch():
            words.append(",".join(map(str, event.deal)))
            words += ["from", event.position] if event.position else ["dealt"] if event.dealt else []
        case e.SetLeftover():
            words += [str(event.seat), str(event.count)]
        case e.SignalsLost():
            words += [str(event.count), format_duration(event.within_ns)]
        case e.DeviceChanged():
            words += [event.device.name, event.device.condition]
            words += ["needed"] if event.needed else []
            words += ["seat", str(event.seat)] if event.seat else []
            seen, advice = (" ".join(text.split()) for text in (event.device.seen, event.device.advice))
            words += [f"({seen})"] if seen else []
            words += [f"-> ({advice})"] if advice else []
        case e.Interrupted():
            words.append(event.reason)
        case e.Masked():
            words += [str(event.source), event.reason]
        case e.Unmasked():
            words.append(str(event.source))
        case _:
            pass
    if isinstance(event, e.Contact | e.TagEvent) and event.late:
        words.append("late")
    return " ".join(words)


def parse_event(text: str) -> e.Event:
    """The event of a one-line text; MalformedText says what is wrong with it."""
    words = text.split()
    if len(words) < 2:
        raise MalformedText(f"'{text}' is no event; it looks like '1.000050 press 3'")
    stamp = parse_stamp(words[0])
    return parse_event_words(words[1], words[2:], stamp)


def parse_event_words(word: str, arguments: list[str], stamp: Stamp) -> e.Event:
    """The event that a word and its arguments name."""
    if word in _CONTACTS:
        late = arguments[-1:] == ["late"]
        return _CONTACTS[word](arguments[:-1] if late else arguments, stamp, late)
    if word in _TAGS:
        late = arguments[-1:] == ["late"]
        return _tag(_TAGS[word], arguments[:-1] if late else arguments, stamp, late)
    if word in _COMMANDS:
        return _COMMANDS[word](arguments, stamp)
    if word in _REPORTS:
        return _REPORTS[word](arguments, stamp)
    if word in _MASKS:
        return _MASKS[word](arguments, stamp)
    known = sorted([*_CONTACTS, *_TAGS, *_COMMANDS, *_REPORTS, *_MASKS])
    raise MalformedText(f"'{word}' is no event; known: {', '.join(known)}")


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


def _start(words: list[str], stamp: Stamp) -> e.StartMatch:
    if len(words) > 2 and words[1] == "from":
        return e.StartMatch(parse_deal(words[:1]), stamp, " ".join(words[2:]))
    dealt = words[1:] == ["dealt"]
    return e.StartMatch(parse_deal(words[:1] if dealt else words), stamp, dealt=dealt)


def _leftover(words: list[str], stamp: Stamp) -> e.SetLeftover:
    count = whole_number(words[1]) if len(words) == 2 else None
    if count is None:
        raise MalformedText(f"'{_short(words)}' is not a leftover count; it looks like '3 2': seat, dice")
    return e.SetLeftover(parse_seat(words[:1]), count, stamp)


def _lost(words: list[str], stamp: Stamp) -> e.SignalsLost:
    count = whole_number(words[0]) if len(words) == 2 else None
    if count is None:
        raise MalformedText(
            f"'{_short(words)}' is no loss of edges; it looks like '3 100ms': how many, within"
        )
    return e.SignalsLost(count, parse_duration(words[1]), stamp)


_NOTES = re.compile(r"(?:\((?P<seen>.*)\) )?-> \((?P<advice>.*)\)|\((?P<all>.*)\)|")
"""What was seen, what to do about it, or both; neither contains `) -> (`."""


def _device(words: list[str], stamp: Stamp) -> e.DeviceChanged:
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
    return e.DeviceChanged(device, needed, stamp, seat)


def _interrupted(words: list[str], stamp: Stamp) -> e.Interrupted:
    if len(words) != 1 or words[0] not in tuple(AwayReason):
        raise MalformedText(f"'{_short(words)}' is no interruption; allowed: {', '.join(AwayReason)}")
    return e.Interrupted(AwayReason(words[0]), stamp)


def parse_source(words: list[str]) -> Source:
    """A button or a slot: `seat 1`, `call 1` or `red 3`."""
    if words[:1] == ["call"]:
        return Call(parse_seat(words[1:]))
    return Button(parse_seat(words[1:])) if words[:1] == ["seat"] else parse_slot(words)


def _mask(words: list[str], stamp: Stamp) -> e.Masked:
    if not words or words[-1] not in tuple(MaskReason):
        raise MalformedText(
            f"'{_short(words)}' is no masking; it looks like 'red 3 chatters' or 'seat 1 stuck'"
        )
    return e.Masked(parse_source(words[:-1]), MaskReason(words[-1]), stamp)


def _plain(make: Callable[[Stamp], e.Command]) -> Callable[[list[str], Stamp], e.Command]:
    def parse(words: list[str], stamp: Stamp) -> e.Command:
        if words:
            raise MalformedText(f"'{' '.join(words)}' is unexpected here")
        return make(stamp)

    return parse


def _button(
    kind: type[e.Pressed] | type[e.Released],
) -> Callable[[list[str], Stamp, bool], e.Pressed | e.Released]:
    def parse(words: list[str], stamp: Stamp, late: bool) -> e.Pressed | e.Released:
        call = words[:1] == ["call"]
        return kind(parse_seat(words[1:] if call else words), stamp, late, call)

    return parse


SPOT_WORDS = 2


def _tag(
    kind: type[e.TagSeen] | type[e.Withdrawn], words: list[str], stamp: Stamp, late: bool
) -> e.TagSeen | e.Withdrawn:
    return kind(parse_spot(words[:SPOT_WORDS]), parse_tag(words[SPOT_WORDS:]), stamp, late)


_CONTACTS: dict[str, Callable[[list[str], Stamp, bool], e.Contact]] = {
    "press": _button(e.Pressed),
    "release": _button(e.Released),
    "fill": lambda words, stamp, late: e.Filled(parse_slot(words), stamp, late),
    "empty": lambda words, stamp, late: e.Emptied(parse_slot(words), stamp, late),
}

_TAGS: dict[str, type[e.TagSeen] | type[e.Withdrawn]] = {"show": e.TagSeen, "withdraw": e.Withdrawn}

_COMMANDS: dict[str, Callable[[list[str], Stamp], e.Command]] = {
    "start": _start,
    "pause": _plain(e.Pause),
    "resume": _plain(e.Resume),
    "void": _plain(e.VoidRound),
    "end": _plain(e.EndMatch),
    "leftover": _leftover,
}

_REPORTS: dict[str, Callable[[list[str], Stamp], e.TroubleReport]] = {
    "lost": _lost,
    "device": _device,
    "interrupted": _interrupted,
}

_MASKS: dict[str, Callable[[list[str], Stamp], e.Masked | e.Unmasked]] = {
    "mask": _mask,
    "unmask": lambda words, stamp: e.Unmasked(parse_source(words), stamp),
}

_WORD_OF: dict[type[e.Event], str] = {
    e.Pressed: "press",
    e.Released: "release",
    e.Filled: "fill",
    e.Emptied: "empty",
    e.TagSeen: "show",
    e.Withdrawn: "withdraw",
    e.StartMatch: "start",
    e.Pause: "pause",
    e.Resume: "resume",
    e.VoidRound: "void",
    e.EndMatch: "end",
    e.SetLeftover: "leftover",
    e.SignalsLost: "lost",
    e.DeviceChanged: "device",
    e.Interrupted: "interrupted",
    e.Masked: "mask",
    e.Unmasked: "unmask",
}

OPERATOR_WORDS: dict[str, type[e.Command]] = {
    word: kind for kind, word in _WORD_OF.items() if word in _COMMANDS and issubclass(kind, e.Command)
}
"""The commands of an operator by their words."""

COMMAND_WORDS = frozenset(_COMMANDS | _REPORTS)


# Inputs as one-line texts that parse back: edges, tags, reports and commands.
#
# An edge is `12.0001..12.0003 edge on seat 3 #17`; everything else looks as in `event_text`.


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
