"""A request of libgpiod on a chip that loses edges, as those of the Pis before the 5 do."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import gpiod

TYPES = {True: gpiod.EdgeEvent.Type.RISING_EDGE, False: gpiod.EdgeEvent.Type.FALLING_EDGE}
VALUES = {True: gpiod.line.Value.ACTIVE, False: gpiod.line.Value.INACTIVE}


class LossyRequest:
    """A request whose kernel can lose an interrupt as if it had never been, or be late to queue it."""

    def __init__(self, lines: Sequence[int], now_ns: int) -> None:
        self.fd = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self.now_ns = now_ns
        self.looks = 0
        self.meanwhile: Callable[[], object] = lambda: None
        """Happens while somebody looks, just after the levels were read."""
        self._levels = dict.fromkeys(lines, True)
        self._numbers = dict.fromkeys(lines, 0)
        self._number = 0
        self._queue: list[gpiod.EdgeEvent] = []

    def lose(self, line: int, high: bool) -> None:
        """Move a line now, without an interrupt."""
        self._levels[line] = high

    def drive(self, line: int, high: bool, *, late: bool = False) -> gpiod.EdgeEvent:
        """Move a line now; a late event is queued by `queue`."""
        self._levels[line] = high
        self._number += 1
        self._numbers[line] += 1
        event = gpiod.EdgeEvent(TYPES[high].value, self.now_ns, line, self._number, self._numbers[line])
        if not late:
            self.queue(event)
        return event

    def queue(self, event: gpiod.EdgeEvent) -> None:
        self._queue.append(event)
        os.eventfd_write(self.fd, 1)

    def get_values(self, lines: list[int]) -> list[gpiod.line.Value]:
        self.looks += 1
        values = [VALUES[self._levels[line]] for line in lines]
        self.meanwhile()
        return values

    def read_edge_events(self, most: int) -> list[gpiod.EdgeEvent]:
        if not self._queue:
            raise BlockingIOError
        os.eventfd_read(self.fd)
        events, self._queue = self._queue[:most], self._queue[most:]
        return events

    def release(self) -> None:
        os.close(self.fd)
