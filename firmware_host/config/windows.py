"""The section [windows] of a table.toml: times that differ from the usual ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from firmware_host.config.faults import FaultyReader
from firmware_host.config.sections import Section, Setting
from firmware_host.durations import format_duration, parse_duration
from firmware_host.errors import MalformedText
from firmware_host.settings import ORDERS, SETTING_NAMES, SPANS, Settings, time_of

WINDOWS = tuple(name for name in SETTING_NAMES if name != "language")
MEANINGS = {
    "stamp-uncertainty": "how far a stamp may be from the truth, either way",
    "button-settle": "an edge of a button arrives at most this long after it happened",
    "button-quiet": "edges less than this apart are one burst of bounce",
    "button-burst": "a burst is cut after this time",
    "slot-settle": "the same for the hall sensors: how late an edge may arrive",
    "slot-quiet": "edges less than this apart are one burst",
    "slot-burst": "a burst is cut after this time",
    "tag-settle": "a reader tells of a tag at most this long after it saw it",
    "identify": "time for readers at the places to say what was placed",
    "claim-early": "a slap may come this long before its die is placed",
    "claim-late": "... or this long after it",
    "just-lost": "a slap this long after a rival's counts as too late, not as false",
    "lock": "a false claim locks the seat this long",
    "calm": "a contact that chattered is trusted again when it is calm for this long",
    "stuck": "a button that is down for this long is jammed",
    "gone": "a slap this long after a card was taken off the pad is no false claim",
    "hold": "a button held this long is a call",
    "all-hold": "a round of cards is stuck when all hold their buttons this long",
    "join": "without a new player for this long the match starts, or the table gives up",
    "count": "each number of the countdown",
    "idle": "a round without a placement for this long pauses",
    "paused": "a pause this long ends the match",
    "stop": "how long the stop call stands",
    "leftover": "time to look at the leftover counts, and to dispute them",
    "entry": "a disputed count is entered when its seat is quiet for this long",
    "confirm": "time for the others to confirm a disputed count",
    "scores": "how long the scores of a round stand",
    "clear": "time to clear the board and deal again",
    "result": "how long the standings of a match stand",
}
"""What each of them is, in a line."""

_FORM = "a duration such as '200ms': a number and ns, us, ms, s or min"
_DURATION = re.compile(r"0*(?P<whole>[0-9]*)(?:\.[0-9]+)?(?:ns|us|ms|s|min)")
_MOST_DIGITS = len(str(max(span.most_ns for span in SPANS.values())))


class Bound(NamedTuple):
    """What a window must not go below, or above."""

    limit_ns: int
    low: bool
    words: str

    @property
    def strength(self) -> int:
        """The bound that includes all others of its direction is the strongest."""
        return self.limit_ns if self.low else -self.limit_ns


class WindowReader:
    """Reads the windows, each by itself and then all against each other."""

    def __init__(self, reader: FaultyReader) -> None:
        self._reader = reader
        self._faulty: set[str] = set()

    def read(self, root: Section, usual: Settings) -> Settings:
        """The settings with the windows put in."""
        section = self._reader.in_order(self._reader.section(root, "windows", WINDOWS))
        times: dict[str, Any] = {}
        for name, setting in section.items():
            time_ns = self._time(name, setting)
            if time_ns is None:
                self._faulty.add(name)
            else:
                times[f"{name.replace('-', '_')}_ns"] = time_ns
        settings = replace(usual, **times)
        if self._reader.partial:
            return settings
        self._check({name: each for name, each in section.items() if name not in self._faulty}, settings)
        return settings

    def _check(self, windows: Mapping[str, Setting], settings: Settings) -> None:
        """Tell which of these contradict the usual ones, and of two that contradict each other the later."""
        for name, setting in windows.items():
            self._tell(name, setting, [*self._faulty, *windows], settings)
        below = [name for name in windows if name not in self._faulty]
        for name in tuple(below):
            below.remove(name)
            self._tell(name, windows[name], [*self._faulty, *below], settings)

    def _tell(self, name: str, setting: Setting, others: Collection[str], settings: Settings) -> None:
        bounds = list(_broken(name, others, settings))
        if bounds:
            self._faulty.add(name)
            self._reader.fault(setting, max(bounds, key=lambda bound: bound.strength).words)

    def _time(self, name: str, setting: Setting) -> int | None:
        text = setting.value if isinstance(setting.value, str) else ""
        span = SPANS[name]
        time_ns = _parsed(text)
        like = _DURATION.fullmatch(text)
        if time_ns is None and like and len(like["whole"]) > _MOST_DIGITS:
            self._reader.fault(setting, str(span))
        elif time_ns is None and like:
            self._reader.fault(setting, "whole nanoseconds, such as 1ns")
        elif time_ns is None:
            compact = text.replace(" ", "").lower()
            self._reader.fault(setting, _FORM, near=None if _parsed(compact) is None else compact)
        elif not span.least_ns <= time_ns <= span.most_ns:
            self._reader.fault(setting, str(span))
            return None
        return time_ns


def _parsed(text: str) -> int | None:
    try:
        return parse_duration(text)
    except MalformedText:
        return None


def _broken(name: str, others: Collection[str], settings: Settings) -> Iterator[Bound]:
    """The bounds that a window breaks, but for those against others: these are to blame, or faulty."""
    for shorter, longer, may_be_equal, why in ORDERS:
        excess_ns = time_of(settings, shorter) - time_of(settings, longer)
        good = excess_ns < 0 or (may_be_equal and excess_ns == 0)
        other = longer if name == shorter else shorter
        if good or name not in (shorter, longer) or other in others:
            continue
        if name == shorter:
            how = "up to" if may_be_equal else "less than"
        else:
            how = "at least" if may_be_equal else "more than"
        limit_ns = time_of(settings, other)
        words = f"{how} {format_duration(limit_ns)}, which is {other}: else {why}"
        yield Bound(limit_ns, name == longer, words)
