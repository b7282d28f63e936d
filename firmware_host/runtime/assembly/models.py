"""Simulated devices, made as the rows of `firmware_host.device_kinds` say."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from firmware_host.device_kinds import LED_CHIPS, SIGNS
from firmware_host.runtime.assembly.drivers import loaded
from hw.sim.i2c.bus import ChipModel
from hw.uart.end import SerialEnd


class LedChipModel(ChipModel, Protocol):
    """A simulated LED chip, made without arguments."""

    on_change: Callable[[], None]
    """Called after whatever may change what is seen."""
    brightness: int

    def power_on(self) -> None:
        """The supply came back, or dipped."""

    def lit(self) -> Collection[int]:
        """The LEDs that a person sees burning."""


class SignModel(SerialEnd, Protocol):
    """A simulated sign."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person reads on it."""


def led_chip_model(kind: str) -> LedChipModel:
    """A simulated LED chip."""
    make: Callable[[], LedChipModel] = loaded(LED_CHIPS[kind].model)
    return make()


def sign_model(kind: str, columns: int) -> SignModel:
    """A simulated sign."""
    make: Callable[[int], SignModel] = loaded(SIGNS[kind].model)
    return make(columns)
