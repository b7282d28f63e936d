"""The section [timing] of a table.toml: times that differ from their defaults."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any

from firmware_host.config.faults import FaultyReader
from firmware_host.config.sections import Section, Setting
from firmware_host.durations import format_duration, parse_duration
from firmware_host.errors import MalformedText
from firmware_host.settings import TIMINGS, Settings, TimeOrder, contradictions, time_of

_FORM = "a duration such as '200ms': a number and ns, us, ms, s or min"
_DURATION = re.compile(r"0*(?P<whole>[0-9]*)(?:\.[0-9]+)?(?:ns|us|ms|s|min)")
_MOST_DIGITS = len(str(max(timing.most_ns for timing in TIMINGS.values())))


def timing_table() -> Iterator[str]:
    """The lines of the table in the docs: each time with its default, its range and its meaning."""
    yield "| `[timing]` | default | range | |"
    yield "|---|---|---|---|"
    for name, timing in TIMINGS.items():
        usual, least, most = map(
            format_duration, (time_of(Settings(), name), timing.least_ns, timing.most_ns)
        )
        yield f"| `{name}` | {usual} | {least} to {most} | {timing.meaning} |"


class TimingReader:
    """Reads the times, each by itself and then all against each other."""

    def __init__(self, reader: FaultyReader) -> None:
        self._reader = reader

    def read(self, root: Section, usual: Settings) -> Settings:
        """The settings with these times put in."""
        section = self._reader.in_order(self._reader.section(root, "timing", TIMINGS))
        times = {name: self._time(name, setting) for name, setting in section.items()}
        new: dict[str, Any] = {
            f"{name.replace('-', '_')}_ns": time_ns for name, time_ns in times.items() if time_ns is not None
        }
        settings = replace(usual, **new)
        self._check(
            {name: section[name] for name, time_ns in times.items() if time_ns is not None},
            settings,
            TIMINGS.keys() - times,
        )
        return settings

    def _check(self, written: Mapping[str, Setting], settings: Settings, trusted: Collection[str]) -> None:
        """Report each time that contradicts a default, or a time further up that is right."""
        broken = contradictions(settings)
        right = set(trusted)
        for name, setting in written.items():
            against = [order for order in broken if _partner(order, name) in right]
            if against:
                worst = max(against, key=lambda order: order.excess_ns(settings))
                self._reader.fault(setting, _limit(worst, name, settings))
            else:
                right.add(name)

    def _time(self, name: str, setting: Setting) -> int | None:
        """The nanoseconds; None if they can't be had, or make no sense."""
        text = setting.value if isinstance(setting.value, str) else ""
        timing = TIMINGS[name]
        time_ns = _parsed(text)
        like = _DURATION.fullmatch(text)
        if time_ns is None and like and len(like["whole"]) > _MOST_DIGITS:
            self._reader.fault(setting, timing.span)
        elif time_ns is None and like:
            self._reader.fault(setting, "whole nanoseconds, such as 1ns")
        elif time_ns is None:
            compact = text.replace(" ", "").lower()
            self._reader.fault(setting, _FORM, near=None if _parsed(compact) is None else compact)
        elif not timing.least_ns <= time_ns <= timing.most_ns:
            self._reader.fault(setting, timing.span)
            return None
        return time_ns


def _parsed(text: str) -> int | None:
    try:
        return parse_duration(text)
    except MalformedText:
        return None


def _partner(order: TimeOrder, name: str) -> str:
    """The other time of an order; empty if it is not about this one."""
    return {order.shorter: order.longer, order.longer: order.shorter}.get(name, "")


def _limit(order: TimeOrder, name: str, settings: Settings) -> str:
    """What one time of an order has to be since the other one is what it is."""
    if name == order.shorter:
        how = "up to" if order.may_be_equal else "less than"
    else:
        how = "at least" if order.may_be_equal else "more than"
    other = _partner(order, name)
    limit = format_duration(time_of(settings, other))
    return f"{how} {limit}, which is {other}: else {order.why}"
