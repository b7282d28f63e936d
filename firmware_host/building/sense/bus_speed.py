"""How fast the I2C bus can be with its cables."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.bus import MOST_PF, RISE_NS, BusHalf, halves
from firmware_host.building.sense.findings import Rule, Strength, Trouble


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
