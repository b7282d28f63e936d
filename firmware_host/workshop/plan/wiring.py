"""Wires the chips of the I2C bus, buttons, sensors and lamps.

The bus is a chain: from the Pi to each expander at 3.3 V, through the level shifter, and on to the LED
chips at 5 V.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from firmware_host.model.places import PLACES_PER_ROW, Button, Call, Colour, Slot, Source
from firmware_host.profile.device_kinds import EXPANDER, LED_CHIPS
from firmware_host.profile.profile import (
    BANK_LINES,
    BUS_LINES,
    GPIO,
    Bank,
    LampWire,
    LedChip,
    Profile,
    lamp_name,
)
from firmware_host.profile.wiring_reading import BLUE, GREEN, RED
from firmware_host.workshop.plan.draft import PI, PlanDraft
from firmware_host.workshop.plan.parts import BUTTON_PARTS, HALL_PARTS, NETWORK_RESISTORS, PLAIN_BUTTON
from firmware_host.workshop.plan.pi_models import lines_of_bus
from firmware_host.workshop.plan.plan import Pin, Rail, Section, ohm_text

_BUS = Section.BUS
_SIGNALS = (("SDA", "blue"), ("SCL", "yellow"))
SHIFTER = "shifter"


def wire_bus(draft: PlanDraft) -> None:
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


def _bus_of_pi(draft: PlanDraft) -> list[Pin]:
    """Data and clock at the Pi. Those of a bus from an overlay are known if it is that of a Pi 4."""
    profile, bus = draft.profile, draft.profile.i2c_bus
    lines = BUS_LINES.get(bus) or lines_of_bus(bus, draft.build.overlays, profile.board)
    if len(lines) != len(_SIGNALS):
        return [Pin(PI, f"{signal} of bus {bus}") for signal, _ in _SIGNALS]
    return [draft.pin(PI, f"GPIO {line}") for line in lines]


def _chained(draft: PlanDraft, ends: list[Pin], name: str) -> list[Pin]:
    """Lead data and clock on to a chip."""
    pins = [draft.pin(name, signal) for signal, _ in _SIGNALS]
    for end, pin, (signal, colour) in zip(ends, pins, _SIGNALS, strict=True):
        draft.wire(end, pin, signal, cable="bus", colour=colour)
    return pins


def _shifted(draft: PlanDraft, ends: list[Pin]) -> list[Pin]:
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


def _expander(draft: PlanDraft, bank: Bank) -> None:
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


def _pull_ups(draft: PlanDraft, bank: Bank) -> None:
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


def expander_pin(draft: PlanDraft, name: str, pin: int) -> Pin:
    """A pin of an expander, by its number from A0 on."""
    return draft.pin(name, f"GP{'AB'[pin // 8]}{pin % 8}")


def _led_chip(draft: PlanDraft, chip: LedChip) -> None:
    kind = LED_CHIPS[chip.kind]
    title = f"{kind.title} at 0x{chip.address:02x}: {kind.addresses[chip.address]}"
    draft.place(chip.name, chip.kind, title, _BUS, address=chip.address)
    rail = rail_of(draft.build.led_chip_volts)
    draft.wire(draft.pole(rail), draft.pin(chip.name, "VDD"), cable="bus", rail=rail)
    draft.wire(draft.pole(Rail.GROUND), draft.pin(chip.name, "VSS"), cable="bus", rail=Rail.GROUND)


def _reset(draft: PlanDraft) -> None:
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


def wire_buttons(draft: PlanDraft) -> None:
    """The race button of each seat, and its call button if there is one."""
    lines = {source: line for line, source in draft.profile.lines.items() if not isinstance(source, Slot)}
    rail = Rail.V3_3 if draft.profile.pull == "down" else Rail.GROUND
    for source in sorted(lines, key=lambda each: (each.seat, isinstance(each, Call))):
        name = button_name(source)
        title = f"{'call' if isinstance(source, Call) else 'race'} button of seat {source.seat}"
        draft.place(name, _button_part(draft, source), title, Section.BUTTONS)
        cable = draft.cable(seat_cable(source.seat), f"seat {source.seat}", Section.BUTTONS)
        draft.wire(_line_pin(draft, lines[source]), draft.pin(name, "NO"), name, cable=cable)
        draft.wire(draft.pole(rail), draft.pin(name, "COM"), cable=cable, rail=rail)
        _pull(draft, name, draft.pin(name, "NO"), lines[source], cable)


def _button_part(draft: PlanDraft, source: Button | Call) -> str:
    """The part of a button: the one that was chosen, or one without a lamp where nothing lights it."""
    chosen, wires = draft.build.button, draft.profile.lamp_wires
    lit = {lamp_name(draft.profile, wire.lamp) for wire in wires if wire.chip == GPIO}
    is_lit = isinstance(source, Button) and f"seat {source.seat}" in lit
    return chosen if is_lit or not BUTTON_PARTS[chosen].led_ma else PLAIN_BUTTON


def button_name(source: Button | Call) -> str:
    """The component of a race button or call button."""
    return f"{'call' if isinstance(source, Call) else 'button'} {source.seat}"


def seat_cable(seat: int) -> str:
    """The cable to the buttons of a seat."""
    return f"seat {seat}"


def wire_sensors(draft: PlanDraft) -> None:
    """A cable for each row: supply and ground go from sensor to sensor, each output has a wire of its own."""
    if draft.profile.piles:
        return
    part = HALL_PARTS[draft.build.hall]
    rail = rail_of(draft.build.hall_volts or (5 if part.at_5v else 3.3))
    for colour in Colour:
        cable = draft.cable(f"row {colour.word}", f"hall sensors of the {colour.word} row", Section.SENSORS)
        power, ground = draft.pole(rail), draft.pole(Rail.GROUND)
        for number in range(1, PLACES_PER_ROW + 1):
            slot: Source = Slot(colour, number)
            name = str(slot)
            draft.place(name, draft.build.hall, f"hall sensor of {name}", Section.SENSORS)
            supply, minus = draft.pin(name, "VCC"), draft.pin(name, "GND")
            draft.wire(power, supply, cable=cable, rail=rail)
            draft.wire(ground, minus, cable=cable, rail=Rail.GROUND)
            line = _line_pin(draft, draft.profile.line_of(slot))
            draft.wire(line, draft.pin(name, "OUT"), name, cable=cable)
            _pull(draft, name, draft.pin(name, "OUT"), draft.profile.line_of(slot), cable)
            power, ground = supply, minus


def _pull(draft: PlanDraft, name: str, pin: Pin, line: int, cable: str) -> None:
    """An own resistor at a contact on a line of the Pi, if the profile says that there are some."""
    ohm = draft.build.contact_pull_up_ohm
    if not ohm or line >= BANK_LINES:
        return
    rail = Rail.GROUND if draft.profile.pull == "down" else Rail.V3_3
    resistor = f"resistor of {name}"
    section = draft.section(cable)
    draft.place(resistor, "resistor-pull", f"{ohm_text(ohm)}, to {rail.value}", section, at=name)
    draft.wire(draft.pole(rail), draft.pin(resistor, "1"), cable=cable, rail=rail)
    draft.wire(draft.pin(resistor, "2"), pin, name, cable=cable)


def _line_pin(draft: PlanDraft, line: int) -> Pin:
    """Where a contact's wire begins."""
    if line < BANK_LINES:
        return draft.pin(PI, f"GPIO {line}")
    bank, pin = divmod(line - BANK_LINES, 16)
    return expander_pin(draft, draft.profile.banks[bank].name, pin)


