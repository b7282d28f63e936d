"""The lamps of buttons at GPIO lines: what they need, and what a line or a driver gives.

A GPIO line gives 3.3 V and at most 16 mA, all lines together 50 mA. Without a change of its drive
strength a line gives some 8 mA before its voltage drops.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.budget import GPIO_ALL_MA, GPIO_LINE_MA
from firmware_host.building.lamp_wiring import DRIVER_CHANNELS, lamp_component
from firmware_host.building.parts import PARTS
from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble

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


def _without_driver(built: Built) -> Iterator[Trouble]:
    if _undriven(built) and built.button.led_volts > _GPIO_VOLTS:
        yield Trouble("build.button-driver", f"{_told(built)}, which need {built.button.led_volts:g} V")


def _pin_ma(built: Built) -> float:
    """What a line gives to a lamp that is made for its voltage; 0 if none is."""
    fits = _undriven(built) and built.button.led_volts <= _GPIO_VOLTS
    return built.line_lamp_ma if fits else 0


def _overloads_pin(built: Built) -> Iterator[Trouble]:
    if _pin_ma(built) > GPIO_LINE_MA:
        yield Trouble("build.button-led-ma", f"{_told(built)} with {_pin_ma(built):g} mA each")


def _strains_pin(built: Built) -> Iterator[Trouble]:
    if _EASY_PIN_MA < _pin_ma(built) <= GPIO_LINE_MA:
        yield Trouble("build.button-led-ma", f"{_told(built)} with {_pin_ma(built):g} mA each")


def _overloads_bank(built: Built) -> Iterator[Trouble]:
    count = len(built.gpio_lamps)
    total = count * _pin_ma(built)
    if total > GPIO_ALL_MA:
        yield Trouble(
            "build.button-driver", f"{_told(built)}: {count} of {_pin_ma(built):g} mA are {total:g} mA"
        )


def _lamp_ma(built: Built, lamp: int) -> float:
    """What a lamp takes through a driver: that of a button by its own resistor, any other through 330 ohm."""
    at_seat = lamp_component(built.profile, lamp).removeprefix("lamp ").isdigit()
    if at_seat and built.button.led_ma:
        return built.choices.button_led_ma or built.button.led_ma
    return PARTS["resistor-330"].most_ma


def _overloads_driver(built: Built) -> Iterator[Trouble]:
    lamps = built.gpio_lamps if built.choices.button_driver != "none" else ()
    for start in range(0, len(lamps), DRIVER_CHANNELS):
        each = [_lamp_ma(built, wire.lamp) for wire in lamps[start : start + DRIVER_CHANNELS]]
        if max(each) > _CHANNEL_MA or sum(each) > _DRIVER_MA:
            driver = f"driver {start // DRIVER_CHANNELS + 1}"
            sums = f"up to {max(each):g} mA a channel, {sum(each):g} mA in all"
            yield Trouble("build.button-led-ma", f"{driver}, a ULN2003, switches {sums}")


def _glows(built: Built) -> Iterator[Trouble]:
    for wire in built.gpio_lamps:
        if wire.led in _PULLED_UP_AT_BOOT:
            key, name = built.lines[wire.led]
            yield Trouble(key, f"GPIO {wire.led}, the {name}, is pulled up from power-on")


_DRIVER = 'button-driver = "uln2003", which switches 12 V as well as 5 V and takes little from the line'

BUTTON_LAMPS = (
    Rule(
        name="button-lamp-without-driver",
        strength=Strength.ERROR,
        what="arcade lamps for 5 or 12 V at GPIO lines without a driver",
        why="a GPIO line gives 3.3 V and tolerates no more: the lamp stays dark, and switched against 5 V "
        "its "
        "voltage gets into the line",
        right=_DRIVER,
        rests_on=("button_driver", "button"),
        look=_without_driver,
    ),
    Rule(
        name="button-lamp-overloads-pin",
        strength=Strength.ERROR,
        what="a lamp with more than 16 mA at a GPIO line",
        why="a GPIO line is made for 16 mA at most; more ages it, and a Pi can't be repaired",
        right=_DRIVER,
        rests_on=("button_driver", "button", "button_led_ma"),
        look=_overloads_pin,
    ),
    Rule(
        name="button-lamp-strains-pin",
        strength=Strength.WARNING,
        what="a lamp with 8 to 16 mA at a GPIO line",
        why="with its usual drive strength a line gives some 8 mA; beyond, its voltage drops and the lamp "
        "gets dim",
        right="a larger resistor in the wire of the lamp (5 mA are bright enough), or a driver",
        rests_on=("button_driver", "button", "button_led_ma"),
        look=_strains_pin,
    ),
    Rule(
        name="gpio-bank-current",
        strength=Strength.ERROR,
        what="lamps at GPIO lines that together take more than 50 mA",
        why="all GPIO lines share one supply inside the Pi, which is made for 50 mA in all",
        right=_DRIVER,
        rests_on=("button_driver", "button", "button_led_ma"),
        look=_overloads_bank,
    ),
    Rule(
        name="driver-overloaded",
        strength=Strength.ERROR,
        what="lamps that take more than 500 mA from a channel of a ULN2003, or more than 1 A from all of one",
        why="a channel is made for 500 mA, and each ampere leaves about a watt of heat in the chip, which "
        "is as much as it stands",
        right="lamps with less current, or a MOSFET for each of them",
        rests_on=("button_driver", "button", "button_led_ma"),
        look=_overloads_driver,
    ),
    Rule(
        name="lamp-glows-at-boot",
        strength=Strength.WARNING,
        what="lamps on GPIO 0 to 8",
        why="these lines are pulled up from power-on, which is enough for a driver: the lamp is on until "
        "the table has started",
        right="a line from GPIO 9 on, which is pulled down meanwhile",
        look=_glows,
    ),
)
