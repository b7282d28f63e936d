"""An HT16K33 as its bus and an onlooker see it: 128 LEDs, dark until oscillator and display are on.

It could scan a keyboard, too. None is connected: the registers of the keys are always zero.
"""

from __future__ import annotations

from collections.abc import Callable

RAM = 16
AREAS = {0x00: RAM, 0x40: 6, 0x60: 1}
"""What can be read, and how many bytes: display memory, keys, and whether a key was pressed."""
FULL = 15
"""The brightness after power-on: the brightest."""

NOISE = bytes.fromhex("5aa5c33c69960ff05aa5c33c69960ff0")
"""What the memory may hold after power-on: it need not be blank."""


def unwatched() -> None:
    """Do nothing: there is no onlooker."""


class Ht16k33Model:
    """The chip's memory and settings. `on_change` is called after whatever may change what is seen."""

    def __init__(self, on_change: Callable[[], None] = unwatched) -> None:
        self.on_change = unwatched
        self.power_on()
        self.on_change = on_change

    def power_on(self) -> None:
        """The supply came back, or dipped: all is forgotten."""
        self.ram = bytearray(NOISE)
        self.running = False
        self.shown = False
        self.blink = 0
        self.brightness = FULL
        self._area = self._pointer = 0
        self.on_change()

    def lit(self) -> frozenset[int]:
        """The LEDs that a person sees burning, by number: common n // 16, row n % 16."""
        if not (self.running and self.shown):
            return frozenset()
        return frozenset(led for led in range(8 * RAM) if self.ram[led // 8] >> led % 8 & 1)

    # -- as the bus sees it

    def read(self, register: int | None, count: int) -> bytes:
        if register is not None:
            self._point(register)
        data = bytearray()
        for _ in range(count):
            data.append(0 if self._area else self.ram[self._pointer])
            self._pointer = (self._pointer + 1) % AREAS[self._area]
        return bytes(data)

    def write(self, register: int, data: bytes) -> None:
        kind, value = register & 0xF0, register & 0x0F
        self._point(register)
        if kind == 0x00:
            self._fill(data)
        elif kind == 0x20:
            self.running = bool(value & 1)
        elif kind == 0x80:
            self.shown = bool(value & 1)
            self.blink = value >> 1 & 3
        elif kind == 0xE0:
            self.brightness = value
        self.on_change()

    def _point(self, register: int) -> None:
        """From where the next byte is read; other commands leave that alone."""
        area, place = register & 0xF0, register & 0x0F
        if area in AREAS:
            self._area, self._pointer = area, place % AREAS[area]

    def _fill(self, data: bytes) -> None:
        for value in data:
            self.ram[self._pointer] = value
            self._pointer = (self._pointer + 1) % RAM
