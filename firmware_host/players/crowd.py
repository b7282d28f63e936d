"""The people around one table, and the dice they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from firmware_host.players.dice import Dice
from firmware_host.players.fingers import Delays
from firmware_host.players.person import Person
from firmware_host.players.reading import Reader
from firmware_host.players.skill import Skill
from firmware_host.players.world import World


class Crowd:
    """One person for each seat that is dealt dice; call `arrive` to let them come."""

    def __init__(
        self,
        world: World,
        deal: tuple[int, ...],
        skills: Sequence[Skill],
        language: str,
        spelled: Callable[[str], str],
        chance: Random,
    ) -> None:
        reader = Reader(language, spelled)
        seats = [seat for seat, dice in enumerate(deal, start=1) if dice]
        self._world = world
        self.dice = Dice(deal, chance)
        self.people = [
            Person(
                seat,
                seats,
                skills[(seat - 1) % len(skills)],
                self.dice,
                world,
                reader,
                Random(chance.getrandbits(64)),
            )
            for seat in seats
        ]

    def arrive(self) -> None:
        """Everybody begins to live."""
        for person in self.people:
            self._live(person.life())

    def _live(self, life: Delays) -> None:
        self._world.after(next(life), lambda: self._live(life))
