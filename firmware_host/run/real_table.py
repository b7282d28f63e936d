"""A table on real devices: the kernel's GPIO and I2C, serial ports, a thread for each bus and port."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

from firmware_host.model.times import MS
from firmware_host.profile.profile import GPIO, Profile
from firmware_host.profile.tags import Registry
from firmware_host.run.devices import INTERRUPTS, LAMPS, InputLines, card_soundboard, install
from firmware_host.run.equipment import Equipment, HealthBox, Soundboard
from hw.clock import MonotonicClock
from hw.gpio.gpio_chips import ChipInfo, find_chip
from hw.gpio.gpio_chips import GpioError as GpioError  # what opening may raise, for those who open
from hw.gpio.gpio_lamps import GpiodOutputs, GpioLamps, GpiozeroOutputs
from hw.gpio.gpiod_lines import GpiodLines
from hw.gpio.gpiozero_lines import KINDS, open_lines, open_pins
from hw.gpio.known_level import UNDER_WAY_NS
from hw.ports import LedPanel, LedWire
from hw.serial_port import OpenPort, PyserialPort
from hw.sound.player import NONE
from hw.work import OwnerThread, Work

GPIOD = "gpiod"
RESET_S = 0.001
LATER_NS = 5 * MS
"""How long after an edge must have arrived its line is looked at."""


class RealSite:
    """The ground for drivers on a machine with pins."""

    agenda = None

    def __init__(
        self, profile: Profile, health: HealthBox, under_way_ns: int = UNDER_WAY_NS, card: str = NONE
    ) -> None:
        self.tell = health.tell
        self.clock = MonotonicClock()
        # By then the other edge has arrived, if it was only under way.
        self.recheck_ns = under_way_ns + LATER_NS
        self.owners: list[OwnerThread] = []
        self._opened: list[InputLines | LedPanel] = []
        self._profile = profile
        self._under_way_ns = under_way_ns
        self._card = card
        self._soundboard: Soundboard | None = None
        self._chip: ChipInfo = find_chip("" if profile.chip == "auto" else profile.chip, profile.chip_path)
        self._kind = None if profile.driver == GPIOD else KINDS[profile.driver]
        self._pins: Any = None if self._kind is None else open_pins(self._kind, self._chip)
        self._reset: GpiodOutputs | GpiozeroOutputs | None = None

    def now_ns(self) -> int:
        return self.clock.now_ns()

    def inputs(self, name: str, lines: Iterable[int]) -> InputLines:
        opened = self._inputs(name, lines)
        self._opened.append(opened)
        return opened

    def _inputs(self, name: str, lines: Iterable[int]) -> InputLines:
        # Interrupt outputs are open drain: whatever pulls the buttons, these have to be pulled up.
        pull = "up" if name == INTERRUPTS else self._profile.pull
        if self._kind is None:
            return GpiodLines(
                self._chip, lines, pull, under_way_ns=self._under_way_ns, tell=self.tell, name=name
            )
        return open_lines(
            self._kind,
            self._pins,
            lines,
            pull,
            chip=self._chip,
            tell=self.tell if name == GPIO else None,  # its faults are reported once
            name=name,
            under_way_ns=self._under_way_ns,
        )

    def lamps(self, wires: Sequence[LedWire]) -> LedPanel:
        triples = [(wire.lamp, wire.colours, wire.led) for wire in wires]
        lamps = GpioLamps(self._outputs([wire.led for wire in wires]), triples, name=LAMPS, tell=self.tell)
        self._opened.append(lamps)
        return lamps

    def open_bus(self) -> Any:
        from smbus2 import SMBus

        return SMBus(self._profile.i2c_bus)

    def bus_reset(self) -> Callable[[], None] | None:
        line = self._profile.reset
        if line is None:
            return None
        outputs = self._reset = self._outputs([line], high=True)

        def pulse() -> None:
            outputs.set({line: False})
            time.sleep(RESET_S)
            outputs.set({line: True})

        return pulse

    def open_port(self, name: str, path: str, baud: int, bits: int, parity: str) -> OpenPort:
        return PyserialPort(path, baud, bits=bits, parity=parity)

    def own(self, work: Work) -> OwnerThread:
        owner = OwnerThread(work, self.tell)
        self.owners.append(owner)
        return owner

    def soundboard(self, seats: int) -> Soundboard | None:
        self._soundboard = card_soundboard(self._card, seats, self.tell)
        return self._soundboard

    def stuck(self) -> list[str]:
        return [owner.name for owner in self.owners if owner.stuck]

    def close(self) -> None:
        """End all threads and let go of all lines, also of a table that was never finished."""
        with ExitStack() as closing:  # one that can't be closed keeps no other open; the last goes first
            for thing in (self._pins, self._reset, self._soundboard, *self._opened, *self.owners):
                if thing is not None:
                    closing.callback(thing.close)

    def _outputs(self, lines: Sequence[int], high: bool = False) -> GpiodOutputs | GpiozeroOutputs:
        if self._kind is None:
            return GpiodOutputs(self._chip, lines, high=high)
        return GpiozeroOutputs(self._pins, lines, high=high, chip=self._chip)


def real_equipment(
    profile: Profile,
    registry: Registry | None = None,
    under_way_ns: int = UNDER_WAY_NS,
    card: str = NONE,
) -> Equipment:
    """This machine's own devices, opened; GpioError says why its lines can't be had.

    An edge that has not arrived `under_way_ns` after its line was seen to change is lost.
    Sounds are played on the `card`, or on none.
    """
    health = HealthBox()
    site = RealSite(profile, health, under_way_ns, card)
    try:
        return install(profile, site, health, registry)
    except BaseException:
        site.close()
        raise
