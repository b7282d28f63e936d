"""Simulated lamps: they keep what was shown on them, and how a person would see it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple


class ShownFrame(NamedTuple):
    """One frame and when it was shown."""

    t_ns: int
    frame: bytes


class SimLedPanel:
    """Lamps that remember their frames, all of them or as many as `keep` says."""

    def __init__(self, length: int, now_ns: Callable[[], int], keep: int | None = None) -> None:
        self.frame = bytes(length)
        self.history: deque[ShownFrame] = deque(maxlen=keep)
        self.shown = 0
        self._now_ns = now_ns

    def show(self, frame: bytes) -> None:
        if len(frame) != len(self.frame):
            raise ValueError(f"a frame of {len(frame)} lamps for a panel of {len(self.frame)}")
        self.frame = frame
        self.shown += 1
        self.history.append(ShownFrame(self._now_ns(), frame))

    def close(self) -> None:
        if any(self.frame):
            self.show(bytes(len(self.frame)))

    def rhythm(self, lamp: int, since_ns: int) -> tuple[int, ...]:
        """The values one lamp took on since then, as an eye follows it."""
        values: list[int] = [] if self.history else [self.frame[lamp]]
        for t_ns, frame in reversed(self.history):
            if not values or values[-1] != frame[lamp]:
                values.append(frame[lamp])
            if t_ns <= since_ns:
                break
        return tuple(reversed(values))
