"""Drivers, made as the rows of `firmware_host.device_kinds` say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol

from firmware_host.config.profile import GPIO, LedChip, Profile
from firmware_host.device_kinds import LED_CHIPS, SIGNS
from hw.i2c.chip_driver import ChipDriver
from hw.ports import LedPanel, LedWire
from hw.scoreboard.serial_sign import SerialSign


class LedChipDriver(ChipDriver, LedPanel, Protocol):
    """The driver of an LED chip, made from its name, address, wires and usual brightness."""

    def dim(self, brightness: int | None) -> None:
        """Burn that brightly from now on, from 0 to 15; None is the usual brightness."""


def led_chip_driver(chip: LedChip, profile: Profile) -> LedChipDriver:
    """The driver of an LED chip."""
    make: Callable[[str, int, Sequence[LedWire], int], LedChipDriver] = loaded(LED_CHIPS[chip.kind].driver)
    return make(chip.name, chip.address, led_wires(profile, chip.name), chip.brightness)


def led_wires(profile: Profile, chip: str = GPIO) -> list[LedWire]:
    """The wires from lamps to the LEDs of a chip, or to GPIO lines."""
    return [LedWire(wire.lamp, wire.mask, wire.led) for wire in profile.lamp_wires if wire.chip == chip]


def sign_driver(kind: str, columns: int, charset: str = "") -> SerialSign:
    """The encoder for a sign; without a charset it has the usual one."""
    row = SIGNS[kind]
    make: Callable[[int, str], SerialSign] = loaded(row.driver)
    return make(columns, charset or row.charsets[0])


def loaded(name: str) -> Any:
    """What a row names as `module:name`."""
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
