"""The electrical model of the I2C bus: who pulls it up, how far, and what has to be charged each time.

Each chip only pulls the bus to ground; resistors pull it up. The specification (UM10204) asks three
things. Low must be 0.4 V with 3 mA, so all pull-ups together may give no more than 3 mA. High must be
reached within 1 us at 100 kHz and 0.3 us at 400 kHz; from 30 to 70 per cent that takes 0.8473 R C. And C,
of cables and pins, may be at most 400 pF.

With a level shifter there are two halves with pull-ups of their own. A low passes through it, so who
pulls one half low takes the current of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from firmware_host.building.bus_wiring import SHIFTER
from firmware_host.building.sense.built import Built
from firmware_host.config.boards import lines_of

PI_VOLTS = 3.3
LOW_VOLTS = 0.4
MOST_SINK_MA = 3.0
MOST_PF = 400
RISE_NS = {100: 1000, 400: 300}
"""The longest rise at each speed in kHz."""
_RISE = 0.8473
_PF_A_METRE = 100
_PF_A_CHIP = 10
_BREAKOUT_OHM = 10_000
"""The usual pull-ups of LED chips on breakouts, and of each side of a level shifter with BSS138."""
_PI_OHM = 1_800
_HEADER_BUS = 1


class PullUp(NamedTuple):
    """A resistor from data or clock to a supply."""

    volts: float
    ohm: float


@dataclass(frozen=True, slots=True)
class BusHalf:
    """The part of the bus on one side of the level shifter, or all of it."""

    name: str
    pull_ups: tuple[PullUp, ...]
    mm: int
    chips: int

    @property
    def ohm(self) -> float:
        """All pull-ups together."""
        return parallel(pull_up.ohm for pull_up in self.pull_ups)

    @property
    def sink_ma(self) -> float:
        """What flows into a chip that pulls it low."""
        return sum((pull_up.volts - LOW_VOLTS) / pull_up.ohm * 1000 for pull_up in self.pull_ups)

    @property
    def high_volts(self) -> float:
        """Where the pull-ups lift it while nothing pulls it low."""
        return self.ohm * sum(pull_up.volts / pull_up.ohm for pull_up in self.pull_ups)

    @property
    def picofarads(self) -> float:
        """The capacitance of cables and pins."""
        return self.mm / 1000 * _PF_A_METRE + self.chips * _PF_A_CHIP

    @property
    def rise_ns(self) -> float:
        """How long it takes from low to high; for ever without pull-ups."""
        return _RISE * self.ohm * self.picofarads / 1000


def parallel(resistors_ohm: Iterable[float]) -> float:
    """Resistors side by side as one; infinite without any."""
    siemens = sum(1 / ohm for ohm in resistors_ohm)
    return 1 / siemens if siemens else float("inf")


def chip_pull_up(built: Built, name: str) -> int:
    """The pull-ups at a chip; 0 if there are none. An expander usually is a bare chip without any."""
    on_breakout = any(chip.name == name for chip in built.profile.led_chips)
    return built.choices.pull_ups_ohm.get(name, _BREAKOUT_OHM if on_breakout else 0)


def halves(built: Built) -> tuple[BusHalf, ...]:
    """The bus of the Pi, and behind a level shifter that of the LED chips; empty without any chip."""
    banks = [bank.name for bank in built.profile.banks]
    leds = [chip.name for chip in built.profile.led_chips]
    of_chips = _of_chips(built, banks, built.choices.expander_volts)
    of_leds = _of_chips(built, leds, built.choices.led_chip_volts)
    if not banks and not leds:
        return ()
    if not leds or not built.choices.level_shifter:
        return (_half(built, "the bus", [*banks, *leds], [*_of_pi(built), *of_chips, *of_leds]),)
    near, far = (PullUp(volts, _BREAKOUT_OHM) for volts in (PI_VOLTS, built.choices.led_chip_volts))
    return (
        _half(built, "the bus on the side of the Pi", [*banks, SHIFTER], [*_of_pi(built), near, *of_chips]),
        _half(built, "the bus behind the level shifter", leds, [far, *of_leds]),
    )


def _half(built: Built, name: str, chips: list[str], pull_ups: list[PullUp]) -> BusHalf:
    length = sum(built.bus_mm.get(chip, 0) for chip in chips)
    return BusHalf(name, tuple(pull_ups), length, len(chips) + 1)


def _of_chips(built: Built, chips: list[str], volts: float) -> list[PullUp]:
    return [PullUp(volts, ohm) for ohm in (chip_pull_up(built, chip) for chip in chips) if ohm]


def _of_pi(built: Built) -> list[PullUp]:
    """The pull-ups that the Pi itself has: at GPIO 2 and 3, but not on the Compute Modules on a DIMM."""
    has_some = built.profile.i2c_bus == _HEADER_BUS and not on_a_dimm(built)
    return [PullUp(PI_VOLTS, _PI_OHM)] if has_some else []


def on_a_dimm(built: Built) -> bool:
    """Whether the Pi is a Compute Module that brings out GPIO 28 to 45, and has no pull-ups of its own."""
    return lines_of(built.profile.board).last > 27
