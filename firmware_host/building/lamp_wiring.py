"""Lamps: LEDs in the matrix of an LED chip, and lamps on lines of the Pi.

LED n of an HT16K33 is between row n % 16 (its plus) and common n / 16 (its minus). A row leads from the chip
to its first LED and from there to the next one; a common does the same. So each leg of an LED has one wire
coming in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from firmware_host.building.contact_wiring import seat_cable
from firmware_host.building.draft import PI, Draft
from firmware_host.building.parts import BUTTON_PARTS
from firmware_host.building.plan import Pin, Rail, Section
from firmware_host.config.lamp_reading import BLUE, GREEN, RED
from firmware_host.config.profile import GPIO, LampWire, Profile
from firmware_host.config.wires import lamp_name

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


def wire_lamps(draft: Draft) -> None:
    """All lamps of the table."""
    on_lines = [wire for wire in draft.profile.lamp_wires if wire.chip == GPIO]
    for number, wire in enumerate(on_lines):
        _line_lamp(draft, wire, number)
    for chip in draft.profile.led_chips:
        _Matrix(draft, chip.name).wire([wire for wire in draft.profile.lamp_wires if wire.chip == chip.name])


# -- on lines of the Pi


def _line_lamp(draft: Draft, wire: LampWire, number: int) -> None:
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


def _resistor(draft: Draft, lamp: str, plus: Pin, cable: str) -> Pin:
    """A resistor before the plus of an LED; gives its other end."""
    name = f"resistor {lamp.removeprefix('lamp ')}"
    draft.place(name, "resistor-330", f"resistor of {lamp}", _LAMPS, at=lamp)
    draft.wire(draft.pin(name, "2"), plus, lamp, cable=cable)
    return draft.pin(name, "1")


def _driver(draft: Draft, line: Pin, lamp: str, number: int) -> Pin:
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

    def __init__(self, draft: Draft, chip: str) -> None:
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
