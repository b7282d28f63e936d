"""How an operator enters service mode: the race buttons of the first and the last seat, held together.

The combination takes raw edges, bounce and all, so that it also works while nothing else listens. A
button that is up for less than 30 ms only bounces: it has not been released. The time counts from the
moment at which both are down and every other race button is up. It restarts when another one is touched.
"""

from __future__ import annotations

from firmware_host.model.events import SourceEdge
from firmware_host.model.places import Button
from firmware_host.model.times import MS, S

BOUNCE_NS = 30 * MS
"""A button that is up for less than this has not been released."""
HOLD_NS = 3 * S
"""Longer than any hold in a game, and over before a match that it may have called has begun."""


class _RaceButton:
    """One race button: whether it is down, since when, and when it last came up."""

    __slots__ = ("down", "since_ns", "up_ns")

    def __init__(self) -> None:
        self.down = False
        self.since_ns = 0
        self.up_ns: int | None = None


class ServiceCombination:
    """Is complete when both buttons have been held long enough; again only after both were released."""

    def __init__(self, first_seat: int, last_seat: int, hold_ns: int = HOLD_NS) -> None:
        self._hold_ns = hold_ns
        self._both = {first_seat: _RaceButton(), last_seat: _RaceButton()}
        self._others: dict[int, _RaceButton] = {}
        self._used: set[int] = set()

    def take(self, edge: SourceEdge) -> None:
        """Take an edge of any source; only those of race buttons matter."""
        if not isinstance(edge.source, Button):
            return
        seat = edge.source.seat
        button = self._both.get(seat) or self._others.setdefault(seat, _RaceButton())
        t_ns = edge.stamp.latest_ns
        if edge.active and not button.down:
            button.down = True
            if button.up_ns is None or t_ns - button.up_ns >= BOUNCE_NS:
                button.since_ns = t_ns
                self._used.discard(seat)
        elif button.down and not edge.active:
            button.down = False
            button.up_ns = t_ns

    @property
    def due_ns(self) -> int | None:
        """When it is complete if no button changes before; None if it will not be."""
        both, others = self._both.values(), self._others.values()
        if self._used or not all(button.down for button in both) or any(other.down for other in others):
            return None
        touched = [other.up_ns for other in others if other.up_ns is not None]
        return max([button.since_ns for button in both] + touched) + self._hold_ns

    def completed(self, now_ns: int) -> bool:
        """Whether it is complete by now; true once, and again only after both were released."""
        due_ns = self.due_ns
        if due_ns is None or due_ns > now_ns:
            return False
        self._used = set(self._both)
        return True
