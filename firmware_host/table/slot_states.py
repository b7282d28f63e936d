"""What may lie on a place of the board."""

from __future__ import annotations

from enum import IntEnum


class SlotState(IntEnum):
    """What lies on a place, as far as the referee is concerned."""

    FREE = 0  # nothing
    OPEN = 1  # a legal die that waits for its owner's slap
    COUNTED = 2  # a die that a seat has claimed
    LAPSED = 3  # a legal die that nobody claimed in time; lift it and place it again
    MISSING = 4  # a counted or unclaimed die was knocked off: put it back
    ILLEGAL = 5  # a die that does not belong there: take it off

    @property
    def word(self) -> str:
        return self.name.lower()
