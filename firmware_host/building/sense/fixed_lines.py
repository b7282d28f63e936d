"""GPIO lines that something on the Pi itself already uses, pulls or drives."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.bus import on_a_dimm
from firmware_host.building.sense.findings import Rule, Strength, Trouble

_BUS_PINS = (2, 3)
_WAKE_PIN = 3
_CONSOLE_PINS = (14, 15)
_ID_PINS = (0, 1)


def _at(built: Built, lines: tuple[int, ...], what: str) -> Iterator[Trouble]:
    for line in lines:
        if line in built.lines:
            key, name = built.lines[line]
            yield Trouble(key, f"GPIO {line}, {name}, {what}")


def _pulled_both_ways(built: Built) -> Iterator[Trouble]:
    if built.profile.pull == "down" and not on_a_dimm(built):
        lines = tuple(line for line in _BUS_PINS if line in built.profile.direct_lines)
        yield from _at(built, lines, "has a pull-up on the Pi, and is to be pulled down")


def _wakes(built: Built) -> Iterator[Trouble]:
    if _WAKE_PIN in built.profile.direct_lines and not on_a_dimm(built):
        yield from _at(built, (_WAKE_PIN,), "also starts a Pi that was shut down")


def _console(built: Built) -> Iterator[Trouble]:
    yield from _at(built, _CONSOLE_PINS, "belongs to the serial console")


def _probed(built: Built) -> Iterator[Trouble]:
    if not on_a_dimm(built):
        yield from _at(built, _ID_PINS, "is used when the Pi looks for the EEPROM of a HAT")


FIXED_LINES = (
    Rule(
        name="pull-down-against-pull-up",
        strength=Strength.ERROR,
        what='pull = "down" with a button or sensor on GPIO 2 or 3',
        why="the Pi has 1.8 kohm to 3.3 V on these two lines, against which a pull-down of 50 kohm does "
        "nothing",
        right='another line, or pull = "up"',
        look=_pulled_both_ways,
    ),
    Rule(
        name="wake-line",
        strength=Strength.WARNING,
        what="a button or sensor on GPIO 3",
        why="up to a Pi 4, one that was shut down starts again when GPIO 3 goes to ground, as with every "
        "press",
        right="another line",
        look=_wakes,
    ),
    Rule(
        name="console-line",
        strength=Strength.WARNING,
        what="something on GPIO 14 or 15",
        why="if the serial console is on, GPIO 14 sends its messages while the Pi starts; a button shorts "
        "it, a "
        "lamp flickers",
        right="another line, or switch off the serial console (raspi-config) and leave it off",
        look=_console,
    ),
    Rule(
        name="hat-line",
        strength=Strength.WARNING,
        what="something on GPIO 0 or 1 of a Compute Module 4 or 5 (on a header they are refused)",
        why="at each start the firmware sends on these two lines to look for the EEPROM of a HAT",
        right="another line",
        look=_probed,
    ),
)
