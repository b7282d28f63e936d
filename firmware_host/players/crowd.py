"""The people around one table."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.durations import MS
from firmware_host.players.fingers import Actions
from firmware_host.players.person import Person
from firmware_host.players.world import PlayersWorld

WAIT_NS = 200 * MS


class Crowd:
    """One person for each seat that plays; `arrive` lets them come."""

    def __init__(self, world: PlayersWorld, people: Sequence[Person]) -> None:
        self._world = world
        self.people = people
        self._hands_off = False

    def arrive(self) -> None:
        """Everybody starts to act."""
        for person in self.people:
            self._live(person.life())

    def make_room(self, seat: int) -> None:
        """Whoever sits there gets up for a visitor; its `aside` says when that is done."""
        self.at(seat).make_room()
        self._choose_leader()

    def sit_again(self, seat: int) -> None:
        """The visitor has gone; that person plays on."""
        self.at(seat).sit_again()
        self._choose_leader()

    def at(self, seat: int) -> Person:
        """Whose seat it is; KeyError if nobody plays there."""
        return {person.seat: person for person in self.people}[seat]

    def _choose_leader(self) -> None:
        """The first person without a visitor leads, if there is one."""
        free = [person for person in self.people if not person.has_visitor]
        leader = (free or self.people)[0]
        for person in self.people:
            person.leads = person is leader

    def hands_off(self) -> None:
        """Everybody takes their hands off the buttons and waits."""
        if not self._hands_off:
            self._hands_off = True
            for person in self.people:
                self._world.release(person.seat)

    def go_on(self) -> None:
        """Everybody goes on."""
        self._hands_off = False

    def _live(self, life: Actions) -> None:
        delay_ns = WAIT_NS if self._hands_off else next(life)
        self._world.after(delay_ns, lambda: self._live(life))
