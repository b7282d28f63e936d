"""Inputs as one-line texts that parse back: edges, tags, reports and commands.

An edge is `12.0001..12.0003 edge on seat 3 #17`; everything else looks as in `event_text`.
"""

from __future__ import annotations

import re

from firmware_host.errors import MalformedText
from firmware_host.event_text import format_event, format_stamp, parse_event, parse_source, parse_stamp
from firmware_host.events import Command, DeviceChanged, Interrupted, Shown, Signal, SignalsLost, Withdrawn
from firmware_host.tag_text import shortened

Input = Signal | Shown | Withdrawn | Command | SignalsLost | DeviceChanged | Interrupted
_EDGE = "edge"
_SEQ = re.compile(r"#([0-9]{1,19})")
_LEVELS = {"on": True, "off": False}


def format_input(seen: Input) -> str:
    """The one-line text of an input."""
    if isinstance(seen, Signal):
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


def _parse_edge(words: list[str]) -> Signal:
    match words:
        case [stamp, _, level, *source, number] if level in _LEVELS and (seq := _SEQ.fullmatch(number)):
            return Signal(parse_source(source), _LEVELS[level], parse_stamp(stamp), int(seq[1]))
        case _:
            found = shortened(" ".join(words))
            raise MalformedText(f"'{found}' is no edge; it looks like '1.0001 edge on seat 3 #17'")
