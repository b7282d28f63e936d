"""The clock as a port: what time it is, and waiting for a moment or for a device."""

from __future__ import annotations

import ctypes
import select
import sys
import time
from collections.abc import Sequence
from typing import Protocol

PR_SET_TIMERSLACK = 29
PR_SET_THP_DISABLE = 41
SWITCH_S = 0.0005
"""How long one thread may compute while another one waits for its turn. By default Python lets it wait for
5 ms, and a driver's thread with an edge in its hands may have to wait several times.
"""


class Clock(Protocol):
    """Nanoseconds since some start, never going back."""

    def now_ns(self) -> int:
        """The time now."""

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        """Return at that time (never, if None) or as soon as a descriptor is readable.

        False means that none is: there is nothing to read.
        """


class MonotonicClock:
    """CLOCK_MONOTONIC, the clock that the kernel stamps edges with."""

    def __init__(self) -> None:
        sharpen_timers()
        refuse_huge_pages()
        sys.setswitchinterval(SWITCH_S)

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        # select and not epoll: its time-outs are in microseconds, those of epoll in milliseconds.
        for_s = None if until_ns is None else max(0, until_ns - time.monotonic_ns()) / 1e9
        return bool(select.select(descriptors, (), (), for_s)[0])


def sharpen_timers() -> None:
    """Ask the kernel not to delay this thread's wake-ups by the usual 50 us to save power."""
    _prctl(PR_SET_TIMERSLACK, 1)


def refuse_huge_pages() -> None:
    """Ask the kernel not to merge pages of this process, as a Pi's kernel doesn't, but Debian's does.

    Its thread for that locks the process's memory, has the lowest priority, and waits for every busy program:
    on two busy processors that held the reader of edges up for more than a second.
    """
    _prctl(PR_SET_THP_DISABLE, 1)


def _prctl(option: int, value: int) -> None:
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(option, value, 0, 0, 0)
