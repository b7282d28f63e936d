"""The events to come in the simulated world, and a clock that jumps from one to the next."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from heapq import heappop, heappush


class VirtualClock:
    """Time that stands still until `wait` makes it jump."""

    def __init__(self, t_ns: int = 0) -> None:
        self._now_ns = t_ns

    def now_ns(self) -> int:
        return self._now_ns

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        if until_ns is not None and until_ns > self._now_ns:
            self._now_ns = until_ns
        return True


class PacedClock(VirtualClock):
    """Virtual time at the pace of real time: it jumps too, but not before real time is that far.

    A machine that falls behind only changes the pace; everything else goes as in virtual time.
    """

    def __init__(self, speed: float) -> None:
        super().__init__()
        self._speed = speed
        self._origin = time.monotonic()

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        if until_ns is not None:
            delay = self._origin + until_ns / 1e9 / self._speed - time.monotonic()
            if delay > 0:
                time.sleep(delay)
            elif delay < -1.0:
                self._origin -= delay
        return super().wait(until_ns, descriptors)


class Agenda:
    """Actions with their moments; equal moments keep the order of entry."""

    def __init__(self) -> None:
        self.now_ns = 0
        self._actions: list[tuple[int, int, Callable[[], None]]] = []
        self._entries = 0

    @property
    def due_ns(self) -> int | None:
        """When the next action is due."""
        return self._actions[0][0] if self._actions else None

    def at(self, t_ns: int, action: Callable[[], None]) -> None:
        """Do this then (or at once, if that moment has passed)."""
        self._entries += 1
        heappush(self._actions, (max(t_ns, self.now_ns), self._entries, action))

    def after(self, delay_ns: int, action: Callable[[], None]) -> None:
        """Do this in a while."""
        self.at(self.now_ns + delay_ns, action)

    def run(self, until_ns: int) -> None:
        """Do all that is due by then, each action at its own moment."""
        while self._actions and self._actions[0][0] <= until_ns:
            self.now_ns, _, action = heappop(self._actions)
            action()
        self.now_ns = max(self.now_ns, until_ns)
