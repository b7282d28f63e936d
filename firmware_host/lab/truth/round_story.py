"""All that is known about one scored round: what hands did, what the table decided, what the sheets give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from firmware_host.lab.bots.movements import ButtonPressed, DiePut, HandReached
from firmware_host.lab.truth.sheet_reading import SheetReading, TimedMovement, closest
from firmware_host.model.effects import WINNING, Effect, Judged, RoundScored, SlotChanged
from firmware_host.model.places import Slot
from firmware_host.model.states import SlotState
from firmware_host.model.times import MS

SAME_PRESS_NS = 5 * MS
"""A verdict belongs to the press that its stamp is no further from."""


class TimedEffect(NamedTuple):
    """A decision of the table, and when it was shown."""

    t_ns: int
    effect: Effect


@dataclass
class RoundStory:
    """One scored round since its deal."""

    seed: int | str
    scored: RoundScored
    moves: Sequence[TimedMovement]
    effects: Sequence[TimedEffect]
    readings: Sequence[SheetReading]
    cause: str = ""
    """Why the points of the table fit none of the readings."""

    @cached_property
    def table_left(self) -> dict[int, int]:
        """What each seat has left by the table."""
        return {seat: self.scored.leftovers[seat - 1] for seat in self.scored.seats}

    @cached_property
    def table_points(self) -> dict[int, int]:
        """What each seat gets from the table."""
        return {seat: self.scored.scores[seat - 1] for seat in self.scored.seats}

    @cached_property
    def fair(self) -> SheetReading | None:
        """The reading that is closest to the points of the table; None if the sheets know no end."""
        return closest(self.readings, self.table_left, self.table_points)

    @property
    def fits(self) -> bool:
        """Whether the points of the table are a fair result."""
        return self.fair is not None and self.fair.points == self.table_points

    @property
    def finisher_fits(self) -> bool:
        """Whether the finisher by the table is one by any reading."""
        return self.scored.finisher in {reading.finisher for reading in self.readings}

    @property
    def fair_points(self) -> dict[int, int]:
        """The points of the closest reading, or those of the table if there is none."""
        return self.table_points if self.fair is None else dict(self.fair.points)

    # -- what is asked about dice

    def puts(self, seat: int | None = None) -> Iterator[tuple[int, DiePut]]:
        """The dice that were put down, by one seat or by all."""
        for t_ns, movement in self.moves:
            if isinstance(movement, DiePut) and seat in (None, movement.seat):
                yield t_ns, movement

    def presses(self, seat: int) -> list[int]:
        """When a button was pressed."""
        return [t_ns for t_ns, each in self.moves if isinstance(each, ButtonPressed) and each.seat == seat]

    def reached_ns(self, seat: int, until_ns: int) -> int:
        """When a hand last set out for a place up to that moment, or that moment if it never did."""
        set_out = [t_ns for t_ns, each in self.moves if isinstance(each, HandReached) and each.seat == seat]
        return max((t_ns for t_ns in set_out if t_ns <= until_ns), default=until_ns)

    def verdicts(self, seat: int | None = None) -> Iterator[Judged]:
        """The verdicts on the slaps of one seat or of all."""
        for _, effect in self.effects:
            if isinstance(effect, Judged) and seat in (None, effect.seat):
                yield effect

    def verdict_on(self, seat: int, press_ns: int) -> Judged | None:
        """The verdict on one press."""
        for judged in self.verdicts(seat):
            if abs(judged.stamp.earliest_ns - press_ns) <= SAME_PRESS_NS:
                return judged
        return None

    def counted(self, until_ns: int) -> dict[Slot, Judged]:
        """The verdicts by which dice counted for a seat at the table, for stamps up to that moment."""
        counted: dict[Slot, Judged] = {}
        for _, effect in self.effects:
            match effect:
                case Judged(what=Slot() as slot) if effect.verdict in WINNING:
                    if effect.stamp.earliest_ns <= until_ns + SAME_PRESS_NS:
                        counted[slot] = effect
                case SlotChanged(state=SlotState.FREE):
                    counted.pop(effect.slot, None)
        return counted

    def put_ns(self, slot: Slot, seat: int, until_ns: int) -> int:
        """When a seat had put down the die that lay there at that moment."""
        return max(
            (t_ns for t_ns, put in self.puts(seat) if put.slot == slot and t_ns <= until_ns), default=0
        )
