"""One person's finger on one button."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from firmware_host.durations import MS
from firmware_host.players.skill import Skill
from firmware_host.players.world import PlayersWorld

Actions = Iterator[int]
"""Something that a person does: it yields the time until the next action."""

PAUSE_NS = 250 * MS
LONG_PRESS_NS = 1300 * MS
"""Longer than the table needs to take a press for a call."""


class Fingers:
    """Presses the button of one seat."""

    def __init__(self, seat: int, skill: Skill, world: PlayersWorld, chance: Random) -> None:
        self._seat = seat
        self._skill = skill
        self._world = world
        self._chance = chance
        self.asked_for = False
        """Whether somebody else wants to sit here: then nothing new is begun."""
        self._busy_until_ns = 0
        self._keeps_down = False

    @property
    def at_rest(self) -> bool:
        """Whether no tap is under way or meant to come."""
        return self._world.now_ns >= self._busy_until_ns

    def tap(self) -> None:
        """A short press."""
        tap_ns = self._skill.tap.draw(self._chance)
        self._mean_to_tap(tap_ns)
        self._world.press(self._seat)
        self._world.after(tap_ns, self._lift)

    def tap_in(self, delay_ns: int) -> None:
        """A short press in a while."""
        self._mean_to_tap(delay_ns + 1)
        self._world.after(delay_ns, self.tap)

    def keep_down_in(self, delay_ns: int) -> None:
        """Press in a while, and keep the button down for long, or until `let_go`."""
        self._mean_to_tap(delay_ns + LONG_PRESS_NS)
        self._world.after(delay_ns, self._keep_down)
        self._world.after(delay_ns + LONG_PRESS_NS, self.let_go)

    def let_go(self) -> None:
        """Lift the finger if it keeps the button down."""
        if self._keeps_down:
            self._keeps_down = False
            self._busy_until_ns = self._world.now_ns
            self._lift()

    def hold(self, for_ns: int) -> Actions:
        """A long press, and a short wait after it."""
        self._world.press(self._seat)
        yield for_ns
        self._lift()
        yield PAUSE_NS

    def _mean_to_tap(self, for_ns: int) -> None:
        self._busy_until_ns = max(self._busy_until_ns, self._world.now_ns + for_ns)

    def _keep_down(self) -> None:
        self._keeps_down = True
        self._world.press(self._seat)

    def _lift(self) -> None:
        self._world.release(self._seat)
