"""The names of what is on the GPIO lines, the lamps and the addresses of a profile."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.config.profile import GPIO, Profile
from firmware_host.config.serial_ports import HEADER_PORTS
from firmware_host.device_kinds import EXPANDER, LED_CHIPS, BusChipKind
from firmware_host.places import ALL_SLOTS, Colour
from firmware_host.show.lamps import LAMPS_A_PILE, SYMBOLS

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
