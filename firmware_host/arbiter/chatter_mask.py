"""Contacts that can't be right are masked, and come back by themselves.

A loose wire or a magnet on the edge of its sensor chatters without end; a jammed button
stays down for ever. Such a source is masked: the session is told, and hears nothing more of
it. When the source has been calm for a while (a jammed button: when it comes up) it is
unmasked. A slot is then told as it stands, whatever it was before; a press that was not
heard is no slap afterwards.

Everything here goes by stamps, in their order: the same edges mask the same source at the
same moment, whatever way they took.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

from firmware_host.effects import Noise
from firmware_host.events import Contact, Emptied, Filled, Masked, Pressed, Unmasked
from firmware_host.places import Button, Call, Slot, Source
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, exactly
from firmware_host.states import MaskReason

Seen = Contact | Noise
Told = Contact | Masked | Unmasked


class ChatterMask:
    """Stands between the arbiter and the session. Items come in the order of their stamps."""

    def __init__(self, settings: Settings) -> None:
        self._storms = (settings.slots.storms, settings.buttons.storms)
        self._calm_ns = settings.calm_ns
        self._stuck_ns = settings.stuck_ns
        self._recent: dict[Source, deque[int]] = {}
        self._alarms: dict[Source, int] = {}
        self._masked: dict[Source, MaskReason] = {}
        self._shown: dict[Source, Contact] = {}
        self.noise: list[Noise] = []

    @property
    def due_ns(self) -> int | None:
        """The stamp of the next thing that happens if the sources stay as they are."""
        return min(self._alarms.values()) if self._alarms else None

    def preset(self, contact: Filled | Pressed) -> None:
        """What a contact shows from the start. A button that is down at power-on may be jammed."""
        source = source_of(contact)
        self._shown[source] = contact
        if isinstance(contact, Pressed):
            self._alarms[source] = contact.stamp.latest_ns + self._stuck_ns

    def pass_on(self, items: Iterable[Seen], settled_ns: int) -> list[Told]:
        """What the session hears of these, and of all that is due by that stamp; noise is laid aside."""
        told: list[Told] = []
        for item in items:
            self._ring(item.stamp.earliest_ns - 1, told)
            self._take(source_of(item), item, told)
        self._ring(settled_ns, told)
        return told

    def _take(self, source: Source, item: Seen, told: list[Told]) -> None:
        if not isinstance(item, Noise):
            self._shown[source] = item
        reason = self._masked.get(source)
        if reason is None and self._chatters(source, item.stamp.latest_ns):
            reason = MaskReason.CHATTERS
            self._mask(source, reason, item.stamp, told)
        if reason is MaskReason.CHATTERS:
            self._alarms[source] = item.stamp.latest_ns + self._calm_ns
        elif isinstance(item, Noise):
            if reason is None:
                self.noise.append(item)
        elif reason is MaskReason.STUCK:
            self._unmask(source, item.stamp, told)
        else:
            self._hand_on(source, item, told)

    def _hand_on(self, source: Source, contact: Contact, told: list[Told]) -> None:
        told.append(contact)
        if isinstance(contact, Pressed):
            self._alarms[source] = contact.stamp.latest_ns + self._stuck_ns
        else:
            self._alarms.pop(source, None)

    def _chatters(self, source: Source, t_ns: int) -> bool:
        storms = self._storms[not isinstance(source, Slot)]
        recent = self._recent.get(source)
        if recent is None:
            recent = self._recent[source] = deque(maxlen=max((most for most, _ in storms), default=1))
        recent.append(t_ns)
        return any(
            len(recent) >= most and 0 <= t_ns - recent[-most] < within_ns for most, within_ns in storms
        )

    def _ring(self, until_ns: int, told: list[Told]) -> None:
        """Let all happen that time alone brings, by that stamp."""
        while self._alarms:
            source = min(self._alarms, key=lambda each: (self._alarms[each], each))
            t_ns = self._alarms[source]
            if t_ns > until_ns:
                return
            if source in self._masked:
                self._unmask(source, exactly(t_ns), told)
            else:
                self._mask(source, MaskReason.STUCK, exactly(t_ns), told)

    def _mask(self, source: Source, reason: MaskReason, stamp: Stamp, told: list[Told]) -> None:
        self._masked[source] = reason
        self._alarms.pop(source, None)
        told.append(Masked(source, reason, stamp))

    def _unmask(self, source: Source, stamp: Stamp, told: list[Told]) -> None:
        del self._masked[source]
        self._recent.pop(source, None)
        self._alarms.pop(source, None)
        told.append(Unmasked(source, stamp))
        shown = self._shown.get(source)
        if isinstance(shown, Filled | Emptied):
            told.append(replace(shown, late=True))
        elif isinstance(shown, Pressed):
            # It came to rest as a button that is down: if it stays so, it is jammed.
            self._alarms[source] = stamp.latest_ns + self._stuck_ns


def source_of(item: Seen) -> Source:
    """The button or slot that a change or a disturbance is of."""
    if isinstance(item, Noise):
        return item.source
    if isinstance(item, Filled | Emptied):
        return item.slot
    return Call(item.seat) if item.call else Button(item.seat)