# Lamps: LEDs in the matrix of an LED chip, and lamps on lines of the Pi.
#
# LED n of an HT16K33 is between row n % 16 (its plus) and common n / 16 (its minus). A row leads from the
# chip to its first LED and from there to the next one; a common does the same. So each leg of an LED has
# one wire coming in.


ROWS = 16
"""The rows of an HT16K33."""
DRIVER_CHANNELS = 7
_COLOURS = {RED: "red", GREEN: "green", BLUE: "blue"}
_ASIDE_MM = {RED: -5.0, GREEN: 0.0, BLUE: 5.0}
"""Where three LEDs of a lamp lie, from its middle."""
_LAMPS = Section.LAMPS
_COMMON_LEGS = {"rgb-cc": "cathode", "rgb-ca": "anode", "led": "cathode"}


def lamp_component(profile: Profile, lamp: int) -> str:
    """The component of a lamp, by its index in a frame: `lamp 3` at a seat, `lamp red 1` elsewhere."""
    name = lamp_name(profile, lamp).replace(", head", "").replace(",", "")
    return f"lamp {name.removeprefix('seat ')}"


def led_pins(led: int) -> tuple[str, str]:
    """Row and common of an LED."""
    return f"ROW {led % ROWS}", f"COM {led // ROWS}"


def wire_lamps(draft: PlanDraft) -> None:
    """All lamps of the table."""
    on_lines = [wire for wire in draft.profile.lamp_wires if wire.chip == GPIO]
    for number, wire in enumerate(on_lines):
        _line_lamp(draft, wire, number)
    for chip in draft.profile.led_chips:
        _Matrix(draft, chip.name).wire([wire for wire in draft.profile.lamp_wires if wire.chip == chip.name])


# -- on lines of the Pi


