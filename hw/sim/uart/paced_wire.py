"""One wire of a serial line in real time: bytes arrive when the line has had the time for them."""

from __future__ import annotations

import termios
from collections import deque

PIECE = 64
"""So many bytes arrive together, at the end of the last of them."""
BITS = 10
SPEEDS = {
    getattr(termios, f"B{baud}"): baud
    for baud in (300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)
}


def byte_ns(terminal: int) -> int:
    """How long a byte takes at the speed that a terminal is set to; 0 at one that is not known."""
    baud = SPEEDS.get(termios.tcgetattr(terminal)[5], 0)
    return BITS * 1_000_000_000 // baud if baud else 0


class PacedWire:
    """What is on its way in one direction."""

    def __init__(self) -> None:
        self._under_way: deque[tuple[int, bytes]] = deque()
        self._there_ns = 0

    @property
    def due_ns(self) -> int | None:
        """When something arrives next."""
        return self._under_way[0][0] if self._under_way else None

    def put(self, data: bytes, now_ns: int, byte_ns: int) -> None:
        """Send bytes, after those that are on their way."""
        self._there_ns = max(self._there_ns, now_ns)
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self._there_ns += len(piece) * byte_ns
            self._under_way.append((self._there_ns, piece))

    def take(self, now_ns: int) -> list[tuple[int, bytes]]:
        """What has arrived by now, each piece with its moment."""
        arrived = []
        while self._under_way and self._under_way[0][0] <= now_ns:
            arrived.append(self._under_way.popleft())
        return arrived

    def cut(self) -> None:
        """What is on its way is lost."""
        self._under_way.clear()
        self._there_ns = 0
