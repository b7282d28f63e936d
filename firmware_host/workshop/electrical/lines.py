"""GPIO lines: sensors and contacts on them, and what on the Pi itself already uses, pulls or drives them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from firmware_host.profile.profile import BUS_LINES, bus_lines
from firmware_host.workshop.electrical.built import Built, Trouble, error, warning
from firmware_host.workshop.electrical.bus import MOST_VOLTS, on_a_dimm
from firmware_host.workshop.plan.pi_models import I2S_LINES, lines_of_overlay, uarts_of


def _title(built: Built) -> str:
    return built.choices.hall.upper()


@error(
    what="a hall sensor with less than the supply it needs, such as an A3144 at 3.3 V",
    why="below its least supply a sensor switches at random or never",
    right="hall-volts = 5.0, its output pulled up to 3.3 V",
    rests_on=("hall", "hall_volts"),
)
def hall_supply(built: Built) -> Iterator[Trouble]:
    least = built.hall.volts[0] if built.hall.volts else 0
    if built.has_halls and built.hall_volts < least:
        yield Trouble("build.hall-volts", f"{_title(built)} needs {least:g} V and has {built.hall_volts:g} V")


@error(
    what="outputs of hall sensors that are pulled up to 5 V, as on many modules",
    why="a released output then is at 5 V, and a GPIO line or an expander at 3.3 V tolerates 3.6 V",
    right="hall-pull-up-volts = 3.3; remove the pull-ups of modules that lead to their supply",
    rests_on=("hall_pull_up_volts",),
)
def hall_pull_up_to_5v(built: Built) -> Iterator[Trouble]:
    if built.has_halls and built.choices.hall_pull_up_volts > MOST_VOLTS:
        yield Trouble(
            "build.hall-pull-up-volts", f"the sensors are pulled up to {built.choices.hall_pull_up_volts:g} V"
        )


@error(
    what="hall sensors at 5 V whose outputs are push-pull",
    why="such an output drives its supply of 5 V into a GPIO line or an expander, which tolerate 3.6 V",
    right="hall-volts = 3.3, or a sensor with an open drain",
    rests_on=("hall", "hall_volts"),
)
def hall_push_pull_at_5v(built: Built) -> Iterator[Trouble]:
    if built.has_halls and not built.hall.open_drain and built.hall_volts > MOST_VOLTS:
        yield Trouble(
            "build.hall-volts", f"the output of {_title(built)} is push-pull, at {built.hall_volts:g} V"
        )


@error(
    what="latching hall sensors, such as the US1881",
    why="a latch releases only at the other pole of a magnet, so it goes on seeing a die that was taken away",
    right='a switch, not a latch: hall = "a3144"',
    rests_on=("hall",),
)
def hall_latching(built: Built) -> Iterator[Trouble]:
    if built.has_halls and built.hall.latching:
        yield Trouble("build.hall", f"{_title(built)} latches")


@warning(
    what="hall sensors that only look some times a second, such as the DRV5032",
    why="a die is seen when its sensor looks next: of two dice the second may seem to be first, "
    "and a slap seems to come before its die",
    right='a sensor that answers at once: hall = "a3144", or "drv5023" at 3.3 V; else add that time to '
    "claim-early in [timing]",
    rests_on=("hall",),
)
def hall_sampled(built: Built) -> Iterator[Trouble]:
    hertz = built.hall.sampled_hz
    if built.has_halls and hertz:
        yield Trouble(
            "build.hall", f"{_title(built)} looks {hertz} times a second, so up to {1000 / hertz:g} ms late"
        )


@error(
    what='pull = "down" with hall sensors on GPIO lines',
    why="a hall sensor connects its line to ground when it sees a magnet; pulled down, the line is low "
    "all the time",
    right='pull = "up"',
)
def hall_pulled_down(built: Built) -> Iterator[Trouble]:
    if built.direct_halls and built.profile.pull == "down":
        yield Trouble("gpio.pull", "hall sensors are on GPIO lines that are pulled down")


_STRONGEST_OHM = 330


@error(
    what='pull = "floating" without pull-ups of your own',
    why="an open line that nothing pulls picks up its neighbours and the mains, and presses by itself",
    right='pull = "up", or resistors of 1 to 10 kohm to 3.3 V: contact-pull-up-ohm = 4700',
    rests_on=("contact_pull_up_ohm",),
)
def contact_floating(built: Built) -> Iterator[Trouble]:
    if built.profile.pull == "floating" and not built.choices.contact_pull_up_ohm:
        yield Trouble("gpio.pull", "nothing pulls the lines of buttons and sensors while they are open")


@warning(
    what="pull-ups of buttons and sensors below 330 ohm",
    why="each closed contact takes more than 10 mA from the 3.3 V of the Pi, and heats the output of a "
    "sensor",
    right="1 to 10 kohm",
    rests_on=("contact_pull_up_ohm", "hall_pull_up_ohm"),
)
def contact_pull_up_strong(built: Built) -> Iterator[Trouble]:
    sensors = built.choices.hall_pull_up_ohm if built.has_halls and built.profile.banks else 0
    for choice, ohm in (("contact", built.choices.contact_pull_up_ohm), ("hall", sensors)):
        if 0 < ohm < _STRONGEST_OHM:
            words = f"a closed contact carries {3300 / ohm:.0f} mA from 3.3 V"
            yield Trouble(f"build.{choice}-pull-up-ohm", words)


_BUS_PINS = (2, 3)
_WAKE_PIN = 3
_CONSOLE_PINS = (14, 15)
_ID_PINS = (0, 1)


def _at(built: Built, lines: tuple[int, ...], what: str) -> Iterator[Trouble]:
    for line in lines:
        if line in built.lines:
            key, name = built.lines[line]
            yield Trouble(key, f"GPIO {line}, {name}, {what}")


@error(
    what='pull = "down" with a button or sensor on GPIO 2 or 3',
    why="the Pi has 1.8 kohm to 3.3 V on these two lines, against which a pull-down of 50 kohm does nothing",
    right='another line, or pull = "up"',
)
def pull_down_against_pull_up(built: Built) -> Iterator[Trouble]:
    if built.profile.pull == "down" and not on_a_dimm(built):
        lines = tuple(line for line in _BUS_PINS if line in built.profile.direct_lines)
        yield from _at(built, lines, "has a pull-up on the Pi, and is to be pulled down")


@warning(
    what="a button or sensor on GPIO 3",
    why="up to a Pi 4, one that was shut down starts again when GPIO 3 goes to ground, as with every press",
    right="another line",
)
def wake_line(built: Built) -> Iterator[Trouble]:
    if _WAKE_PIN in built.profile.direct_lines and not on_a_dimm(built):
        yield from _at(built, (_WAKE_PIN,), "also starts a Pi that was shut down")


@warning(
    what="something on GPIO 14 or 15",
    why="if the serial console is on, GPIO 14 sends its messages while the Pi starts; a button shorts "
    "it, a "
    "lamp flickers",
    right="another line, or switch off the serial console (raspi-config) and leave it off",
)
def console_line(built: Built) -> Iterator[Trouble]:
    yield from _at(built, _CONSOLE_PINS, "belongs to the serial console")


@warning(
    what="something on GPIO 0 or 1 of a Compute Module 4 or 5 (on a header they are refused)",
    why="at each start the firmware sends on these two lines to look for the EEPROM of a HAT",
    right="another line",
)
def hat_line(built: Built) -> Iterator[Trouble]:
    if not on_a_dimm(built):
        yield from _at(built, _ID_PINS, "is used when the Pi looks for the EEPROM of a HAT")


def _taken(built: Built, lines: tuple[int, ...]) -> Iterator[tuple[int, str, str]]:
    bus = {line: ("i2c.bus", name) for line, name in bus_lines(built.profile).items()}
    used = bus | built.lines
    yield from ((line, *used[line]) for line in lines if line in used)


_WHY = "an overlay gives its lines to a part of the chip that drives them itself, whatever is wired there"


@error(
    what="a line that an overlay of config.txt takes: SPI, I2S, PWM, 1-Wire, UARTs",
    why=_WHY,
    right="another line, or without that overlay",
    rests_on=("overlays",),
)
def overlay_takes_line(built: Built) -> Iterator[Trouble]:
    for overlay in built.choices.overlays:
        for line, key, name in _taken(built, lines_of_overlay(overlay, built.profile.board) or ()):
            yield Trouble(key, f"GPIO {line}, {name}, is taken by the overlay {overlay}")


@warning(
    what="an overlay that is not in the list of this program, or not one for this Pi",
    why=_WHY,
    right="look up its lines in /boot/firmware/overlays/README, and keep them free",
    rests_on=("overlays",),
)
def overlay_unknown(built: Built) -> Iterator[Trouble]:
    for overlay in built.choices.overlays:
        if lines_of_overlay(overlay, built.profile.board) is None:
            yield Trouble(
                "build.overlays",
                f"it is unknown which lines the overlay {overlay} takes on a {built.model.name}",
            )


@error(
    what="a line of an I2C bus from an overlay (3 to 6)",
    why=_WHY,
    right="another line, or bus = 1",
    rests_on=("overlays",),
)
def bus_takes_line(built: Built) -> Iterator[Trouble]:
    overlay = f"i2c{built.profile.i2c_bus}"
    listed = any(each.split(",")[0] == overlay for each in built.choices.overlays)
    if built.bus_mm and built.profile.i2c_bus not in BUS_LINES and not listed:
        for line, key, name in _taken(built, lines_of_overlay(overlay, built.profile.board) or ()):
            yield Trouble(key, f"GPIO {line}, {name}, is a line of I2C bus {built.profile.i2c_bus}")


@error(
    what="a line that an I2S amplifier takes: GPIO 18 to 21",
    why="the Pi sends the sound on these lines a million times a second, whatever else is wired there",
    right='other lines, or a USB sound card: speaker = "usb-speaker"',
    rests_on=("speaker",),
)
def sound_takes_line(built: Built) -> Iterator[Trouble]:
    listed = any(lines_of_overlay(each, built.profile.board) == I2S_LINES for each in built.choices.overlays)
    if built.choices.speaker == "i2s" and not listed:
        for line, key, name in _taken(built, I2S_LINES):
            yield Trouble(key, f"GPIO {line}, {name}, is a line of the I2S amplifier")


@error(
    what="a loudspeaker at the headphone socket of a Pi that has none",
    why="a Pi 5, a Pi 400, each Zero and each Compute Module has no headphone socket",
    right='speaker = "usb-speaker"',
    rests_on=("speaker",),
)
def headphone_socket_missing(built: Built) -> Iterator[Trouble]:
    if built.choices.speaker == "jack" and not built.model.jack:
        yield Trouble("build.speaker", f"a {built.model.name} has no headphone socket")


_OF_PI = re.compile(r"/dev/(?:ttyAMA|ttyS|serial)[0-9]+")
_FREED = {"disable-bt", "miniuart-bt"}


def on_gpio(port: str) -> bool:
    """Whether a port is one of the Pi itself, not of USB."""
    return bool(_OF_PI.fullmatch(port))


@error(
    what="a port that this model of the Pi does not have, such as /dev/ttyAMA3 on a Pi 3",
    why="up to the Pi 3 there are two UARTs; a Pi 4 has ttyAMA2 to 5, a Pi 5 has ttyAMA0 to 4 and no ttyS0",
    right="a port that this Pi has, or a USB adapter",
)
def uart_missing(built: Built) -> Iterator[Trouble]:
    for key, port in built.ports.items():
        if on_gpio(port) and port not in uarts_of(built.profile.board).lines:
            yield Trouble(key, f"a {built.model.name} has no {port}")


@warning(
    what="/dev/ttyAMA0 on a Pi with Bluetooth",
    why="on a Pi 3, 4 or Zero 2 W this UART, the one with parity, leads to the Bluetooth chip and not "
    "to the header",
    right='dtoverlay=disable-bt in config.txt, and in the profile overlays = ["disable-bt"]',
    rests_on=("overlays",),
)
def uart_with_bluetooth(built: Built) -> Iterator[Trouble]:
    free = _FREED & {overlay.split(",")[0] for overlay in built.choices.overlays}
    for key, port in built.ports.items():
        if port in ("/dev/ttyAMA0", "/dev/serial1") and uarts_of(built.profile.board).bluetooth and not free:
            yield Trouble(key, f"{port} of a {built.model.name} is where its Bluetooth is")


@warning(
    what="/dev/serial0 on a Pi 5",
    why="unless config.txt says otherwise, serial0 of a Pi 5 is the small connector between its HDMI sockets",
    right="/dev/ttyAMA0, with dtparam=uart0=on in config.txt",
)
def uart_debug_connector(built: Built) -> Iterator[Trouble]:
    for key, port in built.ports.items():
        if port == "/dev/serial0" and uarts_of(built.profile.board).debug_port:
            yield Trouble(key, f"/dev/serial0 of a {built.model.name} is its debug connector")


@error(
    what="a port of the Pi on lines that something else is wired to",
    why="the overlay of a UART takes its two lines, and whatever is wired to them works against it",
    right="other lines, or a USB adapter",
)
def uart_takes_lines(built: Built) -> Iterator[Trouble]:
    for key, port in built.ports.items():
        for line in uarts_of(built.profile.board).lines.get(port, ()):
            if line in built.lines:
                other, name = built.lines[line]
                yield Trouble(key, f"{port} is on GPIO {line}, where {other} has {name}")
