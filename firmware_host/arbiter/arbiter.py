"""Everything that is stamped goes in here, in any order, and comes out in the right one.

Buttons and slots have a lane each, because their settle times differ: a slap must be
answered fast, a sliding magnet needs time to come to rest. A change leaves its lane at
its stamp plus the settle time of the lane, so the moment at which the session learns of
it is a function of the stamp and not of the way the edge took through the software.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.arbiter.lane import LaneArbiter
from firmware_host.effects import LateSignal, Noise
from firmware_host.events import Contact, Emptied, Filled, Pressed, Released, Signal
from firmware_host.places import Button, Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp


class Arbiter:
    """Orders the signals of all buttons and slots of one table."""

    def __init__(self, settings: Settings, seats: Iterable[int], slots: Iterable[Slot]) -> None:
        self._buttons = LaneArbiter(settings.buttons, map(Button, seats), _button_contact)
        self._slots = LaneArbiter(settings.slots, slots, _slot_contact)

    @property
    def due_ns(self) -> int | None:
        """When `release` should be called next; None while nothing is under way."""
        buttons_ns, slots_ns = self._buttons.due_ns, self._slots.due_ns
        if buttons_ns is None or slots_ns is None:
            return slots_ns if buttons_ns is None else buttons_ns
        return min(buttons_ns, slots_ns)

    def preset_slot(self, slot: Slot, filled: bool) -> None:
        self._slots.preset(slot, filled)

    def preset_button(self, seat: int, pressed: bool) -> None:
        self._buttons.preset(Button(seat), pressed)

    def put(self, signal: Signal, now_ns: int) -> Contact | None:
        """Take one edge; an edge that can't be ordered any more comes back as a late contact."""
        if type(signal.source) is Button:
            return self._buttons.put(signal, now_ns)
        return self._slots.put(signal, now_ns)

    def release(self, now_ns: int) -> list[Contact]:
        """All contacts that are settled by now: what lies on the board first, then the slaps."""
        return self._slots.release(now_ns) + self._buttons.release(now_ns)

    def take_notes(self) -> list[LateSignal | Noise]:
        """What was noticed since the last call: late edges and noise."""
        buttons, slots = self._buttons.notes, self._slots.notes
        if not buttons and not slots:
            return []
        notes = buttons + slots
        buttons.clear()
        slots.clear()
        return notes


def _button_contact(button: Button, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Pressed if active else Released)(button.seat, stamp, late)


def _slot_contact(slot: Slot, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Filled if active else Emptied)(slot, stamp, late)
