"""Expanders at 5 V on a bus of 3.3 V."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.model.plain_text import both
from firmware_host.profile.profile import GPIO, LampWire, lamp_name
from firmware_host.workshop.electrical.built import Built, Rule, Strength, Trouble, lamp_key
from firmware_host.workshop.electrical.bus import chip_pull_up, halves
from firmware_host.workshop.plan.wiring import led_pins

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


# LED chips at 5 V on a bus of 3.3 V.
#
# An HT16K33 is specified from 4.5 to 5.5 V. At 5 V it takes for high what is above 0.7 of its supply, 3.5
# V, and the pull-ups of its breakout lead to 5 V. GPIO 2 and 3 tolerate 3.3 V.


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


# LEDs in the matrix of an LED chip: each is between a row, which gives current, and a common.
#
# A common is on for an eighth of the time, so an LED with the 25 mA that a row gives looks as bright as one
# with 3 mA all the time.


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
