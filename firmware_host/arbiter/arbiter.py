"""Everything that is stamped goes in here, in any order, and comes out in the right one.

Buttons and slots are rivals: a die that was lifted before a slap can't be claimed by it,
and one that was put down before it can. So they share one settle time, that of the
slower kind. A change leaves at its stamp plus that time (or a little sooner, when the table
has something else to decide by then): at a moment that depends on stamps, and not on its
way through the software.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.arbiter.chatter_mask import ChatterMask, Told
from firmware_host.arbiter.lane import LaneArbiter
from firmware_host.arbiter.settling_queue import SettlingQueue
from firmware_host.arbiter.tag_lane import TagLane
from firmware_host.effects import LateSignal, Noise
from firmware_host.events import Contact, Emptied, Filled, Pressed, Released, Signal, TagEvent
from firmware_host.places import Button, Call, Slot, Source
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, exactly


class Arbiter:
    """Orders the signals of all buttons and slots of one table, and what its readers tell."""

    def __init__(
        self,
        settings: Settings,
        seats: Iterable[int],
        slots: Iterable[Slot] = (),
        calls: Iterable[int] = (),
    ) -> None:
        self._slots = LaneArbiter(settings.slots, slots, _slot_contact)
        buttons: list[Button | Call] = [*map(Button, seats), *map(Call, calls)]
        self._buttons = LaneArbiter(settings.buttons, buttons, _button_contact)
        self._tags = TagLane(settings.tag_settle_ns)
        self._settle_ns = settings.settle_ns
        self._count = 0
        self._changes: SettlingQueue[Contact | Noise] = SettlingQueue(settings.settle_ns)
        self._watch = ChatterMask(settings)

    @property
    def due_ns(self) -> int | None:
        """When `release` should be called next; None while nothing is under way."""
        first_ns = self._changes.first_ns
        for lane_ns in (self._slots.first_ns, self._buttons.first_ns, self._watch.due_ns):
            if lane_ns is not None and (first_ns is None or lane_ns < first_ns):
                first_ns = lane_ns
        due_ns = None if first_ns is None else first_ns + self._settle_ns
        tag_ns = self._tags.due_ns
        return tag_ns if due_ns is None or (tag_ns is not None and tag_ns < due_ns) else due_ns

    def preset_slot(self, slot: Slot, filled: bool, now_ns: int = 0) -> None:
        """Tell how a slot stands before its first edge."""
        self._slots.preset(slot, filled)
        if filled:
            self._watch.preset(Filled(slot, exactly(now_ns)))

    def preset_button(self, button: Button | Call, pressed: bool, now_ns: int | None = None) -> None:
        """Tell how a button stands before its first edge; with the time, it may turn out to be jammed."""
        self._buttons.preset(button, pressed)
        if pressed and now_ns is not None:
            self._watch.preset(Pressed(button.seat, exactly(now_ns), call=isinstance(button, Call)))

    @property
    def active(self) -> set[Source]:
        """The contacts that are closed, as far as is settled."""
        return {*self._slots.active, *self._buttons.active}

    def put(self, signal: Signal, now_ns: int) -> None:
        """Take one edge as it arrives."""
        (self._slots if type(signal.source) is Slot else self._buttons).put(signal, now_ns)

    def put_tag(self, event: TagEvent, now_ns: int) -> None:
        """Take what a reader tells as it arrives."""
        self._tags.put(event, now_ns)

    def release(self, now_ns: int) -> list[Told | TagEvent]:
        """All that is settled by now: contacts, masked and unmasked sources by their stamps, then tags."""
        for kind, changes in enumerate((self._slots.release(now_ns), self._buttons.release(now_ns))):
            for count, (stamp, rank, contact) in enumerate(changes, start=self._count):
                self._changes.put(stamp, (kind, rank, count), contact)
            self._count += len(changes)
        told = self._watch.pass_on(self._changes.release(now_ns), now_ns - self._settle_ns)
        return [*told, *self._tags.release(now_ns)]

    def take_notes(self) -> list[LateSignal | Noise]:
        """What was noticed since the last call: late edges and noise."""
        slots, buttons, noise = self._slots.notes, self._buttons.notes, self._watch.noise
        tags = self._tags.notes
        if not slots and not buttons and not noise and not tags:
            return []
        notes: list[LateSignal | Noise] = [*slots, *buttons, *noise, *tags]
        for each in (slots, buttons, noise, tags):
            each.clear()
        return notes


def _button_contact(button: Button | Call, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Pressed if active else Released)(button.seat, stamp, late, type(button) is Call)


def _slot_contact(slot: Slot, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Filled if active else Emptied)(slot, stamp, late)
