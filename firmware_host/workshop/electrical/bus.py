"""The I2C bus: an electrical model of it, and rules for its chips, its pull-ups and its speed.

Each chip only pulls the bus to ground; resistors pull it up. The specification (UM10204) asks three
things. Low must be 0.4 V with 3 mA, so all pull-ups together may give no more than 3 mA. High must be
reached within 1 us at 100 kHz and 0.3 us at 400 kHz; from 30 to 70 per cent that takes 0.8473 R C. And C,
of cables and pins, may be at most 400 pF.

With a level shifter there are two halves with pull-ups of their own. A low passes through it, so who
pulls one half low takes the current of both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from firmware_host.model.plain_text import both
from firmware_host.profile.pins import lines_of
from firmware_host.workshop.electrical.built import Built, Trouble, error, warning
from firmware_host.workshop.plan.wiring import SHIFTER

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


MOST_VOLTS = 3.6
"""What a line of a Pi, or a chip beside it, tolerates."""


@error(
    what="an MCP23017 at 5 V",
    why="the interrupt pin of an MCP23017 drives 5 V into a GPIO line until the table has set it up, "
    "and the chip takes for high "
    "only what is above 4 V (0.8 of its supply), which the bus does not reach",
    right="expander-volts = 3.3",
    rests_on=("expander_volts",),
)
def expander_at_5v(built: Built) -> Iterator[Trouble]:
    if built.profile.banks and built.choices.expander_volts > MOST_VOLTS:
        yield Trouble("build.expander-volts", f"the expanders have {built.choices.expander_volts:g} V")


_LEAST_VOLTS = 4.5


def _bare(built: Built) -> bool:
    """Whether chips at 5 V are on the bus without anything between."""
    return built.choices.led_chip_volts >= _LEAST_VOLTS and not built.choices.level_shifter


def _pulled_up(built: Built) -> list[str]:
    """The LED chips whose breakouts have pull-ups."""
    return [chip.name for chip in built.profile.led_chips if chip_pull_up(built, chip.name)]


@warning(
    what="an HT16K33 at 3.3 V",
    why="an HT16K33 is specified from 4.5 V on; below, green and blue LEDs, which need 3 V themselves, "
    "get pale",
    right="led-chip-volts = 5.0, behind a level shifter",
    rests_on=("led_chip_volts",),
)
def led_chip_supply(built: Built) -> Iterator[Trouble]:
    if built.profile.led_chips and built.choices.led_chip_volts < _LEAST_VOLTS:
        yield Trouble("build.led-chip-volts", f"the LED chips have {built.choices.led_chip_volts:g} V")


@error(
    what="pull-ups of an HT16K33 breakout that lead 5 V to the Pi",
    why="a GPIO line tolerates 3.3 V; these pull-ups lift it higher, and feed a Pi that is off "
    "through its "
    "protection",
    right="a level shifter for I2C (BSS138) between the Pi and all LED chips",
    rests_on=("level_shifter",),
)
def led_chip_on_bare_bus(built: Built) -> Iterator[Trouble]:
    names = _pulled_up(built)
    if _bare(built) and names:
        (bus,) = halves(built)
        lifted = f"pull-ups to 5 V at {both(names)} lift the bus to {bus.high_volts:.2f} V"
        yield Trouble("build.level-shifter", f"{lifted}, and nothing is between it and the Pi")


@warning(
    what="an HT16K33 at 5 V on a bus of 3.3 V, its pull-ups removed",
    why="at 5 V an HT16K33 takes for high what is above 3.5 V (0.7 of its supply), and the bus only "
    "reaches 3.3 V",
    right="a level shifter for I2C (BSS138) between the Pi and all LED chips",
    rests_on=("level_shifter",),
)
def led_chip_hears_too_little(built: Built) -> Iterator[Trouble]:
    if _bare(built) and built.profile.led_chips and not _pulled_up(built):
        yield Trouble(
            "build.level-shifter", "the LED chips have 5 V, the bus has 3.3 V, and nothing is between"
        )


_DEADLY_MA = 2 * MOST_SINK_MA


def _sink_ma(built: Built) -> float:
    return sum(half.sink_ma for half in halves(built))


def _told(built: Built) -> Trouble:
    count = sum(len(half.pull_ups) for half in halves(built))
    return Trouble("build.pull-ups", f"{count} pull-ups together give {_sink_ma(built):.1f} mA at 0.4 V")


_WHY = "each chip has to pull all pull-ups low at once, and is only specified for 3 mA at 0.4 V"
_RIGHT = "remove the pull-ups of all breakouts but one on each side: 0 for the others in [build.pull-ups]"


@warning(
    what="pull-ups of the I2C bus that together give more than 3 mA",
    why=_WHY,
    right=_RIGHT,
    rests_on=("pull_ups_ohm",),
)
def bus_pull_ups_strong(built: Built) -> Iterator[Trouble]:
    if MOST_SINK_MA < _sink_ma(built) <= _DEADLY_MA:
        yield _told(built)


@error(
    what="pull-ups of the I2C bus that together give more than 6 mA",
    why=_WHY,
    right=_RIGHT,
    rests_on=("pull_ups_ohm",),
)
def bus_pull_ups_much_too_strong(built: Built) -> Iterator[Trouble]:
    if _sink_ma(built) > _DEADLY_MA:
        yield _told(built)


@error(
    what="an I2C bus without pull-ups, as on a Compute Module 1, 3 or 4S, or another bus than 1",
    why="chips only pull the bus to ground; without pull-ups it never rises",
    right="two resistors of 2.2 to 4.7 kohm to 3.3 V, or a breakout that has some",
    rests_on=("pull_ups_ohm",),
)
def bus_pull_ups_missing(built: Built) -> Iterator[Trouble]:
    for half in halves(built):
        if not half.pull_ups:
            yield Trouble("build.pull-ups", f"{half.name} has no pull-ups")


def _heavy(half: BusHalf) -> bool:
    return half.picofarads > MOST_PF


@warning(
    what="an I2C bus with more than 400 pF: 100 pF for a metre of cable and 10 pF for a chip",
    why="the bus is specified for 400 pF; more than that can't be charged in time, and edges of one "
    "wire reach the other",
    right="shorter cables: the chips near the Pi, and long wires to sensors and LEDs instead",
    rests_on=("cables_mm",),
)
def bus_capacitance(built: Built) -> Iterator[Trouble]:
    for half in filter(_heavy, halves(built)):
        cable = f"{half.mm / 1000:.1f} m of cable and {half.chips} chips"
        yield Trouble("build.cables", f"{half.name} has {cable}, together {half.picofarads:.0f} pF")


@warning(
    what="an I2C bus that rises too slowly for its speed",
    why="the pull-ups charge the cables each time the bus rises, which takes 0.85 times ohms times farads",
    right="shorter cables, a pull-up more on that side, or i2c-khz = 100",
    rests_on=("i2c_khz", "cables_mm", "pull_ups_ohm"),
)
def bus_rise_time(built: Built) -> Iterator[Trouble]:
    speed = built.choices.i2c_khz
    for half in halves(built):
        if half.pull_ups and not _heavy(half) and half.rise_ns > RISE_NS[speed]:
            rise = f"rises in {half.rise_ns:.0f} ns with {half.ohm:.0f} ohm and {half.picofarads:.0f} pF"
            yield Trouble("build.i2c-khz", f"{half.name} {rise}, at {speed} kHz it has {RISE_NS[speed]} ns")
