"""The board of a round of dice: what lies on each place, as the referee sees it.

The engine knows only heights and counts. What can happen to a real die (it is knocked off, forgotten,
or put where it does not fit) is kept here.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.effects import SlotChanged
from firmware_host.places import ALL_SLOTS, SLOT_INDEX, Slot
from firmware_host.states import SlotState
from firmware_host.table.outbox import Outbox


class Board:
    """The state of each place, and which dice were knocked off."""

    def __init__(self, counted: Iterable[Slot], out: Outbox) -> None:
        """A board with a counted die on each of these places; all others are free."""
        self._states = [SlotState.FREE] * len(ALL_SLOTS)
        self._missing: set[Slot] = set()
        self._out = out
        for slot in counted:
            self._states[SLOT_INDEX[slot]] = SlotState.COUNTED

    @property
    def states(self) -> list[SlotState]:
        """The visible state of each place, in the order of `ALL_SLOTS`."""
        if not self._missing:
            return self._states
        return [self.state(slot) for slot in ALL_SLOTS]

    def state(self, slot: Slot) -> SlotState:
        """The visible state of a place: a die that was knocked off is missing, whatever its own state is."""
        return SlotState.MISSING if slot in self._missing else self._states[SLOT_INDEX[slot]]

    def die(self, slot: Slot) -> SlotState:
        """The state of the die of a place, whether or not it was knocked off."""
        return self._states[SLOT_INDEX[slot]]

    def is_missing(self, slot: Slot) -> bool:
        """Whether the die of a place was knocked off."""
        return slot in self._missing

    @property
    def misplaced(self) -> tuple[Slot, ...]:
        """The places with a missing or an illegal die."""
        wrong = (SlotState.MISSING, SlotState.ILLEGAL)
        return tuple(slot for slot, state in zip(ALL_SLOTS, self.states, strict=True) if state in wrong)

    def set(self, slot: Slot, state: SlotState, now_ns: int) -> None:
        """Change the state of the die of a place; this is not visible while the die is missing."""
        self._states[SLOT_INDEX[slot]] = state
        if slot not in self._missing:
            self._out.emit(SlotChanged(slot, state, now_ns))

    def knock_off(self, slot: Slot, now_ns: int) -> None:
        """The die of a place is gone although it should lie there."""
        self._missing.add(slot)
        self._out.emit(SlotChanged(slot, SlotState.MISSING, now_ns))

    def found(self, slot: Slot) -> SlotState:
        """The die that was missing lies there again; gives its state."""
        self._missing.discard(slot)
        return self.die(slot)
