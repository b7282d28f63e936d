"""How a PN532 wakes: by the edges of its serial line, after a delay.

Asleep, it only counts how often the line rises. With the fifth time its oscillator starts, and until
that runs, what comes in is lost. A 55 has all five edges in it, a zero has one (its stop bit).
That is why hosts send 55, or begin a command with many zeros.
"""

from __future__ import annotations

from itertools import pairwise

EDGES = 5
TYPICAL_NS = 300_000
"""How long the oscillator takes as a rule: some 100 µs."""
LONGEST_NS = 2_000_000
BITS = 10
"""A byte on the line: a start bit (low), eight bits of data, the lowest first, and a stop bit (high)."""


def rising_edges(byte: int) -> int:
    """How often the line rises during a byte."""
    levels = [0, *(byte >> bit & 1 for bit in range(8)), 1]
    return sum(not now and then for now, then in pairwise(levels))


class WakeDetector:
    """Drops the bytes that a sleeping chip does not receive; asleep at the start."""

    def __init__(self, waking_ns: int) -> None:
        self._waking_ns = waking_ns
        self._edges = 0
        self._awake_ns: int | None = None

    def sleep(self) -> None:
        """Fall asleep: from now on it has to be woken."""
        self._edges = 0
        self._awake_ns = None

    def receive(self, data: bytes, now_ns: int, byte_ns: int) -> bytes:
        """The bytes that it receives, when the last of these has just ended."""
        begin_ns = now_ns - len(data) * byte_ns
        for place, byte in enumerate(data):
            if self._awake_ns is not None and begin_ns >= self._awake_ns:
                return data[place:]
            begin_ns += byte_ns
            if self._awake_ns is None:
                self._edges += rising_edges(byte)
                if self._edges >= EDGES:
                    self._awake_ns = begin_ns + self._waking_ns
        return b""
