"""Durations as people write them: `3s`, `200ms`, `100us`; integer nanoseconds inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import NamedTuple, TypeVar

from firmware_host.model.errors import MalformedText

US = 1_000
MS = 1_000_000
S = 1_000_000_000

_UNITS = {"ns": 1, "us": US, "ms": MS, "s": S, "min": 60 * S}
_DURATION = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,12})?)(ns|us|ms|s|min)")
_SECONDS = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,9})?")


def parse_duration(text: str) -> int:
    """Nanoseconds of a text such as `200ms`."""
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise MalformedText(
            f"'{text[:60]}' is no duration; write a number and ns, us, ms, s or min, as in 200ms"
        )
    value = Decimal(match[1]) * _UNITS[match[2]]
    if value != int(value):
        raise MalformedText(f"'{text}' is finer than a nanosecond")
    return int(value)


def parse_seconds(text: str) -> int:
    """Nanoseconds of a moment written in seconds, such as `12.000050`."""
    if not _SECONDS.fullmatch(text):
        raise MalformedText(
            f"'{text[:60]}' is not a time; write seconds with up to 9 decimals, as in 1.000050"
        )
    return int(Decimal(text) * S)


def format_seconds(t_ns: int) -> str:
    """A moment in seconds, exact, with at least one decimal."""
    whole, rest = divmod(abs(t_ns), S)
    return f"{'-' if t_ns < 0 else ''}{whole}.{f'{rest:09d}'.rstrip('0') or '0'}"


def format_duration(duration_ns: int) -> str:
    """The shortest exact form: 200ms, 1.5s, 100us."""
    for unit, steps in (("min", 1), ("s", 1000), ("ms", 1000), ("us", 1000)):
        size = _UNITS[unit]
        if duration_ns >= size and duration_ns * steps % size == 0:
            return f"{Decimal(duration_ns) / size:f}{unit}"
    return f"{duration_ns}ns"


# When something happened: an interval, never a point.
#
# A clock reading taken in an interrupt is late by the interrupt's latency, and that
# latency differs from pin to pin in a fixed order. A reading taken by a poll is only
# known to lie between two polls. So a stamp is as wide as its uncertainty, and one
# event comes before another only if the intervals do not overlap. Where they do,
# nobody was first: that is a dead heat, and the tie-break settles it,
# not the order in which the software happened to read them.


class Stamp(NamedTuple):
    """The interval of CLOCK_MONOTONIC nanoseconds in which something happened."""

    earliest_ns: int
    latest_ns: int

    @property
    def middle_ns(self) -> int:
        return (self.earliest_ns + self.latest_ns) // 2

    def surely_before(self, other: Stamp) -> bool:
        return self.latest_ns < other.earliest_ns


def exactly(t_ns: int) -> Stamp:
    """The stamp of something whose time is known exactly, such as what the table does itself."""
    return Stamp(t_ns, t_ns)


T = TypeVar("T")


def contenders(rivals: Iterable[T], stamp_of: Callable[[T], Stamp]) -> list[T]:
    """The rivals that may have been first: all that are not surely after another one."""
    entries = [(rival, stamp_of(rival)) for rival in rivals]
    if not entries:
        return []
    horizon_ns = min([stamp.latest_ns for _, stamp in entries])
    return [rival for rival, stamp in entries if stamp.earliest_ns <= horizon_ns]


def margin_ns(winner: Stamp, loser: Stamp) -> int:
    """How much later the loser came, from middle to middle."""
    return loser.middle_ns - winner.middle_ns
