"""A switch or a hall sensor on a simulated line, with the faults of real ones."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from hw.sim.agenda import Agenda


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How badly a contact behaves.

    It bounces up to `bounces` times within `bounce_ns` of each change, and picks up
    `noise_hz` disturbances a second, each at most `noise_ns` long.
    """

    bounces: int = 0
    bounce_ns: int = 0
    noise_hz: float = 0.0
    noise_ns: int = 50_000


STEADY = Habits()


class Contact:
    """Pulls its line low while it is active."""

    def __init__(self, pin: Any, agenda: Agenda, chance: Random, habits: Habits = STEADY) -> None:
        self.active = False
        self.habits = habits
        self._pin = pin
        self._agenda = agenda
        self._chance = chance
        self._generation = 0
        self._broken = False
        if habits.noise_hz:
            self._plan_noise()

    def set(self, active: bool) -> None:
        """Close or open the contact now; it bounces before it rests."""
        if active == self.active:
            return
        self.active = active
        if self._broken:
            return
        self._generation += 1
        self._drive(active)
        if self.habits.bounces:
            self._bounce()

    def jam(self) -> None:
        """Make it stay active, whatever is done to it."""
        self._break()
        self._drive(True)

    def chatter(self, every_ns: int) -> None:
        """Make it change all the time, whatever is done to it."""
        self._break()
        self._chatter(self._generation, every_ns, not self.active)

    def heal(self) -> None:
        """Make it work again, in the state in which it was left."""
        self._broken = False
        self._generation += 1
        self._drive(self.active)

    def stop(self) -> None:
        """End bounces and disturbances: the line rests as the contact stands."""
        self._generation += 1
        self.habits = STEADY
        self._drive(self.active)

    def _break(self) -> None:
        self._broken = True
        self._generation += 1

    def _chatter(self, generation: int, every_ns: int, level: bool) -> None:
        if generation == self._generation:
            self._drive(level)
            self._agenda.after(every_ns, lambda: self._chatter(generation, every_ns, not level))

    def _bounce(self) -> None:
        generation, active = self._generation, self.active
        moments = sorted(
            self._chance.randint(1, max(1, self.habits.bounce_ns))
            for _ in range(2 * self._chance.randint(0, self.habits.bounces))
        )
        for index, moment_ns in enumerate(moments):
            level = active if index % 2 else not active
            self._agenda.after(moment_ns, lambda level=level: self._twitch(generation, level))  # type: ignore[misc]

    def _twitch(self, generation: int, active: bool) -> None:
        if generation == self._generation:
            self._drive(active)

    def _plan_noise(self) -> None:
        gap_ns = int(self._chance.expovariate(self.habits.noise_hz) * 1e9)
        self._agenda.after(gap_ns, self._disturb)

    def _disturb(self) -> None:
        if not self.habits.noise_hz:
            return
        if self._broken:
            self._plan_noise()
            return
        self._drive(not self.active)
        self._agenda.after(
            self._chance.randint(1, max(1, self.habits.noise_ns)), lambda: self._drive(self.active)
        )
        self._plan_noise()

    def _drive(self, active: bool) -> None:
        if active:
            self._pin.drive_low()
        else:
            self._pin.drive_high()
