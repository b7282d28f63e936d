"""The result of a round by one reading of the rule sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_host.lab.bots.movements import Movement
from firmware_host.model.places import Slot


class TimedMovement(NamedTuple):
    """A movement of a hand, and when it happened."""

    t_ns: int
    movement: Movement


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetReading:
    """What each seat has left and gets, if the round ended at that moment."""

    end_ns: int
    finisher: int | None
    """None for a round in which nobody could play any more."""
    left: Mapping[int, int]
    points: Mapping[int, int]
    on_board: Mapping[Slot, int] = field(default_factory=dict)
    """The seats that have placed the dice that count."""
    centre: Mapping[int, int] = field(default_factory=dict)
    """How many own cards each seat has in the centre."""

    def distance(self, left: Mapping[int, int], points: Mapping[int, int]) -> tuple[int, int]:
        """How far other points and counts are from these; (0, ...) fits."""
        return (
            sum(abs(points[seat] - own) for seat, own in self.points.items()),
            sum(abs(left[seat] - own) for seat, own in self.left.items()),
        )


def closest(
    readings: Sequence[SheetReading], left: Mapping[int, int], points: Mapping[int, int]
) -> SheetReading | None:
    """The reading that differs least from these points; None without readings."""
    return min(readings, key=lambda reading: reading.distance(left, points), default=None)
