"""The chips on the I2C bus: power, data and clock, addresses, interrupts, reset.

The bus is a chain: from the Pi to each expander at 3.3 V, through the level shifter, and on to the LED
chips at 5 V.
"""

from __future__ import annotations

from firmware_host.building.draft import PI, Draft
from firmware_host.building.overlays import lines_of_bus
from firmware_host.building.parts import NETWORK_RESISTORS
from firmware_host.building.plan import Pin, Rail, Section
from firmware_host.building.tables import ohm_text
from firmware_host.config.profile import Bank, LedChip
from firmware_host.config.wires import BUS_LINES
from firmware_host.device_kinds import EXPANDER, LED_CHIPS

_BUS = Section.BUS
_SIGNALS = (("SDA", "blue"), ("SCL", "yellow"))
SHIFTER = "shifter"


def wire_bus(draft: Draft) -> None:
    """All chips of the bus."""
    profile = draft.profile
    if not profile.banks and not profile.led_chips:
        return
    draft.cable("bus", "I2C bus", _BUS)
    ends = _bus_of_pi(draft)
    for bank in profile.banks:
        _expander(draft, bank)
        ends = _chained(draft, ends, bank.name)
    if profile.led_chips and draft.build.level_shifter:
        ends = _shifted(draft, ends)
    for chip in profile.led_chips:
        _led_chip(draft, chip)
        ends = _chained(draft, ends, chip.name)
    _reset(draft)


def _bus_of_pi(draft: Draft) -> list[Pin]:
    """Data and clock at the Pi. Those of a bus from an overlay are known if it is that of a Pi 4."""
    profile, bus = draft.profile, draft.profile.i2c_bus
    lines = BUS_LINES.get(bus) or lines_of_bus(bus, draft.build.overlays, profile.board)
    if len(lines) != len(_SIGNALS):
        return [Pin(PI, f"{signal} of bus {bus}") for signal, _ in _SIGNALS]
    return [draft.pin(PI, f"GPIO {line}") for line in lines]


def _chained(draft: Draft, ends: list[Pin], name: str) -> list[Pin]:
    """Lead data and clock on to a chip."""
    pins = [draft.pin(name, signal) for signal, _ in _SIGNALS]
    for end, pin, (signal, colour) in zip(ends, pins, _SIGNALS, strict=True):
        draft.wire(end, pin, signal, cable="bus", colour=colour)
    return pins


def _shifted(draft: Draft, ends: list[Pin]) -> list[Pin]:
    """Lead data and clock through the level shifter."""
    draft.place(SHIFTER, "level-shifter", "level shifter, 3.3 V to 5 V", _BUS)
    for name, rail in (("LV", Rail.V3_3), ("GND LV", Rail.GROUND), ("HV", Rail.V5), ("GND HV", Rail.GROUND)):
        draft.wire(draft.pole(rail), draft.pin(SHIFTER, name), cable="bus", rail=rail)
    for end, channel, (signal, colour) in zip(ends, "12", _SIGNALS, strict=True):
        draft.wire(end, draft.pin(SHIFTER, f"LV{channel}"), signal, cable="bus", colour=colour)
    return [draft.pin(SHIFTER, f"HV{channel}") for channel in "12"]


def rail_of(volts: float) -> Rail:
    """The rail of a voltage."""
    return Rail.V5 if volts > 3.3 else Rail.V3_3


def _expander(draft: Draft, bank: Bank) -> None:
    name, high = bank.name, rail_of(draft.build.expander_volts)
    title = f"{EXPANDER.title} at 0x{bank.address:02x}"
    draft.place(name, "mcp23017", title, _BUS, address=bank.address)
    draft.cable(name, f"{EXPANDER.title} {name}: power, address, interrupt", _BUS)
    levels = {"VDD": high, "VSS": Rail.GROUND}
    for bit in range(3):
        levels[f"A{bit}"] = high if bank.address >> bit & 1 else Rail.GROUND
    for pin, rail in levels.items():
        draft.wire(draft.pole(rail), draft.pin(name, pin), cable=name, rail=rail)
    line = draft.pin(PI, f"GPIO {bank.interrupt}")
    draft.wire(line, draft.pin(name, "INTA"), f"interrupt of {name}", cable=name, colour="white")
    if draft.build.hall_pull_up_ohm:
        _pull_ups(draft, bank)


def _pull_ups(draft: Draft, bank: Bank) -> None:
    """A resistor from each used pin to the supply: one network for each port."""
    for port in (0, 8):
        used = [pin for pin in sorted(bank.pins) if port <= pin < port + NETWORK_RESISTORS]
        if not used:
            continue
        network = f"pull-ups {bank.name} {'AB'[port // 8]}"
        rail = rail_of(draft.build.hall_pull_up_volts)
        title = f"{ohm_text(draft.build.hall_pull_up_ohm)}, eight to {rail.value}"
        draft.place(network, "pull-up-network", title, _BUS)
        draft.wire(draft.pole(rail), draft.pin(network, "common"), cable=bank.name, rail=rail)
        for pin in used:
            resistor = draft.pin(network, f"R{pin - port + 1}")
            source = draft.profile.lines[bank.pins[pin]]
            draft.wire(resistor, expander_pin(draft, bank.name, pin), str(source), cable=bank.name)


def expander_pin(draft: Draft, name: str, pin: int) -> Pin:
    """A pin of an expander, by its number from A0 on."""
    return draft.pin(name, f"GP{'AB'[pin // 8]}{pin % 8}")


def _led_chip(draft: Draft, chip: LedChip) -> None:
    kind = LED_CHIPS[chip.kind]
    title = f"{kind.title} at 0x{chip.address:02x}: {kind.addresses[chip.address]}"
    draft.place(chip.name, chip.kind, title, _BUS, address=chip.address)
    rail = rail_of(draft.build.led_chip_volts)
    draft.wire(draft.pole(rail), draft.pin(chip.name, "VDD"), cable="bus", rail=rail)
    draft.wire(draft.pole(Rail.GROUND), draft.pin(chip.name, "VSS"), cable="bus", rail=Rail.GROUND)


def _reset(draft: Draft) -> None:
    """Reset of all expanders: on a line of the Pi, or held up."""
    profile = draft.profile
    last = None if profile.reset is None else draft.pin(PI, f"GPIO {profile.reset}")
    rail = rail_of(draft.build.expander_volts)
    for bank in profile.banks:
        pin = draft.pin(bank.name, "RESET")
        if last is None:
            draft.wire(draft.pole(rail), pin, cable=bank.name, rail=rail)
        else:
            draft.wire(last, pin, "reset line", cable=bank.name)
            last = pin
