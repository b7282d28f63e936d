"""The section [timing] of a table.toml: times that differ from their defaults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from firmware_host.config.faults import FaultyReader
from firmware_host.config.sections import FileSetting, Section
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


def read_timing(reader: FaultyReader, root: Section, usual: Settings) -> Settings:
    """The settings with the times of a file, and a fault for each that can't be right."""
    section = reader.in_order(reader.section(root, "timing", TIMINGS))
    read = {name: _time(reader, name, setting) for name, setting in section.items()}
    times = {name: time_ns for name, time_ns in read.items() if time_ns is not None}
    new: dict[str, Any] = {f"{name.replace('-', '_')}_ns": time_ns for name, time_ns in times.items()}
    settings = replace(usual, **new)
    broken = contradictions(settings)
    right = TIMINGS.keys() - read.keys()  # the defaults first, then each time that fits those above it
    for name in times:
        against = [order for order in broken if _partner(order, name) in right]
        if against:
            worst = max(against, key=lambda order: order.excess_ns(settings))
            reader.fault(section[name], _limit(worst, name, settings))
        else:
            right.add(name)
    return settings


def _time(reader: FaultyReader, name: str, setting: FileSetting) -> int | None:
    """The nanoseconds; None if the time is missing or makes no sense."""
    text = setting.value if isinstance(setting.value, str) else ""
    timing = TIMINGS[name]
    time_ns = _parsed(text)
    like = _DURATION.fullmatch(text)
    if time_ns is None and like and len(like["whole"]) > _MOST_DIGITS:
        reader.fault(setting, timing.span)
    elif time_ns is None and like:
        reader.fault(setting, "whole nanoseconds, such as 1ns")
    elif time_ns is None:
        compact = text.replace(" ", "").lower()
        reader.fault(setting, _FORM, near=None if _parsed(compact) is None else compact)
    elif not timing.least_ns <= time_ns <= timing.most_ns:
        reader.fault(setting, timing.span)
        return None
    return time_ns


def _parsed(text: str) -> int | None:
    try:
        return parse_duration(text)
    except MalformedText:
        return None


def _partner(order: TimeOrder, name: str) -> str:
    """The other time of an order; empty if the order is not about this one."""
    return {order.shorter: order.longer, order.longer: order.shorter}.get(name, "")


def _limit(order: TimeOrder, name: str, settings: Settings) -> str:
    """What one time of an order has to be, given the other one."""
    if name == order.shorter:
        how = "up to" if order.may_be_equal else "less than"
    else:
        how = "at least" if order.may_be_equal else "more than"
    other = _partner(order, name)
    limit = format_duration(time_of(settings, other))
    return f"{how} {limit}, which is {other}: else {order.why}"
