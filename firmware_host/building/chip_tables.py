"""What is on the I2C bus, and on each pin of its chips."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.header_picture import line_text
from firmware_host.building.lamp_wiring import lamp_component, led_pins
from firmware_host.building.parts import HT16K33_PINS, PARTS
from firmware_host.building.plan import Pin, Plan, Wire
from firmware_host.building.tables import TextTable, pin_text
from firmware_host.config.lamp_reading import ANY, BLUE, GREEN, RED
from firmware_host.config.profile import LampWire, Profile
from firmware_host.config.wires import BUS_LINES, chip_kinds, chip_names

_SHADES = {ANY: "", RED: "red", GREEN: "green", BLUE: "blue"}
_PIN_COLUMNS = ("pin", "name", "signal", "colour", "to")
_LED_COLUMNS = (
    "LED",
    "lamp",
    "colour",
    "plus",
    "pin",
    "minus",
    "pin",
    "printed",
    "cable",
    "wire",
)
_CHIPS = ("mcp23017", "uln2003", "level-shifter", "usb-uart-4")


def address_table(profile: Profile) -> TextTable:
    """The chips of the bus by address, and how each address is set."""
    lines = " and ".join(line_text(profile, line) for line in BUS_LINES.get(profile.i2c_bus, ()))
    title = f"I2C bus {profile.i2c_bus}: {lines or 'lines of an overlay'}"
    kinds = chip_kinds(profile)
    rows = [
        (f"0x{address:02x}", name, kinds[address].title, kinds[address].addresses[address])
        for address, name in sorted(chip_names(profile).items())
    ]
    return TextTable(title, ("address", "name", "chip", "how to set it"), tuple(rows))


def chip_tables(plan: Plan, profile: Profile) -> tuple[TextTable, ...]:
    """The pins of each chip, and each LED of an LED chip."""
    found = [_pin_table(plan, each.name, each.title) for each in plan.components if each.part in _CHIPS]
    return (*found, *(_led_table(plan, profile, chip.name) for chip in profile.led_chips))


def _pin_table(plan: Plan, name: str, title: str) -> TextTable:
    """The pins of a chip in the order of its package; those without a wire stay free."""
    pins = PARTS[plan.component(name).part].pins
    at = {pin: list(_wires_at(plan, name, pin)) for pin in pins}
    order = sorted(pins, key=lambda pin: int(pins[pin] or 0))
    rows = []
    for pin in order:
        free = [(pins[pin], pin, "-", "", "")]
        rows += [(pins[pin], pin, wire.signal, wire.colour, pin_text(end)) for wire, end in at[pin]] or free
    return TextTable(f"{name}: {title}", _PIN_COLUMNS, tuple(rows))


def _wires_at(plan: Plan, name: str, pin: str) -> Iterator[tuple[Wire, Pin]]:
    """The wires at a pin, each with its other end."""
    for wire in plan.wires:
        for here, there in ((wire.start, wire.end), (wire.end, wire.start)):
            if (here.component, here.name) == (name, pin):
                yield wire, there


def _led_table(plan: Plan, profile: Profile, chip: str) -> TextTable:
    """Every LED of an LED chip, down to the pins it is between and the wire to its own leg."""
    leds = sorted((wire for wire in profile.lamp_wires if wire.chip == chip), key=lambda wire: wire.led)
    rows = tuple(_led_row(plan, profile, wire) for wire in leds)
    return TextTable(f"{chip}: LEDs by number", _LED_COLUMNS, rows)


def _led_row(plan: Plan, profile: Profile, led: LampWire) -> tuple[str, ...]:
    row, common = led_pins(led.led)
    pins = HT16K33_PINS
    printed = f"A{row.split()[1]}, C{common.split()[1]}"
    mark = f"(LED {led.led}, "
    cable = f"{led.chip} {common}"
    colour = next(wire.colour for wire in plan.of_cable(cable) if mark in wire.signal)
    lamp = lamp_component(profile, led.lamp)
    shade = _SHADES[led.mask]
    return (str(led.led), lamp, shade, row, pins[row], common, pins[common], printed, cable, colour)
