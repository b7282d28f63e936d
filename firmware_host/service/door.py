"""How an operator gets in: the race buttons of the first and the last seat, held together.

The door is fed with raw signals, bounce and all, so that it can be asked while nothing else listens. An up
shorter than 30 ms is bounce: the button has not been let go. The time counts from the moment at which
both are down and every other race button is up, and begins anew when another one is touched.
"""

from __future__ import annotations

from firmware_host.durations import MS, S
from firmware_host.events import Signal
from firmware_host.places import Button

BOUNCE_NS = 30 * MS
"""A button that is up for less than this has not been let go."""
HOLD_NS = 3 * S
"""Longer than any hold that a game asks for, and over before a match that it may have called has begun."""


class _Race:
    """One race button: whether it is down, since when, and when it last came up."""

    __slots__ = ("down", "since_ns", "up_ns")

    def __init__(self) -> None:
        self.down = False
        self.since_ns = 0
        self.up_ns: int | None = None


class Door:
    """Opens when both buttons have been held long enough; not again before both were let go."""

    def __init__(self, first_seat: int, last_seat: int, hold_ns: int = HOLD_NS) -> None:
        self._hold_ns = hold_ns
        self._keys = {first_seat: _Race(), last_seat: _Race()}
        self._others: dict[int, _Race] = {}
        self._used: set[int] = set()

    def take(self, signal: Signal) -> None:
        """One edge of any source; those that are no race buttons say nothing here."""
        if not isinstance(signal.source, Button):
            return
        seat = signal.source.seat
        race = self._keys.get(seat) or self._others.setdefault(seat, _Race())
        t_ns = signal.stamp.latest_ns
        if signal.active and not race.down:
            race.down = True
            if race.up_ns is None or t_ns - race.up_ns >= BOUNCE_NS:
                race.since_ns = t_ns
                self._used.discard(seat)
        elif race.down and not signal.active:
            race.down = False
            race.up_ns = t_ns

    @property
    def due_ns(self) -> int | None:
        """When it opens if no button changes before; None if it does not."""
        keys, others = self._keys.values(), self._others.values()
        if self._used or not all(key.down for key in keys) or any(other.down for other in others):
            return None
        touched = [other.up_ns for other in others if other.up_ns is not None]
        return max([key.since_ns for key in keys] + touched) + self._hold_ns

    def opens(self, now_ns: int) -> bool:
        """Whether the combination is complete by now; true once, and then only after both were let go."""
        due_ns = self.due_ns
        if due_ns is None or due_ns > now_ns:
            return False
        self._used = set(self._keys)
        return True
