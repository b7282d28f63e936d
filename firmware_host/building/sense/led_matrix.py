"""LEDs in the matrix of an LED chip: each is between a row, which gives current, and a common.

A common is on for an eighth of the time, so an LED with the 25 mA that a row gives looks as bright as one
with 3 mA all the time.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.lamp_wiring import led_pins
from firmware_host.building.sense.built import Built, lamp_key
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.config.profile import GPIO, LampWire
from firmware_host.config.wires import lamp_name

MOST_ROW_MA = 25
_COLOURS = 3


def _on_chips(built: Built) -> list[list[LampWire]]:
    """The wires of each lamp on a chip."""
    found: dict[int, list[LampWire]] = {}
    for wire in built.profile.lamp_wires:
        if wire.chip != GPIO:
            found.setdefault(wire.lamp, []).append(wire)
    return list(found.values())


def _coloured(built: Built, leds: str, side: int) -> Iterator[Trouble]:
    """The coloured lamps whose three LEDs do not share the line that their common leg needs."""
    for wires in _on_chips(built):
        lines = list(dict.fromkeys(led_pins(wire.led)[side] for wire in wires))
        if built.choices.leds == leds and len(wires) == _COLOURS and len(lines) > 1:
            numbers = ", ".join(str(wire.led) for wire in wires)
            name = lamp_name(built.profile, wires[0].lamp)
            key = lamp_key(built.profile, wires[0].lamp)
            yield Trouble(key, f"the LEDs {numbers} of {name} are on {' and '.join(lines)}")


def _cathodes(built: Built) -> Iterator[Trouble]:
    yield from _coloured(built, "rgb-cc", 1)


def _anodes(built: Built) -> Iterator[Trouble]:
    first, *_ = (*_coloured(built, "rgb-ca", 0), None)
    if first:
        yield first


def _hungry(built: Built) -> Iterator[Trouble]:
    if built.profile.led_chips and built.choices.led_ma > MOST_ROW_MA:
        yield Trouble("build.led-ma", f"the LEDs are made for {built.choices.led_ma} mA")


def _lit_buttons(built: Built) -> Iterator[Trouble]:
    for wires in _on_chips(built):
        name = lamp_name(built.profile, wires[0].lamp)
        if name.startswith("seat") and len(wires) == 1 and built.button.led_volts:
            wire = wires[0]
            words = f"{name} is LED {wire.led} of {wire.chip}, and its button has a lamp for"
            yield Trouble("lamps.seats", f"{words} {built.button.led_volts:g} V")


LED_MATRIX = (
    Rule(
        name="led-common-cathode",
        strength=Strength.ERROR,
        what="an RGB LED with a common cathode whose three LEDs are on several commons",
        why="its three LEDs share the leg that goes to a common, and a leg can only be at one",
        right='three LEDs with the same n / 16, or leds = "single"',
        rests_on=("leds",),
        look=_cathodes,
    ),
    Rule(
        name="led-common-anode",
        strength=Strength.ERROR,
        what="RGB LEDs with a common anode in lamps whose LEDs are on several rows",
        why="its three LEDs share the leg that goes to a row, and a leg can only be at one",
        right='leds = "rgb-cc", or three LEDs with the same n % 16 in each lamp',
        rests_on=("leds",),
        look=_anodes,
    ),
    Rule(
        name="led-current",
        strength=Strength.WARNING,
        what="LEDs made for more current than a row of an HT16K33 gives",
        why="a row gives 25 mA for an eighth of the time, so a strong LED stays dim whatever the brightness",
        right="LEDs for 20 mA that are bright at little current (high efficiency)",
        rests_on=("led_ma",),
        look=_hungry,
    ),
    Rule(
        name="button-lamp-on-led-chip",
        strength=Strength.WARNING,
        what="lamps of buttons, for 5 or 12 V, in the matrix of an LED chip",
        why="with its resistor for 5 or 12 V such a lamp gets almost nothing from a row that is on for an "
        "eighth of the time",
        right='the lamp on a GPIO line with a driver ("gpio 12"), or a bare LED beside the button',
        rests_on=("button",),
        look=_lit_buttons,
    ),
)
