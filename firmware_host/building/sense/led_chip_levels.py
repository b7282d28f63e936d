"""LED chips at 5 V on a bus of 3.3 V.

An HT16K33 is specified from 4.5 to 5.5 V. At 5 V it takes for high what is above 0.7 of its supply, 3.5
V, and the pull-ups of its breakout lead to 5 V. GPIO 2 and 3 tolerate 3.3 V.
"""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.bus import chip_pull_up, halves
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.config.fault_words import both

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
