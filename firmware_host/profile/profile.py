"""A wiring profile: the only source of what is wired to what.

Dice tables have hall sensors under their 24 places. With a tag reader under every place they also
know which die lies there and which face it shows. With a pad at every seat as well they know whose
it is, by the tags that the seat has shown to its pad.

Card tables have places for piles in the centre, four for each seat: each seat has four ones, and
each of them may open a pile. Either all seats have pads, to which a card is held before the slap,
or there is a reader at every pile, where a card counts as soon as it lies there. If all seats have
call buttons, those call stop; otherwise a long press of the race button does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.model.places import ALL_SLOTS, Colour, Pad, Slot, Source, Spot
from firmware_host.profile.build_choices import Choices
from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS, USUAL_LED_CHIP, USUAL_SIGN, BusChipKind
from firmware_host.profile.serial_ports import HEADER_PORTS
from firmware_host.show.lamps import LAMPS_A_PILE, SYMBOLS

CHIPS = ("auto", "pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
DRIVERS = ("gpiod", "lgpio", "rpigpio", "native")
PULLS = ("up", "down", "floating")
OWNERSHIPS = ("slap", "tag")
"""The owner of a die: the seat whose slap claims it, or the seat that has shown its tag to its pad."""
BANK_LINES = 100
"""Lines from here on are pins of expanders, 16 for each of them."""
GPIO = "gpio"
"""The name of the Pi's own pins among banks and LED chips."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bank:
    """An expander with hall sensors or call buttons; `pins` has the line of the table for each pin."""

    name: str
    address: int
    interrupt: int
    pins: Mapping[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LedChip:
    """An LED chip; its kind is a key of LED_CHIPS."""

    name: str
    address: int
    brightness: int
    kind: str = USUAL_LED_CHIP


@dataclass(frozen=True, slots=True)
class LampWire:
    """One LED of a lamp: it burns if the lamp's tint has one of the colours in `mask`."""

    lamp: int
    mask: int
    chip: str
    led: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TagSpot:
    """A tag reader and its place; readers of one group never have their fields on together."""

    name: str
    at: Spot
    port: str
    group: int

    @property
    def seat(self) -> int:
        """The seat of a pad; 0 for a reader that belongs to no seat."""
        return self.at.seat if isinstance(self.at, Pad) else 0


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
    piles: int = 0
    ownership: str = "slap"
    driver: str = "gpiod"
    chip_path: str = ""
    i2c_bus: int = 1
    reset: int | None = None
    banks: tuple[Bank, ...] = ()
    led_chips: tuple[LedChip, ...] = ()
    lamp_wires: tuple[LampWire, ...] = ()
    readers: tuple[TagSpot, ...] = ()
    sign: str = USUAL_SIGN
    """A key of SIGNS."""
    sign_port: str = ""
    charset: str = ""
    """The charset of the scoreboard; empty for the usual one of its kind."""
    build: Choices = field(default_factory=Choices, compare=False)
    """What only building needs. Nothing that runs looks at it, so tables that differ only in it are equal."""

    def line_of(self, source: Source) -> int:
        """The line that a button or slot is wired to."""
        return {each: line for line, each in self.lines.items()}[source]

    @property
    def direct_lines(self) -> dict[int, Source]:
        """The buttons and slots on GPIO lines of their own."""
        return {line: source for line, source in self.lines.items() if line < BANK_LINES}

    @property
    def pads(self) -> tuple[TagSpot, ...]:
        """The readers at seats."""
        return tuple(reader for reader in self.readers if isinstance(reader.at, Pad))

    @property
    def identified(self) -> bool:
        """Whether each place has a reader, so that the table knows which die lies there."""
        return any(isinstance(reader.at, Slot) for reader in self.readers)

    def neighbours(self, reader: TagSpot) -> int:
        """How many readers take turns with this one, itself included."""
        return sum(each.group == reader.group for each in self.readers)

    @property
    def crowd(self) -> int:
        """How many readers the largest group has."""
        return max(map(self.neighbours, self.readers), default=0)


BUS_LINES = {0: (0, 1), 1: (2, 3)}
"""Data and clock of the I2C buses with fixed lines; overlays decide the lines of the others."""
HEADER_LINES = (14, 15)
"""The lines of the serial port of the header."""


def line_names(profile: Profile) -> dict[int, str]:
    """What each GPIO line that the table needs is wired to."""
    names = {line: str(source) for line, source in profile.direct_lines.items()}
    names |= {bank.interrupt: f"interrupt of {bank.name}" for bank in profile.banks}
    if profile.reset is not None:
        names[profile.reset] = "reset line"
    for wire in profile.lamp_wires:
        if wire.chip == GPIO:
            names[wire.led] = f"lamp of {lamp_name(profile, wire.lamp)}"
    return dict(sorted(names.items()))


def lamp_name(profile: Profile, lamp: int) -> str:
    """What a lamp is for, by its index in a frame."""
    piles = profile.piles * LAMPS_A_PILE
    if lamp < piles:
        pile, number = divmod(lamp, LAMPS_A_PILE)
        return f"pile {pile + 1}, {f'number {number}' if number else 'head'}"
    if profile.piles:
        return f"seat {lamp - piles + 1}"
    if lamp < len(ALL_SLOTS):
        return str(ALL_SLOTS[lamp])
    lamp -= len(ALL_SLOTS)
    return f"symbol {Colour(lamp).word}" if lamp < SYMBOLS else f"seat {lamp - SYMBOLS + 1}"


def chip_names(profile: Profile) -> dict[int, str]:
    """The chip at each address on the I2C bus that the table needs."""
    names = {bank.address: bank.name for bank in profile.banks}
    return names | {chip.address: chip.name for chip in profile.led_chips}


def chip_kinds(profile: Profile) -> dict[int, BusChipKind]:
    """The kind of chip at each of these addresses."""
    kinds: dict[int, BusChipKind] = {bank.address: EXPANDER for bank in profile.banks}
    return kinds | {chip.address: LED_CHIPS[chip.kind] for chip in profile.led_chips}


def bus_lines(profile: Profile) -> dict[int, str]:
    """The lines of its I2C bus."""
    taken = BUS_LINES.get(profile.i2c_bus, ()) if chip_names(profile) else ()
    return dict.fromkeys(taken, "the I2C bus")


def header_lines(devices: Mapping[str, str]) -> dict[int, str]:
    """The lines of a serial port of the header; `devices` has the device of each port."""
    names = [f"the port of {name}" for port, name in devices.items() if port in HEADER_PORTS]
    return dict.fromkeys(HEADER_LINES, names[0]) if names else {}
