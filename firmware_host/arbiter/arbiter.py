"""Stamped inputs go in here in any order, and events come out in the order of their stamps.

Buttons and slots are rivals: a die that was lifted before a slap can't be claimed by it,
and one that was put down before it can. So they share one settle time, that of the
slower kind. A change is released at its stamp plus that time (or a little sooner, when the table
has something else to decide by then). So that moment depends on stamps alone, and not on the
way through the software.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.arbiter.chatter_mask import ChatterMask, CleanEvent
from firmware_host.arbiter.lane import LaneArbiter
from firmware_host.arbiter.settling_queue import SettlingQueue
from firmware_host.arbiter.tag_lane import TagLane
from firmware_host.effects import LateSignal, Noise
from firmware_host.events import Contact, Emptied, Filled, Pressed, Released, Signal, TagEvent
from firmware_host.places import Button, Call, Slot, Source
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, exactly


class Arbiter:
    """Orders the signals of all buttons and slots of one table, and the tags that its readers report."""

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
        self._mask = ChatterMask(settings)

    @property
    def due_ns(self) -> int | None:
        """When `release` should be called next; None while nothing is pending."""
        first_ns = self._changes.first_ns
        for lane_ns in (self._slots.first_ns, self._buttons.first_ns, self._mask.due_ns):
            if lane_ns is not None and (first_ns is None or lane_ns < first_ns):
                first_ns = lane_ns
        due_ns = None if first_ns is None else first_ns + self._settle_ns
        tag_ns = self._tags.due_ns
        return tag_ns if due_ns is None or (tag_ns is not None and tag_ns < due_ns) else due_ns

    def preset_slot(self, slot: Slot, filled: bool, now_ns: int = 0) -> None:
        """Set the state of a slot before its first edge."""
        self._slots.preset(slot, filled)
        if filled:
            self._mask.preset(Filled(slot, exactly(now_ns)))

    def preset_button(self, button: Button | Call, pressed: bool, now_ns: int | None = None) -> None:
        """Set the state of a button before its first edge. With `now_ns`, it may turn out to be jammed."""
        self._buttons.preset(button, pressed)
        if pressed and now_ns is not None:
            self._mask.preset(Pressed(button.seat, exactly(now_ns), call=isinstance(button, Call)))

    @property
    def active(self) -> set[Source]:
        """The contacts that are closed, as far as that is settled."""
        return {*self._slots.active, *self._buttons.active}

    def put(self, signal: Signal, now_ns: int) -> None:
        """Take an edge when it arrives."""
        (self._slots if type(signal.source) is Slot else self._buttons).put(signal, now_ns)

    def put_tag(self, event: TagEvent, now_ns: int) -> None:
        """Take a reader's report when it arrives."""
        self._tags.put(event, now_ns)

    def release(self, now_ns: int) -> list[CleanEvent | TagEvent]:
        """All that is settled by now: contacts, masked and unmasked sources by their stamps, then tags."""
        for kind, changes in enumerate((self._slots.release(now_ns), self._buttons.release(now_ns))):
            for count, (stamp, rank, contact) in enumerate(changes, start=self._count):
                self._changes.put(stamp, (kind, rank, count), contact)
            self._count += len(changes)
        events = self._mask.pass_on(self._changes.release(now_ns), now_ns - self._settle_ns)
        return [*events, *self._tags.release(now_ns)]

    def take_notes(self) -> list[LateSignal | Noise]:
        """What was noticed since the last call: late edges and noise."""
        slots, buttons, noise = self._slots.notes, self._buttons.notes, self._mask.noise
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
