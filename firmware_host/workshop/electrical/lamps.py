"""Lamps: those of buttons at GPIO lines, and LEDs in the matrix of an LED chip."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.profile.profile import GPIO, LampWire, lamp_name
from firmware_host.workshop.electrical.built import Built, Trouble, error, lamp_key, warning
from firmware_host.workshop.plan.budget import GPIO_ALL_MA, GPIO_LINE_MA
from firmware_host.workshop.plan.parts import PARTS
from firmware_host.workshop.plan.wiring import DRIVER_CHANNELS, lamp_component, led_pins

# The lamps of buttons at GPIO lines: what they need, and what a line or a driver gives.
#
# A GPIO line gives 3.3 V and at most 16 mA, all lines together 50 mA. Without a change of its drive
# strength a line gives some 8 mA before its voltage drops.

_EASY_PIN_MA = 8
_GPIO_VOLTS = 3.3
_CHANNEL_MA, _DRIVER_MA = 500, 1000
"""What a channel of a ULN2003 takes, and all of them together when they are on for long."""
_PULLED_UP_AT_BOOT = range(9)
"""Lines that a pull-up inside the chip pulls high from power-on until something else is set."""


def _undriven(built: Built) -> bool:
    """Whether lines of the Pi feed lamps of buttons themselves."""
    return bool(built.gpio_lamps) and built.choices.button_driver == "none"


def _told(built: Built) -> str:
    return f"GPIO lines feed the lamps of {built.choices.button} buttons"


def _pin_ma(built: Built) -> float:
    """What a line gives to a lamp that is made for its voltage; 0 if none is."""
    fits = _undriven(built) and built.button.led_volts <= _GPIO_VOLTS
    return built.line_lamp_ma if fits else 0


def _lamp_ma(built: Built, lamp: int) -> float:
    """What a lamp takes through a driver: that of a button by its own resistor, any other through 330 ohm."""
    at_seat = lamp_component(built.profile, lamp).removeprefix("lamp ").isdigit()
    if at_seat and built.button.led_ma:
        return built.choices.button_led_ma or built.button.led_ma
    return PARTS["resistor-330"].most_ma


_DRIVER = 'button-driver = "uln2003", which switches 12 V as well as 5 V and takes little from the line'


@error(
    what="arcade lamps for 5 or 12 V at GPIO lines without a driver",
    why="a GPIO line gives 3.3 V and tolerates no more: the lamp stays dark, and switched against 5 V "
    "its "
    "voltage gets into the line",
    right=_DRIVER,
    rests_on=("button_driver", "button"),
)
def button_lamp_without_driver(built: Built) -> Iterator[Trouble]:
    if _undriven(built) and built.button.led_volts > _GPIO_VOLTS:
        yield Trouble("build.button-driver", f"{_told(built)}, which need {built.button.led_volts:g} V")


@error(
    what="a lamp with more than 16 mA at a GPIO line",
    why="a GPIO line is made for 16 mA at most; more ages it, and a Pi can't be repaired",
    right=_DRIVER,
    rests_on=("button_driver", "button", "button_led_ma"),
)
def button_lamp_overloads_pin(built: Built) -> Iterator[Trouble]:
    if _pin_ma(built) > GPIO_LINE_MA:
        yield Trouble("build.button-led-ma", f"{_told(built)} with {_pin_ma(built):g} mA each")


@warning(
    what="a lamp with 8 to 16 mA at a GPIO line",
    why="with its usual drive strength a line gives some 8 mA; beyond, its voltage drops and the lamp "
    "gets dim",
    right="a larger resistor in the wire of the lamp (5 mA are bright enough), or a driver",
    rests_on=("button_driver", "button", "button_led_ma"),
)
def button_lamp_strains_pin(built: Built) -> Iterator[Trouble]:
    if _EASY_PIN_MA < _pin_ma(built) <= GPIO_LINE_MA:
        yield Trouble("build.button-led-ma", f"{_told(built)} with {_pin_ma(built):g} mA each")


@error(
    what="lamps at GPIO lines that together take more than 50 mA",
    why="all GPIO lines share one supply inside the Pi, which is made for 50 mA in all",
    right=_DRIVER,
    rests_on=("button_driver", "button", "button_led_ma"),
)
def gpio_bank_current(built: Built) -> Iterator[Trouble]:
    count = len(built.gpio_lamps)
    total = count * _pin_ma(built)
    if total > GPIO_ALL_MA:
        yield Trouble(
            "build.button-driver", f"{_told(built)}: {count} of {_pin_ma(built):g} mA are {total:g} mA"
        )


@error(
    what="lamps that take more than 500 mA from a channel of a ULN2003, or more than 1 A from all of one",
    why="a channel is made for 500 mA, and each ampere leaves about a watt of heat in the chip, which "
    "is as much as it stands",
    right="lamps with less current, or a MOSFET for each of them",
    rests_on=("button_driver", "button", "button_led_ma"),
)
def driver_overloaded(built: Built) -> Iterator[Trouble]:
    lamps = built.gpio_lamps if built.choices.button_driver != "none" else ()
    for start in range(0, len(lamps), DRIVER_CHANNELS):
        each = [_lamp_ma(built, wire.lamp) for wire in lamps[start : start + DRIVER_CHANNELS]]
        if max(each) > _CHANNEL_MA or sum(each) > _DRIVER_MA:
            driver = f"driver {start // DRIVER_CHANNELS + 1}"
            sums = f"up to {max(each):g} mA a channel, {sum(each):g} mA in all"
            yield Trouble("build.button-led-ma", f"{driver}, a ULN2003, switches {sums}")


@warning(
    what="lamps on GPIO 0 to 8",
    why="these lines are pulled up from power-on, which is enough for a driver: the lamp is on until "
    "the table has started",
    right="a line from GPIO 9 on, which is pulled down meanwhile",
)
def lamp_glows_at_boot(built: Built) -> Iterator[Trouble]:
    for wire in built.gpio_lamps:
        if wire.led in _PULLED_UP_AT_BOOT:
            key, name = built.lines[wire.led]
            yield Trouble(key, f"GPIO {wire.led}, the {name}, is pulled up from power-on")


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


@error(
    what="an RGB LED with a common cathode whose three LEDs are on several commons",
    why="its three LEDs share the leg that goes to a common, and a leg can only be at one",
    right='three LEDs with the same n / 16, or leds = "single"',
    rests_on=("leds",),
)
def led_common_cathode(built: Built) -> Iterator[Trouble]:
    yield from _coloured(built, "rgb-cc", 1)


@error(
    what="RGB LEDs with a common anode in lamps whose LEDs are on several rows",
    why="its three LEDs share the leg that goes to a row, and a leg can only be at one",
    right='leds = "rgb-cc", or three LEDs with the same n % 16 in each lamp',
    rests_on=("leds",),
)
def led_common_anode(built: Built) -> Iterator[Trouble]:
    first, *_ = (*_coloured(built, "rgb-ca", 0), None)
    if first:
        yield first


@warning(
    what="LEDs made for more current than a row of an HT16K33 gives",
    why="a row gives 25 mA for an eighth of the time, so a strong LED stays dim whatever the brightness",
    right="LEDs for 20 mA that are bright at little current (high efficiency)",
    rests_on=("led_ma",),
)
def led_current(built: Built) -> Iterator[Trouble]:
    if built.profile.led_chips and built.choices.led_ma > MOST_ROW_MA:
        yield Trouble("build.led-ma", f"the LEDs are made for {built.choices.led_ma} mA")


@warning(
    what="lamps of buttons, for 5 or 12 V, in the matrix of an LED chip",
    why="with its resistor for 5 or 12 V such a lamp gets almost nothing from a row that is on for an "
    "eighth of the time",
    right='the lamp on a GPIO line with a driver ("gpio 12"), or a bare LED beside the button',
    rests_on=("button",),
)
def button_lamp_on_led_chip(built: Built) -> Iterator[Trouble]:
    for wires in _on_chips(built):
        name = lamp_name(built.profile, wires[0].lamp)
        if name.startswith("seat") and len(wires) == 1 and built.button.led_volts:
            wire = wires[0]
            words = f"{name} is LED {wire.led} of {wire.chip}, and its button has a lamp for"
            yield Trouble("lamps.seats", f"{words} {built.button.led_volts:g} V")
