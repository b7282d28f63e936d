"""Stamped inputs go in here in any order, and events come out in the order of their stamps.

Buttons, slots and tags are rivals: a die that was lifted before a slap can't be claimed by it, and one that
was put down before it can. So nothing comes out before everything is known that may have happened before
it. That is the case when two things are over:

* the delivery time of every kind of source has passed since then, so no earlier edge can arrive;
* no burst of bounce that began before is still open: how it ends decides whether something happened at all.

`known_ns` is the moment up to which everything is known. It never waits for the longest burst there could
be: a contact that is at rest holds nobody up. It depends on stamps alone, and not on when an edge arrived.
A tag counts from a moment of its own (see `TagLane`), and takes its place in the order by that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from heapq import merge
from operator import itemgetter

from firmware_host.model.effects import LateSignal, Noise
from firmware_host.model.events import (
    Contact,
    Emptied,
    Filled,
    Masked,
    Pressed,
    Released,
    SourceEdge,
    TagEvent,
    Unmasked,
)
from firmware_host.model.places import Button, Call, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import MaskReason
from firmware_host.model.times import Stamp, exactly
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
        """All that is known by now, in order, each with the moment from which it counts.

        For contacts, and sources that were masked or unmasked, that is their stamp; at the same moment they
        come before tags.
        """
        for kind, changes in enumerate((self._slots.release(now_ns), self._buttons.release(now_ns))):
            for count, (stamp, rank, contact) in enumerate(changes, start=self._count):
                self._changes.put(stamp, (kind, rank, count), contact)
            self._count += len(changes)
        self._released_ns = now_ns
        known_ns = min([lane.known_ns(now_ns) for lane in self._lanes], default=now_ns)
        self.known_ns = known_ns = max(known_ns, self.known_ns)
        clean = self._mask.pass_on(self._changes.take(known_ns), known_ns)
        contacts: list[tuple[int, CleanEvent | TagEvent]]
        contacts = [(event.stamp.earliest_ns, event) for event in clean]
        if self._tags.first_ns is None:
            return contacts
        return list(merge(contacts, self._tags.take(known_ns), key=itemgetter(0)))

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


# Contacts that can't be right are masked, and unmasked when they work again.
#
# A loose wire or a magnet on the edge of its sensor chatters without end, and a jammed button
# stays down. Such a source is masked: the session is informed, and gets no more events of it. A
# source that chatters is unmasked when it has been calm for a while, a jammed button when it comes
# up. The session then gets the present state of a slot, whatever it was before. A press that was
# not passed on does not become a slap afterwards.
#
# Everything here depends on stamps, in their order: the same edges mask the same source at the
# same moment, however they were delivered.


SettledSignal = Contact | Noise
CleanEvent = Contact | Masked | Unmasked


class ChatterMask:
    """Filters what goes from the arbiter to the session. Items come in the order of their stamps."""

    def __init__(self, settings: Settings) -> None:
        self._storms = (settings.slots.storms, settings.buttons.storms)
        self._calm_ns = settings.calm_ns
        self._stuck_ns = settings.stuck_ns
        self._recent: dict[Source, deque[int]] = {}
        self._timeouts: dict[Source, int] = {}
        self._masked: dict[Source, MaskReason] = {}
        self._levels: dict[Source, Contact] = {}
        self.noise: list[Noise] = []

    @property
    def due_ns(self) -> int | None:
        """The stamp of the next timeout, if no source changes before."""
        return min(self._timeouts.values()) if self._timeouts else None

    def preset(self, contact: Filled | Pressed) -> None:
        """Set the state of a contact at the start. A button that is down then may be jammed."""
        source = source_of(contact)
        self._levels[source] = contact
        if isinstance(contact, Pressed):
            self._timeouts[source] = contact.stamp.latest_ns + self._stuck_ns

    def pass_on(self, items: Iterable[SettledSignal], settled_ns: int) -> list[CleanEvent]:
        """The events for the session, timeouts up to that stamp included. Noise goes to `noise`."""
        events: list[CleanEvent] = []
        for item in items:
            source, stamp = source_of(item), item.stamp
            self._apply_timeouts(stamp.earliest_ns - 1, events)
            if not isinstance(item, Noise):
                self._levels[source] = item
            reason = self._masked.get(source)
            if reason is None and self._chatters(source, stamp.latest_ns):
                reason = MaskReason.CHATTERS
                self._mask(source, reason, stamp, events)
            if reason is MaskReason.CHATTERS:
                self._timeouts[source] = stamp.latest_ns + self._calm_ns
            elif isinstance(item, Noise):
                if reason is None:
                    self.noise.append(item)
            elif reason is MaskReason.STUCK:
                self._unmask(source, stamp, events)
            else:
                events.append(item)
                if isinstance(item, Pressed):
                    self._timeouts[source] = stamp.latest_ns + self._stuck_ns
                else:
                    self._timeouts.pop(source, None)
        self._apply_timeouts(settled_ns, events)
        return events

    def _chatters(self, source: Source, t_ns: int) -> bool:
        storms = self._storms[not isinstance(source, Slot)]
        recent = self._recent.get(source)
        if recent is None:
            recent = self._recent[source] = deque(maxlen=max((most for most, _ in storms), default=1))
        recent.append(t_ns)
        for most, within_ns in storms:
            if len(recent) >= most and 0 <= t_ns - recent[-most] < within_ns:
                return True
        return False

    def _apply_timeouts(self, until_ns: int, events: list[CleanEvent]) -> None:
        """Mask and unmask the sources whose timeouts are due by that stamp."""
        timeouts = self._timeouts
        while timeouts and (t_ns := min(timeouts.values())) <= until_ns:
            source = min(each for each, due_ns in timeouts.items() if due_ns == t_ns)
            if source in self._masked:
                self._unmask(source, exactly(t_ns), events)
            else:
                self._mask(source, MaskReason.STUCK, exactly(t_ns), events)

    def _mask(self, source: Source, reason: MaskReason, stamp: Stamp, events: list[CleanEvent]) -> None:
        self._masked[source] = reason
        self._timeouts.pop(source, None)
        events.append(Masked(source, reason, stamp))

    def _unmask(self, source: Source, stamp: Stamp, events: list[CleanEvent]) -> None:
        del self._masked[source]
        self._recent.pop(source, None)
        self._timeouts.pop(source, None)
        events.append(Unmasked(source, stamp))
        shown = self._levels.get(source)
        if isinstance(shown, Filled | Emptied):
            events.append(replace(shown, late=True))
        elif isinstance(shown, Pressed):
            # It is calm now, but down: a button that stays down is jammed.
            self._timeouts[source] = stamp.latest_ns + self._stuck_ns


def source_of(item: SettledSignal) -> Source:
    """The button or slot of a change or of noise."""
    if isinstance(item, Noise):
        return item.source
    if isinstance(item, Filled | Emptied):
        return item.slot
    return Call(item.seat) if item.call else Button(item.seat)
