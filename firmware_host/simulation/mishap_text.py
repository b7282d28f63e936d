"""How people write what is to go wrong: a kind, what it happens to, and times, as in `storm seat 2 3s`."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches
from typing import NamedTuple

from firmware_host.durations import parse_duration
from firmware_host.errors import MalformedText


class MishapText(NamedTuple):
    """The parts of such a text."""

    kind: str
    target: str
    times_ns: list[int]


def read_mishap(text: str, kinds: Collection[str], most_times: int, example: str) -> MishapText:
    """The parts of a text of one of these kinds; a MalformedText says what is wrong."""
    words = text.split()
    times: list[int] = []
    while len(words) > 1 and len(times) < most_times and words[-1][0].isdigit() and not words[-1].isdigit():
        times.insert(0, parse_duration(words.pop()))
    if len(words) < 2:
        raise MalformedText(f"'{text[:60]}' is not a fault; it looks like '{example}'")
    if words[0] not in kinds:
        near = get_close_matches(words[0], kinds, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(kinds)}"
        raise MalformedText(f"fault '{words[0][:60]}' is unknown; {hint}")
    return MishapText(words[0], " ".join(words[1:]), times)
