"""GPIO lines that something on the Pi itself already uses, pulls or drives."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.profile.profile import BUS_LINES, bus_lines
from firmware_host.workshop.electrical.built import Built, Rule, Strength, Trouble
from firmware_host.workshop.electrical.bus import on_a_dimm
from firmware_host.workshop.plan.budget import GPIO_ALL_MA, GPIO_LINE_MA
from firmware_host.workshop.plan.parts import PARTS
from firmware_host.workshop.plan.pi_models import I2S_LINES, lines_of_overlay
from firmware_host.workshop.plan.wiring import DRIVER_CHANNELS, lamp_component

_BUS_PINS = (2, 3)
_WAKE_PIN = 3
_CONSOLE_PINS = (14, 15)
_ID_PINS = (0, 1)


def _at(built: Built, lines: tuple[int, ...], what: str) -> Iterator[Trouble]:
    for line in lines:
        if line in built.lines:
            key, name = built.lines[line]
            yield Trouble(key, f"GPIO {line}, {name}, {what}")


def _pulled_both_ways(built: Built) -> Iterator[Trouble]:
    if built.profile.pull == "down" and not on_a_dimm(built):
        lines = tuple(line for line in _BUS_PINS if line in built.profile.direct_lines)
        yield from _at(built, lines, "has a pull-up on the Pi, and is to be pulled down")


def _wakes(built: Built) -> Iterator[Trouble]:
    if _WAKE_PIN in built.profile.direct_lines and not on_a_dimm(built):
        yield from _at(built, (_WAKE_PIN,), "also starts a Pi that was shut down")


def _console(built: Built) -> Iterator[Trouble]:
    yield from _at(built, _CONSOLE_PINS, "belongs to the serial console")


def _probed(built: Built) -> Iterator[Trouble]:
    if not on_a_dimm(built):
        yield from _at(built, _ID_PINS, "is used when the Pi looks for the EEPROM of a HAT")


FIXED_LINES = (
    Rule(
        name="pull-down-against-pull-up",
        strength=Strength.ERROR,
        what='pull = "down" with a button or sensor on GPIO 2 or 3',
        why="the Pi has 1.8 kohm to 3.3 V on these two lines, against which a pull-down of 50 kohm does "
        "nothing",
        right='another line, or pull = "up"',
        look=_pulled_both_ways,
    ),
    Rule(
        name="wake-line",
        strength=Strength.WARNING,
        what="a button or sensor on GPIO 3",
        why="up to a Pi 4, one that was shut down starts again when GPIO 3 goes to ground, as with every "
        "press",
        right="another line",
        look=_wakes,
    ),
    Rule(
        name="console-line",
        strength=Strength.WARNING,
        what="something on GPIO 14 or 15",
        why="if the serial console is on, GPIO 14 sends its messages while the Pi starts; a button shorts "
        "it, a "
        "lamp flickers",
        right="another line, or switch off the serial console (raspi-config) and leave it off",
        look=_console,
    ),
    Rule(
        name="hat-line",
        strength=Strength.WARNING,
        what="something on GPIO 0 or 1 of a Compute Module 4 or 5 (on a header they are refused)",
        why="at each start the firmware sends on these two lines to look for the EEPROM of a HAT",
        right="another line",
        look=_probed,
    ),
)


def _taken(built: Built, lines: tuple[int, ...]) -> Iterator[tuple[int, str, str]]:
    bus = {line: ("i2c.bus", name) for line, name in bus_lines(built.profile).items()}
    used = bus | built.lines
    yield from ((line, *used[line]) for line in lines if line in used)


def _overlays(built: Built) -> Iterator[Trouble]:
    for overlay in built.choices.overlays:
        for line, key, name in _taken(built, lines_of_overlay(overlay, built.profile.board) or ()):
            yield Trouble(key, f"GPIO {line}, {name}, is taken by the overlay {overlay}")


def _unknown(built: Built) -> Iterator[Trouble]:
    for overlay in built.choices.overlays:
        if lines_of_overlay(overlay, built.profile.board) is None:
            yield Trouble(
                "build.overlays",
                f"it is unknown which lines the overlay {overlay} takes on a {built.model.name}",
            )


def _bus(built: Built) -> Iterator[Trouble]:
    overlay = f"i2c{built.profile.i2c_bus}"
    listed = any(each.split(",")[0] == overlay for each in built.choices.overlays)
    if built.bus_mm and built.profile.i2c_bus not in BUS_LINES and not listed:
        for line, key, name in _taken(built, lines_of_overlay(overlay, built.profile.board) or ()):
            yield Trouble(key, f"GPIO {line}, {name}, is a line of I2C bus {built.profile.i2c_bus}")


def _sound(built: Built) -> Iterator[Trouble]:
    listed = any(lines_of_overlay(each, built.profile.board) == I2S_LINES for each in built.choices.overlays)
    if built.choices.speaker == "i2s" and not listed:
        for line, key, name in _taken(built, I2S_LINES):
            yield Trouble(key, f"GPIO {line}, {name}, is a line of the I2S amplifier")


def _no_jack(built: Built) -> Iterator[Trouble]:
    if built.choices.speaker == "jack" and not built.model.jack:
        yield Trouble("build.speaker", f"a {built.model.name} has no headphone socket")


_WHY = "an overlay gives its lines to a part of the chip that drives them itself, whatever is wired there"

OVERLAY_LINES = (
    Rule(
        name="overlay-takes-line",
        strength=Strength.ERROR,
        what="a line that an overlay of config.txt takes: SPI, I2S, PWM, 1-Wire, UARTs",
        why=_WHY,
        right="another line, or without that overlay",
        rests_on=("overlays",),
        look=_overlays,
    ),
    Rule(
        name="overlay-unknown",
        strength=Strength.WARNING,
        what="an overlay that is not in the list of this program, or not one for this Pi",
        why=_WHY,
        right="look up its lines in /boot/firmware/overlays/README, and keep them free",
        rests_on=("overlays",),
        look=_unknown,
    ),
    Rule(
        name="bus-takes-line",
        strength=Strength.ERROR,
        what="a line of an I2C bus from an overlay (3 to 6)",
        why=_WHY,
        right="another line, or bus = 1",
        rests_on=("overlays",),
        look=_bus,
    ),
    Rule(
        name="sound-takes-line",
        strength=Strength.ERROR,
        what="a line that an I2S amplifier takes: GPIO 18 to 21",
        why="the Pi sends the sound on these lines a million times a second, whatever else is wired there",
        right='other lines, or a USB sound card: speaker = "usb-speaker"',
        rests_on=("speaker",),
        look=_sound,
    ),
    Rule(
        name="headphone-socket-missing",
        strength=Strength.ERROR,
        what="a loudspeaker at the headphone socket of a Pi that has none",
        why="a Pi 5, a Pi 400, each Zero and each Compute Module has no headphone socket",
        right='speaker = "usb-speaker"',
        rests_on=("speaker",),
        look=_no_jack,
    ),
)


_STRONGEST_OHM = 330


def _floats(built: Built) -> Iterator[Trouble]:
    if built.profile.pull == "floating" and not built.choices.contact_pull_up_ohm:
        yield Trouble("gpio.pull", "nothing pulls the lines of buttons and sensors while they are open")


def _too_strong(built: Built) -> Iterator[Trouble]:
    sensors = built.choices.hall_pull_up_ohm if built.has_halls and built.profile.banks else 0
    for choice, ohm in (("contact", built.choices.contact_pull_up_ohm), ("hall", sensors)):
        if 0 < ohm < _STRONGEST_OHM:
            words = f"a closed contact carries {3300 / ohm:.0f} mA from 3.3 V"
            yield Trouble(f"build.{choice}-pull-up-ohm", words)


CONTACTS = (
    Rule(
        name="contact-floating",
        strength=Strength.ERROR,
        what='pull = "floating" without pull-ups of your own',
        why="an open line that nothing pulls picks up its neighbours and the mains, and presses by itself",
        right='pull = "up", or resistors of 1 to 10 kohm to 3.3 V: contact-pull-up-ohm = 4700',
        rests_on=("contact_pull_up_ohm",),
        look=_floats,
    ),
    Rule(
        name="contact-pull-up-strong",
        strength=Strength.WARNING,
        what="pull-ups of buttons and sensors below 330 ohm",
        why="each closed contact takes more than 10 mA from the 3.3 V of the Pi, and heats the output of a "
        "sensor",
        right="1 to 10 kohm",
        rests_on=("contact_pull_up_ohm", "hall_pull_up_ohm"),
        look=_too_strong,
    ),
)


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
