"""Contacts that can't be right are masked, and unmasked when they work again.

A loose wire or a magnet on the edge of its sensor chatters without end, and a jammed button
stays down. Such a source is masked: the session is informed, and gets no more events of it. A
source that chatters is unmasked when it has been calm for a while, a jammed button when it comes
up. The session then gets the present state of a slot, whatever it was before. A press that was
not passed on does not become a slap afterwards.

Everything here depends on stamps, in their order: the same edges mask the same source at the
same moment, however they were delivered.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from firmware_host.model.effects import Noise
from firmware_host.model.events import Contact, Emptied, Filled, Masked, Pressed, Unmasked
from firmware_host.model.places import Button, Call, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.states import MaskReason
from firmware_host.model.times import Stamp, exactly

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
            self._apply_timeouts(item.stamp.earliest_ns - 1, events)
            self._take(source_of(item), item, events)
        self._apply_timeouts(settled_ns, events)
        return events

    def _take(self, source: Source, item: SettledSignal, events: list[CleanEvent]) -> None:
        if not isinstance(item, Noise):
            self._levels[source] = item
        reason = self._masked.get(source)
        if reason is None and self._chatters(source, item.stamp.latest_ns):
            reason = MaskReason.CHATTERS
            self._mask(source, reason, item.stamp, events)
        if reason is MaskReason.CHATTERS:
            self._timeouts[source] = item.stamp.latest_ns + self._calm_ns
        elif isinstance(item, Noise):
            if reason is None:
                self.noise.append(item)
        elif reason is MaskReason.STUCK:
            self._unmask(source, item.stamp, events)
        else:
            self._pass(source, item, events)

    def _pass(self, source: Source, contact: Contact, events: list[CleanEvent]) -> None:
        events.append(contact)
        if isinstance(contact, Pressed):
            self._timeouts[source] = contact.stamp.latest_ns + self._stuck_ns
        else:
            self._timeouts.pop(source, None)

    def _chatters(self, source: Source, t_ns: int) -> bool:
        storms = self._storms[not isinstance(source, Slot)]
        recent = self._recent.get(source)
        if recent is None:
            recent = self._recent[source] = deque(maxlen=max((most for most, _ in storms), default=1))
        recent.append(t_ns)
        return any(
            len(recent) >= most and 0 <= t_ns - recent[-most] < within_ns for most, within_ns in storms
        )

    def _apply_timeouts(self, until_ns: int, events: list[CleanEvent]) -> None:
        """Mask and unmask the sources whose timeouts are due by that stamp."""
        while self._timeouts:
            source = min(self._timeouts, key=lambda each: (self._timeouts[each], each))
            t_ns = self._timeouts[source]
            if t_ns > until_ns:
                return
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
