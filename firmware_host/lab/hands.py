"""The simulated table as people have it in their hands: fingers, magnets, eyes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from firmware_host.lab.bots.movements import ButtonPressed, CardHeld, SlotTouched, Watch, unwatched
from firmware_host.model.places import ALL_SLOTS, Button, Call, Card, Slot, Source, Spot, Tag
from firmware_host.profile.profile import Profile
from firmware_host.show.lamps import panel_lamp_index, slot_lamp_index
from hw.sim.agenda import Agenda
from hw.sim.contacts import Contact
from hw.sim.outputs import SimLedPanel


class Readable(Protocol):
    """Something with text on it."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads there."""


class TouchedTable(Protocol):
    """A simulated table: what moves at it, what shows something, and readers that tags can be brought to."""

    @property
    def profile(self) -> Profile: ...
    @property
    def agenda(self) -> Agenda: ...
    @property
    def contacts(self) -> Mapping[Source, Contact]: ...
    @property
    def leds(self) -> SimLedPanel: ...
    @property
    def display(self) -> Readable: ...

    def has(self, at: Spot) -> bool:
        """Whether there is a reader."""

    def hold_to(self, at: Spot, tag: Tag) -> None:
        """Bring a tag before a reader."""

    def take_from(self, at: Spot, tag: Tag) -> None:
        """Take it away again."""


class SimulatedTable:
    """What hands can do to the table and what eyes can see of it; no way to what it thinks."""

    def __init__(self, table: TouchedTable) -> None:
        contacts = table.contacts
        self.agenda = table.agenda
        self.leds = table.leds
        self.display = table.display
        self._buttons = {source.seat: each for source, each in contacts.items() if isinstance(source, Button)}
        self._calls = {source.seat: each for source, each in contacts.items() if isinstance(source, Call)}
        self._antennas = table
        self._piles = table.profile.piles
        self._under: dict[Slot, Tag] = {}
        self._slots = {source: each for source, each in contacts.items() if isinstance(source, Slot)}
        self._lamp = {slot: slot_lamp_index(slot) for slot in ALL_SLOTS}
        self.watch: Watch = unwatched

    # -- hands

    def press(self, seat: int) -> None:
        self._buttons[seat].set(True)
        self.watch(ButtonPressed(seat))

    def release(self, seat: int) -> None:
        self._buttons[seat].set(False)

    def press_call(self, seat: int) -> None:
        self._calls[seat].set(True)
        self.watch(ButtonPressed(seat, call=True))

    def release_call(self, seat: int) -> None:
        self._calls[seat].set(False)

    def show(self, at: Spot, tag: Tag) -> None:
        """Something with a tag comes before a reader."""
        self._antennas.hold_to(at, tag)
        if isinstance(tag, Card):
            self.watch(CardHeld(tag, at))

    def withdraw(self, at: Spot, tag: Tag) -> None:
        """It is taken away again."""
        self._antennas.take_from(at, tag)

    def fill(self, slot: Slot, tag: Tag) -> None:
        """A die with its magnet comes down on a slot; its tag is before the reader, if there is one."""
        self._slots[slot].set(True)
        self.watch(SlotTouched(slot, filled=True))
        if self._antennas.has(slot):
            self._antennas.hold_to(slot, tag)
            self._under[slot] = tag

    def empty(self, slot: Slot) -> None:
        """The die on a slot is taken away."""
        self._slots[slot].set(False)
        self.watch(SlotTouched(slot, filled=False))
        if slot in self._under:
            self._antennas.take_from(slot, self._under.pop(slot))

    def after(self, delay_ns: int, deed: Callable[[], None]) -> None:
        """Do something in a while."""
        self.agenda.after(delay_ns, deed)

    # -- eyes

    @property
    def now_ns(self) -> int:
        return self.agenda.now_ns

    @property
    def lines(self) -> tuple[str, ...]:
        """What the scoreboard says."""
        return self.display.lines

    def is_filled(self, slot: Slot) -> bool:
        """Whether a die lies there, for everybody to see."""
        return self._slots[slot].active

    def slot_light(self, slot: Slot, for_ns: int) -> tuple[int, ...]:
        """How the lamp of a slot has burned during that last while."""
        return self.leds.rhythm(self._lamp[slot], self.now_ns - for_ns)

    def panel_light(self, seat: int, for_ns: int) -> tuple[int, ...]:
        """How the lamp of a seat has burned during that last while."""
        return self.leds.rhythm(panel_lamp_index(seat, self._piles), self.now_ns - for_ns)
