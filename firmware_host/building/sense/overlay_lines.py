"""Lines that overlays of config.txt and the sound take."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.building.sense.pi_uarts import uarts_of
from firmware_host.config.wires import BUS_LINES, bus_lines

_NUMBER = re.compile(r"[0-9]{1,2}")
I2S_LINES = (18, 19, 20, 21)
PWM_LINES = (12, 13)
_HARMLESS = ("disable-bt", "miniuart-bt", "disable-wifi", "vc4-kms-v3d", "dwc2", "i2c-rtc")
_OVERLAYS: Mapping[str, tuple[int, ...]] = {
    **dict.fromkeys(_HARMLESS, ()),
    **dict.fromkeys(("hifiberry-dac", "max98357a", "i2s-dac", "googlevoicehat-soundcard"), I2S_LINES),
    **dict.fromkeys(("spi", "spi0-2cs"), (7, 8, 9, 10, 11)),
    "spi0-1cs": (8, 9, 10, 11),
    "spi1-1cs": (18, 19, 20, 21),
    "spi1-2cs": (17, 18, 19, 20, 21),
    "spi1-3cs": (16, 17, 18, 19, 20, 21),
    "audremap": PWM_LINES,
    "w1-gpio": (4,),
    "dht11": (4,),
    "gpio-fan": (12,),
    "gpio-ir": (18,),
    "gpio-shutdown": (3,),
    "pwm": (18,),
    "pwm-2chan": (18, 19),
    "i2c0": (0, 1),
    "i2c3": (4, 5),
    "i2c4": (8, 9),
    "i2c5": (12, 13),
    "i2c6": (22, 23),
}
"""The lines that each takes if it is not given others."""


def _taken(built: Built, lines: tuple[int, ...]) -> Iterator[tuple[int, str, str]]:
    bus = {line: ("i2c.bus", name) for line, name in bus_lines(built.profile).items()}
    used = bus | built.lines
    yield from ((line, *used[line]) for line in lines if line in used)


def _overlay_lines(built: Built, overlay: str) -> tuple[int, ...] | None:
    """The lines that it takes: its usual ones, or those it is given, as in `w1-gpio,gpiopin=6`."""
    name, *arguments = overlay.split(",")
    given = [argument.partition("=")[2] or argument for argument in arguments if "pin" in argument]
    lines = tuple(int(number) for text in given for number in _NUMBER.findall(text))
    return lines or {**_OVERLAYS, **uarts_of(built).overlays}.get(name)


def _overlays(built: Built) -> Iterator[Trouble]:
    for overlay in built.choices.overlays:
        for line, key, name in _taken(built, _overlay_lines(built, overlay) or ()):
            yield Trouble(key, f"GPIO {line}, {name}, is taken by the overlay {overlay}")


def _unknown(built: Built) -> Iterator[Trouble]:
    for overlay in built.choices.overlays:
        if _overlay_lines(built, overlay) is None:
            yield Trouble(
                "build.overlays",
                f"it is unknown which lines the overlay {overlay} takes on a {built.model.name}",
            )


def _bus(built: Built) -> Iterator[Trouble]:
    overlay = f"i2c{built.profile.i2c_bus}"
    listed = any(each.split(",")[0] == overlay for each in built.choices.overlays)
    if built.bus_mm and built.profile.i2c_bus not in BUS_LINES and not listed:
        for line, key, name in _taken(built, _OVERLAYS.get(overlay, ())):
            yield Trouble(key, f"GPIO {line}, {name}, is a line of I2C bus {built.profile.i2c_bus}")


def _sound(built: Built) -> Iterator[Trouble]:
    listed = any(_overlay_lines(built, each) == I2S_LINES for each in built.choices.overlays)
    if built.choices.speaker == "i2s" and not listed:
        for line, key, name in _taken(built, I2S_LINES):
            yield Trouble(key, f"GPIO {line}, {name}, is a line of the I2S amplifier")


def _no_jack(built: Built) -> Iterator[Trouble]:
    if built.choices.speaker == "jack" and not built.model.jack:
        yield Trouble("build.speaker", f"a {built.model.name} has no headphone socket")


_WHY = "an overlay gives its lines to a part of the chip that drives them itself, whatever is wired there"

RULES = (
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
