"""The people around one table."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.players.fingers import Delays
from firmware_host.players.person import Person
from firmware_host.players.world import World


class Crowd:
    """One person for each seat that plays; call `arrive` to let them come."""

    def __init__(self, world: World, people: Sequence[Person]) -> None:
        self._world = world
        self.people = people

    def arrive(self) -> None:
        """Everybody begins to live."""
        for person in self.people:
            self._live(person.life())

    def _live(self, life: Delays) -> None:
        self._world.after(next(life), lambda: self._live(life))
