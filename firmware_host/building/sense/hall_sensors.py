"""Hall sensors: which fit, and what they are powered with."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.expander_levels import MOST_VOLTS
from firmware_host.building.sense.findings import Rule, Strength, Trouble


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
