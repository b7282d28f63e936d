"""The pull-ups of the I2C bus, all together."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.bus import MOST_SINK_MA, halves
from firmware_host.building.sense.findings import Rule, Strength, Trouble

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
