"""The I2C bus and the levels on it: an electrical model, and rules for chips, sensors and LEDs.

The model says who pulls the bus up, how far, and what has to be charged each time.

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
from firmware_host.profile.profile import GPIO, LampWire, lamp_name
from firmware_host.workshop.electrical.built import Built, Rule, Strength, Trouble, lamp_key
from firmware_host.workshop.plan.wiring import SHIFTER, led_pins

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


_DEADLY_MA = 2 * MOST_SINK_MA


def _sink_ma(built: Built) -> float:
    return sum(half.sink_ma for half in halves(built))


def _told(built: Built) -> Trouble:
    count = sum(len(half.pull_ups) for half in halves(built))
    return Trouble("build.pull-ups", f"{count} pull-ups together give {_sink_ma(built):.1f} mA at 0.4 V")


def _strong(built: Built) -> Iterator[Trouble]:
    if MOST_SINK_MA < _sink_ma(built) <= _DEADLY_MA:
        yield _told(built)


def _much_too_strong(built: Built) -> Iterator[Trouble]:
    if _sink_ma(built) > _DEADLY_MA:
        yield _told(built)


def _missing(built: Built) -> Iterator[Trouble]:
    for half in halves(built):
        if not half.pull_ups:
            yield Trouble("build.pull-ups", f"{half.name} has no pull-ups")


_WHY = "each chip has to pull all pull-ups low at once, and is only specified for 3 mA at 0.4 V"
_RIGHT = "remove the pull-ups of all breakouts but one on each side: 0 for the others in [build.pull-ups]"

PULL_UPS = (
    Rule(
        name="bus-pull-ups-strong",
        strength=Strength.WARNING,
        what="pull-ups of the I2C bus that together give more than 3 mA",
        why=_WHY,
        right=_RIGHT,
        rests_on=("pull_ups_ohm",),
        look=_strong,
    ),
    Rule(
        name="bus-pull-ups-much-too-strong",
        strength=Strength.ERROR,
        what="pull-ups of the I2C bus that together give more than 6 mA",
        why=_WHY,
        right=_RIGHT,
        rests_on=("pull_ups_ohm",),
        look=_much_too_strong,
    ),
    Rule(
        name="bus-pull-ups-missing",
        strength=Strength.ERROR,
        what="an I2C bus without pull-ups, as on a Compute Module 1, 3 or 4S, or another bus than 1",
        why="chips only pull the bus to ground; without pull-ups it never rises",
        right="two resistors of 2.2 to 4.7 kohm to 3.3 V, or a breakout that has some",
        rests_on=("pull_ups_ohm",),
        look=_missing,
    ),
)


def _heavy(half: BusHalf) -> bool:
    return half.picofarads > MOST_PF


def _too_long(built: Built) -> Iterator[Trouble]:
    for half in filter(_heavy, halves(built)):
        cable = f"{half.mm / 1000:.1f} m of cable and {half.chips} chips"
        yield Trouble("build.cables", f"{half.name} has {cable}, together {half.picofarads:.0f} pF")


def _too_slow(built: Built) -> Iterator[Trouble]:
    speed = built.choices.i2c_khz
    for half in halves(built):
        if half.pull_ups and not _heavy(half) and half.rise_ns > RISE_NS[speed]:
            rise = f"rises in {half.rise_ns:.0f} ns with {half.ohm:.0f} ohm and {half.picofarads:.0f} pF"
            yield Trouble("build.i2c-khz", f"{half.name} {rise}, at {speed} kHz it has {RISE_NS[speed]} ns")


BUS_SPEED = (
    Rule(
        name="bus-capacitance",
        strength=Strength.WARNING,
        what="an I2C bus with more than 400 pF: 100 pF for a metre of cable and 10 pF for a chip",
        why="the bus is specified for 400 pF; more than that can't be charged in time, and edges of one "
        "wire reach the other",
        right="shorter cables: the chips near the Pi, and long wires to sensors and LEDs instead",
        rests_on=("cables_mm",),
        look=_too_long,
    ),
    Rule(
        name="bus-rise-time",
        strength=Strength.WARNING,
        what="an I2C bus that rises too slowly for its speed",
        why="the pull-ups charge the cables each time the bus rises, which takes 0.85 times ohms times "
        "farads",
        right="shorter cables, a pull-up more on that side, or i2c-khz = 100",
        rests_on=("i2c_khz", "cables_mm", "pull_ups_ohm"),
        look=_too_slow,
    ),
)


MOST_VOLTS = 3.6


"""What a line of a Pi, or a chip beside it, tolerates."""


def _at_5v(built: Built) -> Iterator[Trouble]:
    if built.profile.banks and built.choices.expander_volts > MOST_VOLTS:
        yield Trouble("build.expander-volts", f"the expanders have {built.choices.expander_volts:g} V")


EXPANDERS = (
    Rule(
        name="expander-at-5v",
        strength=Strength.ERROR,
        what="an MCP23017 at 5 V",
        why="the interrupt pin of an MCP23017 drives 5 V into a GPIO line until the table has set it up, "
        "and the chip takes for high "
        "only what is above 4 V (0.8 of its supply), which the bus does not reach",
        right="expander-volts = 3.3",
        rests_on=("expander_volts",),
        look=_at_5v,
    ),
)


_LEAST_VOLTS = 4.5


def _too_low(built: Built) -> Iterator[Trouble]:
    if built.profile.led_chips and built.choices.led_chip_volts < _LEAST_VOLTS:
        yield Trouble("build.led-chip-volts", f"the LED chips have {built.choices.led_chip_volts:g} V")


def _bare(built: Built) -> bool:
    """Whether chips at 5 V are on the bus without anything between."""
    return built.choices.led_chip_volts >= _LEAST_VOLTS and not built.choices.level_shifter


def _pulled_up(built: Built) -> list[str]:
    """The LED chips whose breakouts have pull-ups."""
    return [chip.name for chip in built.profile.led_chips if chip_pull_up(built, chip.name)]


def _on_bare_bus(built: Built) -> Iterator[Trouble]:
    names = _pulled_up(built)
    if _bare(built) and names:
        (bus,) = halves(built)
        lifted = f"pull-ups to 5 V at {both(names)} lift the bus to {bus.high_volts:.2f} V"
        yield Trouble("build.level-shifter", f"{lifted}, and nothing is between it and the Pi")


def _hears_too_little(built: Built) -> Iterator[Trouble]:
    if _bare(built) and built.profile.led_chips and not _pulled_up(built):
        yield Trouble(
            "build.level-shifter", "the LED chips have 5 V, the bus has 3.3 V, and nothing is between"
        )


LED_CHIPS = (
    Rule(
        name="led-chip-supply",
        strength=Strength.WARNING,
        what="an HT16K33 at 3.3 V",
        why="an HT16K33 is specified from 4.5 V on; below, green and blue LEDs, which need 3 V themselves, "
        "get pale",
        right="led-chip-volts = 5.0, behind a level shifter",
        rests_on=("led_chip_volts",),
        look=_too_low,
    ),
    Rule(
        name="led-chip-on-bare-bus",
        strength=Strength.ERROR,
        what="pull-ups of an HT16K33 breakout that lead 5 V to the Pi",
        why="a GPIO line tolerates 3.3 V; these pull-ups lift it higher, and feed a Pi that is off "
        "through its "
        "protection",
        right="a level shifter for I2C (BSS138) between the Pi and all LED chips",
        rests_on=("level_shifter",),
        look=_on_bare_bus,
    ),
    Rule(
        name="led-chip-hears-too-little",
        strength=Strength.WARNING,
        what="an HT16K33 at 5 V on a bus of 3.3 V, its pull-ups removed",
        why="at 5 V an HT16K33 takes for high what is above 3.5 V (0.7 of its supply), and the bus only "
        "reaches 3.3 V",
        right="a level shifter for I2C (BSS138) between the Pi and all LED chips",
        rests_on=("level_shifter",),
        look=_hears_too_little,
    ),
)


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


def _title(built: Built) -> str:
    return built.choices.hall.upper()


def _too_few_volts(built: Built) -> Iterator[Trouble]:
    least = built.hall.volts[0] if built.hall.volts else 0
    if built.has_halls and built.hall_volts < least:
        yield Trouble("build.hall-volts", f"{_title(built)} needs {least:g} V and has {built.hall_volts:g} V")


def _pulled_to_5v(built: Built) -> Iterator[Trouble]:
    if built.has_halls and built.choices.hall_pull_up_volts > MOST_VOLTS:
        yield Trouble(
            "build.hall-pull-up-volts", f"the sensors are pulled up to {built.choices.hall_pull_up_volts:g} V"
        )


def _drives_5v(built: Built) -> Iterator[Trouble]:
    if built.has_halls and not built.hall.open_drain and built.hall_volts > MOST_VOLTS:
        yield Trouble(
            "build.hall-volts", f"the output of {_title(built)} is push-pull, at {built.hall_volts:g} V"
        )


def _latches(built: Built) -> Iterator[Trouble]:
    if built.has_halls and built.hall.latching:
        yield Trouble("build.hall", f"{_title(built)} latches")


def _samples(built: Built) -> Iterator[Trouble]:
    hertz = built.hall.sampled_hz
    if built.has_halls and hertz:
        yield Trouble(
            "build.hall", f"{_title(built)} looks {hertz} times a second, so up to {1000 / hertz:g} ms late"
        )


def _pulled_down(built: Built) -> Iterator[Trouble]:
    if built.direct_halls and built.profile.pull == "down":
        yield Trouble("gpio.pull", "hall sensors are on GPIO lines that are pulled down")


HALL_SENSORS = (
    Rule(
        name="hall-supply",
        strength=Strength.ERROR,
        what="a hall sensor with less than the supply it needs, such as an A3144 at 3.3 V",
        why="below its least supply a sensor switches at random or never",
        right="hall-volts = 5.0, its output pulled up to 3.3 V",
        rests_on=("hall", "hall_volts"),
        look=_too_few_volts,
    ),
    Rule(
        name="hall-pull-up-to-5v",
        strength=Strength.ERROR,
        what="outputs of hall sensors that are pulled up to 5 V, as on many modules",
        why="a released output then is at 5 V, and a GPIO line or an expander at 3.3 V tolerates 3.6 V",
        right="hall-pull-up-volts = 3.3; remove the pull-ups of modules that lead to their supply",
        rests_on=("hall_pull_up_volts",),
        look=_pulled_to_5v,
    ),
    Rule(
        name="hall-push-pull-at-5v",
        strength=Strength.ERROR,
        what="hall sensors at 5 V whose outputs are push-pull",
        why="such an output drives its supply of 5 V into a GPIO line or an expander, which tolerate 3.6 V",
        right="hall-volts = 3.3, or a sensor with an open drain",
        rests_on=("hall", "hall_volts"),
        look=_drives_5v,
    ),
    Rule(
        name="hall-latching",
        strength=Strength.ERROR,
        what="latching hall sensors, such as the US1881",
        why="a latch releases only at the other pole of a magnet, so it goes on seeing a die that was taken "
        "away",
        right='a switch, not a latch: hall = "a3144"',
        rests_on=("hall",),
        look=_latches,
    ),
    Rule(
        name="hall-sampled",
        strength=Strength.WARNING,
        what="hall sensors that only look some times a second, such as the DRV5032",
        why="a die is seen when its sensor looks next: of two dice the second may seem to be first, "
        "and a slap seems to come before its die",
        right='a sensor that answers at once: hall = "a3144", or "drv5023" at 3.3 V; else add that time to '
        "claim-early in [timing]",
        rests_on=("hall",),
        look=_samples,
    ),
    Rule(
        name="hall-pulled-down",
        strength=Strength.ERROR,
        what='pull = "down" with hall sensors on GPIO lines',
        why="a hall sensor connects its line to ground when it sees a magnet; pulled down, the line is low "
        "all the time",
        right='pull = "up"',
        look=_pulled_down,
    ),
)
