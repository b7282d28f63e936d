"""A wiring profile: the sole source of what is wired to what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from firmware_host.places import Source

CHIPS = ("auto", "pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
DRIVERS = ("gpiod", "lgpio", "rpigpio", "native")
PULLS = ("up", "down", "floating")
SIGNS = {
    "text": (20, 80),
    "vt100": (20, 80),
    "alpha": (20, 62),
    "betabrite": (20, 62),
    "cd5220": (20, 20),
    "dm-d": (20, 20),
}
"""The kinds of scoreboards, and how few and how many columns each may have."""
GPIO_LINES = 54
BANK_LINES = 100
"""Lines from here on are pins of expanders, 16 for each of them."""
GPIO = "gpio"
"""The name of the Pi's own pins among banks and LED chips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """An MCP23017 with hall sensors: which of its pins is which line of the table."""

    name: str
    address: int
    interrupt: int
    pins: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedChip:
    """An HT16K33."""

    name: str
    address: int
    brightness: int


@dataclass(frozen=True, slots=True)
class LampWire:
    """One LED of a lamp: it burns if the lamp's tint has one of the colours in `mask`."""

    lamp: int
    mask: int
    chip: str
    led: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TagPad:
    """A PN532 at a seat; those of one group never have their fields on together."""

    name: str
    seat: int
    port: str
    group: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One table's wiring."""

    title: str
    game: str
    chip: str
    board: str
    pull: str
    lines: Mapping[int, Source]
    seats: int
    columns: int
    driver: str = "gpiod"
    chip_path: str = ""
    i2c_bus: int = 1
    reset: int | None = None
    banks: tuple[Bank, ...] = ()
    led_chips: tuple[LedChip, ...] = ()
    lamp_wires: tuple[LampWire, ...] = ()
    pads: tuple[TagPad, ...] = ()
    sign: str = "text"
    sign_port: str = ""

    def line_of(self, source: Source) -> int:
        """The line that a button or slot is wired to."""
        return {each: line for line, each in self.lines.items()}[source]

    def renumbered(self, new_line: Mapping[int, int]) -> Profile:
        """The same table with its wires on other lines."""
        lines = {new_line.get(line, line): source for line, source in self.lines.items()}
        return replace(self, lines=lines)

    @property
    def direct_lines(self) -> dict[int, Source]:
        """The buttons and slots on GPIO lines of their own."""
        return {line: source for line, source in self.lines.items() if line < BANK_LINES}
