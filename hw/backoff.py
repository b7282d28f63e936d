"""Waiting times before a lost device is tried again."""

from __future__ import annotations

FIRST_NS = 250_000_000
MOST_NS = 4_000_000_000


class Backoff:
    """Waiting times that double from a quarter of a second to four seconds."""

    def __init__(self, first_ns: int = FIRST_NS, most_ns: int = MOST_NS) -> None:
        self._first_ns = first_ns
        self._most_ns = most_ns
        self._next_ns = first_ns

    def after(self, now_ns: int) -> int:
        """When to try again."""
        wait_ns = self._next_ns
        self._next_ns = min(2 * wait_ns, self._most_ns)
        return now_ns + wait_ns

    def reset(self) -> None:
        """Begin with short waits again."""
        self._next_ns = self._first_ns
