"""Somebody who watches: what is told waits here until it is sent. Who does not keep up gets nothing more."""

from __future__ import annotations

import asyncio
from collections import deque

from firmware_host.web.frames import Batch, Frame

MOST_WAITING = 1000
"""So many messages may wait for a spectator that does not read; they are kept once for all."""
AT_ONCE = 64
"""So many are sent together."""


class Spectator:
    """Somebody who gets all frames from now on."""

    def __init__(self, names: bool) -> None:
        self.dropped = False
        """Whether it did not keep up."""
        self._names = names
        self._waiting: deque[Frame | Batch] = deque()
        self._news = asyncio.Event()

    def begin(self, frames: list[Frame]) -> None:
        """What it lacks, however much that is."""
        self._waiting.extend(frames)
        self._news.set()

    def put(self, frame: Batch) -> None:
        """The next frames."""
        if len(self._waiting) >= MOST_WAITING:
            self.drop()
        if not self.dropped:
            self._waiting.append(frame)
            self._news.set()

    def drop(self) -> None:
        """It gets nothing more."""
        self.dropped = True
        self._waiting.clear()
        self._news.set()

    async def take(self) -> bytes:
        """What waits, as soon as there is something; nothing once it is dropped."""
        await self._news.wait()
        taken = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
        if not self._waiting and not self.dropped:
            self._news.clear()
        return b"".join(frame.full if self._names else frame.public for frame in taken)
