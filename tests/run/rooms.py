"""A simulated table down to the chips, at which the program may be ended and started again and again.

Its switches, dice and tags stay where hands have put them; drivers, lines and readers begin anew each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from firmware_host.lab.chips_table import ChipTable, Eyes, chip_table
from firmware_host.model.places import Button, Slot, Source, Spot, Tag
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import Profile
from firmware_host.profile.tags import Registry
from firmware_host.run.devices import install
from firmware_host.run.equipment import Equipment, HealthBox
from firmware_host.run.table_files import load_profile, table_of
from hw.ports import Health
from hw.sim.agenda import VirtualClock

TAP_NS = 80 * MS


class Room:
    """The table, the hands around it, and what they see."""

    def __init__(self, profile: str | Profile = "dice4") -> None:
        self.profile = load_profile(profile) if isinstance(profile, str) else profile
        self.clock = VirtualClock()
        self.table: ChipTable = chip_table(
            self.profile,
            table=table_of(self.profile),
            settings=Settings(),
            draws=Random(1),
            chance=Random(2),
            clock=self.clock,
        )
        self.site = self.table.site
        self.dimmed: list[int | None] = []
        self.opened = 0
        self.health = HealthBox()
        self._equipment: Equipment | None = self.table.equipment
        self.leave()

    # -- the program

    def open(self, profile: Profile | None = None, registry: Registry | None = None) -> Equipment:
        """All devices of the table, with drivers that know nothing of what was before."""
        assert self._equipment is None, "the equipment that was opened before is still there"
        profile = profile or self.profile
        self.opened += 1
        self.health = health = HealthBox()
        self.site.tell = health.tell
        opened = install(profile, self.site, health, registry or self.site.registry)
        opened.leds = Eyes(profile, self.site, self.table.leds).on(opened.leds)
        dim_chips, close = opened.dim, opened.close

        def dim(brightness: int | None) -> None:
            self.dimmed.append(brightness)
            dim_chips(brightness)

        opened.dim, opened.close = dim, lambda: self._close(close)
        self._equipment = opened
        return opened

    def leave(self) -> None:
        """The program ends, however it does: its devices are let go."""
        if self._equipment is not None:
            self._equipment.close()
            self._equipment = None

    def _close(self, close: Callable[[], None]) -> None:
        close()
        self._equipment = None

    # -- hands

    def set(self, active: bool, sources: Iterable[Source]) -> None:
        """Move these contacts as soon as time goes on."""
        for source in sources:
            contact = self.table.contacts[source]
            self._soon(lambda contact=contact: contact.set(active))  # type: ignore[misc]

    def press(self, *seats: int) -> None:
        self.set(True, map(Button, seats))

    def release(self, *seats: int) -> None:
        self.set(False, map(Button, seats))

    def fill(self, *slots: Slot) -> None:
        self.set(True, slots)

    def empty(self, *slots: Slot) -> None:
        self.set(False, slots)

    def hold_to(self, at: Spot, tag: Tag) -> None:
        self._soon(lambda: self.table.hold_to(at, tag))

    def take_from(self, at: Spot, tag: Tag) -> None:
        self._soon(lambda: self.table.take_from(at, tag))

    def tell(self, health: Health) -> None:
        """A device has something to say."""
        self._soon(lambda: self.health.tell(health))

    def _soon(self, deed: Callable[[], None]) -> None:
        self.site.agenda.at(self.clock.now_ns(), deed)

    # -- what is seen

    @property
    def sign(self) -> tuple[str, ...]:
        """What stands on the scoreboard."""
        return tuple(line.rstrip() for line in self.site.sign.lines)

    @property
    def frame(self) -> bytes:
        """How the lamps burn."""
        return self.table.leds.frame

    @property
    def is_dark(self) -> bool:
        return not any(self.frame) and not any(self.sign)

    # -- time without a program

    def wait(self, duration_ns: int = 10 * S) -> None:
        """Time passes while nobody runs the table."""
        self.clock.wait(self.clock.now_ns() + duration_ns, [])
        self.site.agenda.run(self.clock.now_ns())