def _line_lamp(draft: PlanDraft, wire: LampWire, number: int) -> None:
    """A lamp on a line; the first seven share a driver, and so on."""
    lamp = lamp_component(draft.profile, wire.lamp)
    seat = lamp.removeprefix("lamp ")
    line = draft.pin(PI, f"GPIO {wire.led}")
    button = BUTTON_PARTS[draft.build.button]
    lit = seat.isdigit() and button.led_ma > 0
    if lit:
        plus, minus = (draft.pin(f"button {seat}", name) for name in ("LED +", "LED -"))
        cable = seat_cable(int(seat))
    else:
        draft.place(lamp, "led", f"{lamp}, on GPIO {wire.led}", _LAMPS)
        plus, minus = draft.pin(lamp, "anode"), draft.pin(lamp, "cathode")
        cable = draft.cable(lamp, lamp, _LAMPS)
    if not lit or button.bare_led:
        plus = _resistor(draft, lamp, plus, cable)
    if draft.build.button_driver == "none":
        draft.wire(line, plus, lamp, cable=cable)
        draft.wire(draft.pole(Rail.GROUND), minus, cable=cable, rail=Rail.GROUND)
        return
    rail = Rail.V12 if lit and button.led_volts > 5 else Rail.V5
    output = _driver(draft, line, lamp, number)
    draft.wire(draft.pole(rail), plus, cable=cable, rail=rail)
    draft.wire(output, minus, lamp, cable=cable)


def _resistor(draft: PlanDraft, lamp: str, plus: Pin, cable: str) -> Pin:
    """A resistor before the plus of an LED; gives its other end."""
    name = f"resistor {lamp.removeprefix('lamp ')}"
    draft.place(name, "resistor-330", f"resistor of {lamp}", _LAMPS, at=lamp)
    draft.wire(draft.pin(name, "2"), plus, lamp, cable=cable)
    return draft.pin(name, "1")


def _driver(draft: PlanDraft, line: Pin, lamp: str, number: int) -> Pin:
    """Lead a line to the next free channel of a driver; gives the output."""
    driver, channel = divmod(number, DRIVER_CHANNELS)
    name = f"driver {driver + 1}"
    if not draft.has(name):
        draft.place(name, "uln2003", "ULN2003A, drives lamps", _LAMPS)
        draft.cable(name, f"lines to {name}", _LAMPS)
        draft.wire(draft.pole(Rail.GROUND), draft.pin(name, "GND"), cable=name, rail=Rail.GROUND)
    draft.wire(line, draft.pin(name, f"IN {channel + 1}"), lamp, cable=name)
    return draft.pin(name, f"OUT {channel + 1}")


# -- in the matrix of a chip


class _Matrix:
    """The LEDs of one chip."""

    def __init__(self, draft: PlanDraft, chip: str) -> None:
        self._draft = draft
        self._chip = chip
        self._ends: dict[str, Pin] = {}

    def wire(self, wires: Sequence[LampWire]) -> None:
        """Place all LEDs, and lead rows and commons from one to the next."""
        legs = [
            leg for _, lamp in groupby(wires, key=lambda wire: wire.lamp) for leg in self._legs(list(lamp))
        ]
        for led, pins in sorted(legs, key=lambda leg: leg[0]):
            _, common = led_pins(led)
            cable = self._draft.cable(f"{self._chip} {common}", f"LEDs of {self._chip} at {common}", _LAMPS)
            for line, (pin, words) in pins.items():
                self._lead(line, pin, words, cable)

    def _lead(self, line: str, pin: Pin, words: str, cable: str) -> None:
        """Lead a row or common on to a leg, unless that is where it is already."""
        start = self._ends.get(line) or self._draft.pin(self._chip, line)
        if start != pin:
            colour = "white" if line.startswith("COM") else ""
            self._draft.wire(start, pin, words, cable=cable, colour=colour)
            self._ends[line] = pin

    def _legs(self, wires: list[LampWire]) -> Iterator[tuple[int, Mapping[str, tuple[Pin, str]]]]:
        """The LEDs of a lamp: number, and which leg is on which line of the chip."""
        lamp = lamp_component(self._draft.profile, wires[0].lamp)
        part = self._part(wires)
        for wire in wires:
            row, common = led_pins(wire.led)
            shade = _COLOURS.get(wire.mask, "")
            alone = part != "led" or len(wires) == 1
            name, aside = (lamp, 0.0) if alone else (f"{lamp} {shade}", _ASIDE_MM[wire.mask])
            if not self._draft.has(name):
                title = f"{name}, on {self._chip}"
                self._draft.place(name, part, title, _LAMPS, at=lamp, aside_mm=aside)
            # The wire to the leg that no other LED shares names the LED.
            own, shared = (common, row) if part == "rgb-ca" else (row, common)
            words = f"{f'{lamp} {shade}'.rstrip()} (LED {wire.led}, {own})"
            legs = {
                own: (self._draft.pin(name, "anode" if part == "led" else shade), words),
                shared: (self._draft.pin(name, _COMMON_LEGS[part]), shared),
            }
            yield wire.led, {line: legs[line] for line in (row, common)}

    def _part(self, wires: list[LampWire]) -> str:
        """The LED of a lamp: one with three colours if these share the line that its common leg needs."""
        wanted = self._draft.build.leds
        rows, commons = ({wire.led % ROWS for wire in wires}, {wire.led // ROWS for wire in wires})
        fits = {"rgb-cc": len(commons) == 1, "rgb-ca": len(rows) == 1}
        return wanted if len(wires) == len(_COLOURS) and fits.get(wanted) else "led"
