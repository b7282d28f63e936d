"""The clock as a port: what time it is, and waiting for a moment or for a device."""

from __future__ import annotations

import select
import time
from collections.abc import Sequence
from typing import Protocol


class Clock(Protocol):
    """Nanoseconds since some start, never going back."""

    def now_ns(self) -> int:
        """The time now."""

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> None:
        """Return at that time (never, if None) or as soon as a descriptor is readable."""


class MonotonicClock:
    """CLOCK_MONOTONIC, the clock that the kernel stamps edges with."""

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> None:
        _select(None if until_ns is None else until_ns - time.monotonic_ns(), descriptors)


def _select(for_ns: int | None, descriptors: Sequence[int]) -> None:
    if for_ns is not None and for_ns <= 0:
        return
    # select and not epoll: its time-outs are in microseconds, those of epoll in milliseconds.
    select.select(descriptors, (), (), None if for_ns is None else for_ns / 1e9)
