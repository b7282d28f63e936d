"""The operator at a simulated table: reads the scoreboard aloud, and presses the first and the last button.

While the operator is at the table people keep their hands off it.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable
from types import TracebackType

from firmware_host.cli.terminal import Keyboard
from firmware_host.lab.bots.belongings import Dice
from firmware_host.lab.bots.movements import ButtonPressed, DiePut, Movement
from firmware_host.lab.bots.page_reading import PageReader, Wish
from firmware_host.lab.bots.person import Crowd
from firmware_host.lab.hands import SimulatedTable
from firmware_host.model.times import MS, S

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


# Two simulated hands that slap at the same microsecond: a dead heat to order.
#
# Somebody has put a die down and slaps for it. In that very moment a rival, whose hand went for the same
# place, slaps too. Nobody was first, and no order in which software sees the two presses can be right.
#
# Whoever gets the die according to the scoreboard has put it down: if that is the rival, the other one
# takes a die of the rival's for it. So the counts at the end of the round are right.


SLAP_NS = 90 * MS
SEEN_NS = 350 * MS
"""By then the scoreboard shows who got it, and nobody has wondered yet."""
REST_NS = 700 * MS
"""A rival has left its button alone for so long: what it slaps for is clear."""
AGAIN_NS = 8_000 * MS
"""So long until the next one."""


class RivalHand:
    """Slaps in the moment of another slap, whenever that is a clean contest of two for one die."""

    def __init__(self, world: SimulatedTable, crowd: Crowd, dice: Dice, reader: PageReader) -> None:
        self._world = world
        self._crowd = crowd
        self._dice = dice
        self._reader = reader
        self._unsigned: set[int] = set()
        """The seats that have put a die down and not slapped since."""
        self._pressed_ns: dict[int, int] = {}
        self._next_ns = 0
        self._slapping = False
        world.watch = _both(world.watch, self._see)
        dice.watch = _both(dice.watch, self._see)

    def _see(self, movement: Movement) -> None:
        if isinstance(movement, DiePut):
            self._unsigned.add(movement.seat)
        elif isinstance(movement, ButtonPressed) and not movement.call:
            self._see_press(movement.seat)

    def _see_press(self, seat: int) -> None:
        now_ns = self._world.now_ns
        alone = self._unsigned == {seat}
        self._unsigned.discard(seat)
        rested = self._rests_ns(seat) >= REST_NS
        self._pressed_ns[seat] = now_ns
        if not alone or not rested or self._slapping or now_ns < self._next_ns:
            return
        rival = self._rival_of(seat)
        if rival is not None:
            self._next_ns = now_ns + AGAIN_NS
            self._slap(rival)
            self._world.after(SEEN_NS, lambda: self._swap(seat, rival))

    def _rival_of(self, seat: int) -> int | None:
        """Who has rested longest, and still has dice to get rid of; nobody slaps for a visitor."""
        others = [
            other
            for other, hand in self._dice.hands.items()
            if hand and other != seat and not self._crowd.at(other).has_visitor
        ]
        rested = [(self._rests_ns(other), other) for other in others]
        longest_ns, rival = max(rested, default=(0, 0))
        return rival if longest_ns >= REST_NS else None

    def _swap(self, seat: int, rival: int) -> None:
        """Give the one who put the die down another one, if the table counts it for the rival."""
        hands = self._dice.hands
        left, counts = self._left(), self._reader.read(self._world.lines).counts
        if len(counts) != len(left) or not hands.get(rival):
            return
        counted = dict(zip(left, counts, strict=True))
        if counted[seat] == left[seat] + 1 and counted[rival] == left[rival] - 1:
            hands[seat].append(hands[rival].pop())

    def _left(self) -> dict[int, int]:
        """What each seat that plays has in its hand."""
        dealt = {seat for seat, count in enumerate(self._dice.dealt_to, start=1) if count}
        return {seat: len(self._dice.hands.get(seat, ())) for seat in sorted(dealt)}

    def _rests_ns(self, seat: int) -> int:
        """How long it has left its button alone."""
        return self._world.now_ns - self._pressed_ns.get(seat, -REST_NS)

    def _slap(self, seat: int) -> None:
        self._slapping = True
        self._world.press(seat)
        self._slapping = False
        self._world.after(SLAP_NS, lambda: self._world.release(seat))


def _both(
    first: Callable[[Movement], None], second: Callable[[Movement], None]
) -> Callable[[Movement], None]:
    def watch(movement: Movement) -> None:
        first(movement)
        second(movement)

    return watch
