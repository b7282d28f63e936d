"""Lines that overlays of config.txt and the sound take."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.overlays import I2S_LINES, lines_of_overlay
from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.config.wires import BUS_LINES, bus_lines


def _taken(built: Built, lines: tuple[int, ...]) -> Iterator[tuple[int, str, str]]:
    bus = {line: ("i2c.bus", name) for line, name in bus_lines(built.profile).items()}
    used = bus | built.lines
    yield from ((line, *used[line]) for line in lines if line in used)


def _overlays(built: Built) -> Iterator[Trouble]:
    for overlay in built.choices.overlays:
        for line, key, name in _taken(built, lines_of_overlay(overlay, built.profile.board) or ()):
            yield Trouble(key, f"GPIO {line}, {name}, is taken by the overlay {overlay}")


def _unknown(built: Built) -> Iterator[Trouble]:
    for overlay in built.choices.overlays:
        if lines_of_overlay(overlay, built.profile.board) is None:
            yield Trouble(
                "build.overlays",
                f"it is unknown which lines the overlay {overlay} takes on a {built.model.name}",
            )


def _bus(built: Built) -> Iterator[Trouble]:
    overlay = f"i2c{built.profile.i2c_bus}"
    listed = any(each.split(",")[0] == overlay for each in built.choices.overlays)
    if built.bus_mm and built.profile.i2c_bus not in BUS_LINES and not listed:
        for line, key, name in _taken(built, lines_of_overlay(overlay, built.profile.board) or ()):
            yield Trouble(key, f"GPIO {line}, {name}, is a line of I2C bus {built.profile.i2c_bus}")


def _sound(built: Built) -> Iterator[Trouble]:
    listed = any(lines_of_overlay(each, built.profile.board) == I2S_LINES for each in built.choices.overlays)
    if built.choices.speaker == "i2s" and not listed:
        for line, key, name in _taken(built, I2S_LINES):
            yield Trouble(key, f"GPIO {line}, {name}, is a line of the I2S amplifier")


def _no_jack(built: Built) -> Iterator[Trouble]:
    if built.choices.speaker == "jack" and not built.model.jack:
        yield Trouble("build.speaker", f"a {built.model.name} has no headphone socket")


_WHY = "an overlay gives its lines to a part of the chip that drives them itself, whatever is wired there"

OVERLAY_LINES = (
    Rule(
        name="overlay-takes-line",
        strength=Strength.ERROR,
        what="a line that an overlay of config.txt takes: SPI, I2S, PWM, 1-Wire, UARTs",
        why=_WHY,
        right="another line, or without that overlay",
        rests_on=("overlays",),
        look=_overlays,
    ),
    Rule(
        name="overlay-unknown",
        strength=Strength.WARNING,
        what="an overlay that is not in the list of this program, or not one for this Pi",
        why=_WHY,
        right="look up its lines in /boot/firmware/overlays/README, and keep them free",
        rests_on=("overlays",),
        look=_unknown,
    ),
    Rule(
        name="bus-takes-line",
        strength=Strength.ERROR,
        what="a line of an I2C bus from an overlay (3 to 6)",
        why=_WHY,
        right="another line, or bus = 1",
        rests_on=("overlays",),
        look=_bus,
    ),
    Rule(
        name="sound-takes-line",
        strength=Strength.ERROR,
        what="a line that an I2S amplifier takes: GPIO 18 to 21",
        why="the Pi sends the sound on these lines a million times a second, whatever else is wired there",
        right='other lines, or a USB sound card: speaker = "usb-speaker"',
        rests_on=("speaker",),
        look=_sound,
    ),
    Rule(
        name="headphone-socket-missing",
        strength=Strength.ERROR,
        what="a loudspeaker at the headphone socket of a Pi that has none",
        why="a Pi 5, a Pi 400, each Zero and each Compute Module has no headphone socket",
        right='speaker = "usb-speaker"',
        rests_on=("speaker",),
        look=_no_jack,
    ),
)
