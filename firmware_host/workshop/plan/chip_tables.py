"""What is on the I2C bus, and on each pin of its chips."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.profile.pins import lines_of
from firmware_host.profile.profile import BUS_LINES, LampWire, Profile, chip_kinds, chip_names
from firmware_host.profile.wiring_reading import ANY, BLUE, GREEN, RED
from firmware_host.workshop.plan.draft import PI
from firmware_host.workshop.plan.parts import HT16K33_PINS, PARTS
from firmware_host.workshop.plan.pi_models import GROUND, HEADER, SPECIAL, V3_3, V5, header_pin, model_of
from firmware_host.workshop.plan.plan import Pin, Plan, Wire
from firmware_host.workshop.plan.tables import TextTable, pin_text
from firmware_host.workshop.plan.wiring import lamp_component, led_pins

_SUPPLY = (V3_3, V5, GROUND)
_FREE = "-"


def pin_uses(plan: Plan) -> dict[str, str]:
    """What each pin of the Pi that has a wire is for, by its name."""
    uses = {}
    for wire in plan.wires:
        for pin in (wire.start, wire.end):
            if pin.component == PI:
                uses[pin.name] = wire.signal
    return uses


def header_lines(plan: Plan, profile: Profile) -> list[str]:
    """The picture; for a board without a header the list of its GPIO lines."""
    model = model_of(profile.board)
    uses = pin_uses(plan)
    if not model.header:
        return [f"{model.name}: its GPIO lines", "", *_module_lines(profile, uses)]
    return [
        f"{model.name}: its header, with pin 1 at the corner of the board and pin 2 at its edge",
        "",
        *_picture(plan, uses),
    ]


def _picture(plan: Plan, uses: dict[str, str]) -> list[str]:
    """Two rows of pins, side by side as they are on the board."""
    used = _used_pins(plan)
    texts = [_use(number, name, uses, used) for number, name in enumerate(HEADER, start=1)]
    left = max(map(len, texts[::2]))
    lines = []
    for number in range(0, len(HEADER), 2):
        names = HEADER[number], HEADER[number + 1]
        pins = f"{names[0]:>7} {number + 1:>2} o o {number + 2:<2} {names[1]:<7}"
        lines.append(f"{texts[number]:>{left}}  {pins}  {texts[number + 1]}".rstrip())
    return lines


def _used_pins(plan: Plan) -> set[str]:
    """The numbers of the pins that have a wire."""
    return {pin.number for wire in plan.wires for pin in (wire.start, wire.end) if pin.component == PI}


def _use(number: int, name: str, uses: dict[str, str], used: set[str]) -> str:
    """What a pin is for. A supply has several pins; the plan takes the first of each."""
    if name in _SUPPLY:
        return f"to the {name} strip" if str(number) in used else ""
    line = int(name.split()[-1])
    return uses.get(name) or (SPECIAL[line] if line in (0, 1) else _FREE)


def _module_lines(profile: Profile, uses: dict[str, str]) -> list[str]:
    first, last, _ = lines_of(profile.board)
    return [f"{f'GPIO {line}':>7}  {uses.get(f'GPIO {line}', _FREE)}" for line in range(first, last + 1)]


def line_text(profile: Profile, line: int) -> str:
    """A GPIO line with its pin, if the board has a header: `GPIO 17 (pin 11)`."""
    pin = header_pin(line) if model_of(profile.board).header else None
    return f"GPIO {line} (pin {pin})" if pin else f"GPIO {line}"


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
