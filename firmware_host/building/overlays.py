"""The GPIO lines that overlays of config.txt take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from firmware_host.building.pi_models import model_type
from firmware_host.building.pi_uarts import uarts_of

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
_SIX_BUSES = (0x11, 0x13, 0x14, 0x15)
"""The types of the Pi 4, where an overlay of a further bus has the lines above. Others have others."""


def lines_of_overlay(overlay: str, board: str) -> tuple[int, ...] | None:
    """The lines that it takes: its usual ones, or those it is given, as in `w1-gpio,gpiopin=6`."""
    name = overlay.partition(",")[0]
    return _given_lines(overlay) or {**_OVERLAYS, **uarts_of(board).overlays}.get(name)


def lines_of_bus(bus: int, overlays: Sequence[str], board: str) -> tuple[int, ...]:
    """Data and clock of an I2C bus from an overlay; empty if it is unknown which lines these are."""
    name = f"i2c{bus}"
    listed = next((each for each in overlays if each.partition(",")[0] == name), name)
    usual = _OVERLAYS.get(name, ()) if model_type(board) in _SIX_BUSES else ()
    return _given_lines(listed) or usual


def _given_lines(overlay: str) -> tuple[int, ...]:
    arguments = overlay.split(",")[1:]
    given = [argument.partition("=")[2] or argument for argument in arguments if "pin" in argument]
    return tuple(int(number) for text in given for number in _NUMBER.findall(text))
