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


class Fingers:
    """Presses the button of one seat."""

    def __init__(self, seat: int, skill: Skill, world: PlayersWorld, chance: Random) -> None:
        self._seat = seat
        self._skill = skill
        self._world = world
        self._chance = chance

    def tap(self) -> None:
        """A short press."""
        self._world.press(self._seat)
        self._world.after(self._skill.tap.draw(self._chance), self._lift)

    def hold(self, for_ns: int) -> Actions:
        """A long press, and a short wait after it."""
        self._world.press(self._seat)
        yield for_ns
        self._lift()
        yield PAUSE_NS

    def _lift(self) -> None:
        self._world.release(self._seat)
