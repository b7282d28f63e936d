"""Stamped inputs go in here in any order, and events come out in the order of their stamps.

Buttons, slots and tags are rivals: a die that was lifted before a slap can't be claimed by it, and one that
was put down before it can. So nothing comes out before everything is known that may have happened before
it. That is the case when two things are over:

* the delivery time of every kind of source has passed since then, so no earlier edge can arrive;
* no burst of bounce that began before is still open: how it ends decides whether something happened at all.

`known_ns` is the moment up to which everything is known. It never waits for the longest burst there could
be: a contact that is at rest holds nobody up. It depends on stamps alone, and not on when an edge arrived.
A tag counts from a moment of its own (see tag_lane.py), and takes its place in the order by that.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import merge

from firmware_host.model.effects import LateSignal, Noise
from firmware_host.model.events import Contact, Emptied, Filled, Pressed, Released, SourceEdge, TagEvent
from firmware_host.model.places import Button, Call, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.times import Stamp, exactly
from firmware_host.timing.chatter_mask import ChatterMask, CleanEvent
from firmware_host.timing.lanes import LaneArbiter, StampQueue, TagLane

NEVER_NS = -(1 << 62)
"""Before everything."""


class Arbiter:
    """Orders the edges of all buttons and slots of one table, and the tags that its readers report."""

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
        self._lanes = [lane for lane in (self._slots, self._buttons) if lane.sources]
        self._tags = TagLane(settings.tag_settle_ns)
        self._count = 0
        self._changes: StampQueue[Contact | Noise] = StampQueue()
        self._mask = ChatterMask(settings)
        self._released_ns = NEVER_NS
        self.delay_ns = max((lane.delivery_ns for lane in self._lanes), default=0)
        """How long after a moment it may be known at the soonest."""
        self.known_ns = NEVER_NS
        """Everything that happened up to this moment has come out."""

    @property
    def due_ns(self) -> int | None:
        """When `release` should be called next; None while nothing is pending."""
        due_ns: int | None = None
        for lane in self._lanes:
            lane_ns = lane.due_ns(self.delay_ns)
            if lane_ns is not None and (due_ns is None or lane_ns < due_ns):
                due_ns = lane_ns
        for first_ns in (self._changes.first_ns, self._mask.due_ns, self._tags.first_ns):
            if first_ns is not None:
                first_ns += self.delay_ns
                # Otherwise it waits for the end of a burst, at which something is due anyway.
                if first_ns > self._released_ns and (due_ns is None or first_ns < due_ns):
                    due_ns = first_ns
        return due_ns

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

    def put(self, edge: SourceEdge, now_ns: int) -> None:
        """Take an edge when it arrives."""
        (self._slots if type(edge.source) is Slot else self._buttons).put(edge, now_ns)

    def put_tag(self, event: TagEvent, now_ns: int) -> None:
        """Take a reader's report when it arrives."""
        self._tags.put(event, now_ns)

    def release(self, now_ns: int) -> list[tuple[int, CleanEvent | TagEvent]]:
        """All that is known by now, in order, each with its place in time.

        Contacts, and sources that were masked or unmasked, are placed by their stamps, and tags by the moment
        from which they count; at the same moment contacts come first.
        """
        for kind, changes in enumerate((self._slots.release(now_ns), self._buttons.release(now_ns))):
            for count, (stamp, rank, contact) in enumerate(changes, start=self._count):
                self._changes.put(stamp, (kind, rank, count), contact)
            self._count += len(changes)
        self._released_ns = now_ns
        self.known_ns = known_ns = max(self._known_by(now_ns), self.known_ns)
        clean = self._mask.pass_on(self._changes.take(known_ns), known_ns)
        contacts: list[tuple[int, CleanEvent | TagEvent]]
        contacts = [(event.stamp.earliest_ns, event) for event in clean]
        tags = self._tags.take(known_ns)
        return list(merge(contacts, tags, key=_place)) if tags else contacts

    def _known_by(self, now_ns: int) -> int:
        return min((lane.known_ns(now_ns) for lane in self._lanes), default=now_ns)

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


def _place(placed: tuple[int, CleanEvent | TagEvent]) -> int:
    return placed[0]


def _button_contact(button: Button | Call, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Pressed if active else Released)(button.seat, stamp, late, type(button) is Call)


def _slot_contact(slot: Slot, active: bool, stamp: Stamp, late: bool) -> Contact:
    return (Filled if active else Emptied)(slot, stamp, late)
