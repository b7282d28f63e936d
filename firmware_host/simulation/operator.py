"""The operator at a simulated table: reads the scoreboard aloud, and presses the first and the last button.

While the operator is at the table people keep their hands off it.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from types import TracebackType

from firmware_host.durations import MS, S
from firmware_host.players.crowd import Crowd
from firmware_host.players.page_reading import PageReader, Wish
from firmware_host.simulation.hands import SimulatedTable
from firmware_host.system.keyboard import Keyboard

TAP_NS = 150 * MS
BACK_NS = 1200 * MS
YES_NS = 2300 * MS
ENTER_NS = 3300 * MS
HANDS_OFF_NS = 700 * MS
"""Hands are off the table for so long before the operator begins."""
ALONE_NS = 6 * S
"""For so long at least people leave the operator alone."""
SAID_LATELY = 4
KEYS = "keys: s service mode; 1, 2 press its buttons; b back (holds 1); y yes (holds 2); Ctrl-C ends"


class Operator:
    """Looks at the scoreboard and, in a terminal, takes keys while it is open."""

    def __init__(
        self, world: SimulatedTable, crowd: Crowd, reader: PageReader, seats: int, say: Callable[[str], None]
    ) -> None:
        self._world = world
        self._crowd = crowd
        self._reader = reader
        self._first, self._second = 1, (2 if seats > 1 else 1)
        self._last = seats
        self._say = say
        self._keys = Keyboard()
        self._said: deque[tuple[str, ...]] = deque([("", "")], maxlen=SAID_LATELY)
        self._alone_until_ns: int | None = None

    def __enter__(self) -> Operator:
        if _in_foreground():
            self._keys.__enter__()
        if self._keys.descriptors:
            self._say(KEYS)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._keys.__exit__(kind, error, trace)

    @property
    def descriptors(self) -> list[int]:
        """What is readable when a key was pressed."""
        return self._keys.descriptors

    def look(self) -> None:
        """Say what is new on the scoreboard, and do what keys ask for."""
        lines = self._world.lines
        if lines not in self._said:  # texts that take turns are said once
            self._say("  | " + " | ".join(line.ljust(20) for line in lines) + " |")
            self._said.append(lines)
        for key in self._keys.read():
            self._press(key)
        self._let_people_in()

    def _press(self, key: str) -> None:
        presses = {
            "s": ((self._first, self._last), ENTER_NS),
            "1": ((self._first,), TAP_NS),
            "2": ((self._second,), TAP_NS),
            "b": ((self._first,), BACK_NS),
            "y": ((self._second,), YES_NS),
        }
        if key not in presses:
            return
        seats, for_ns = presses[key]
        self._crowd.hands_off()
        self._alone_until_ns = self._world.now_ns + ALONE_NS
        for seat in seats:
            self._world.after(HANDS_OFF_NS, lambda seat=seat: self._world.press(seat))  # type: ignore[misc]
            self._world.after(
                HANDS_OFF_NS + for_ns,
                lambda seat=seat: self._world.release(seat),  # type: ignore[misc]
            )

    def _let_people_in(self) -> None:
        """When the scoreboard asks people for something again, the operator has gone."""
        until_ns = self._alone_until_ns
        if until_ns is None or self._world.now_ns < until_ns:
            return
        if self._reader.read(self._world.lines).wish is not Wish.WAIT:
            self._alone_until_ns = None
            self._crowd.go_on()


def _in_foreground() -> bool:
    """Whether keys that are pressed in the terminal are meant for this program."""
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except (OSError, ValueError, AttributeError):
        return False
