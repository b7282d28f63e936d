"""Ports of the Pi itself that a profile names: does this Pi have them, and are they free?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from firmware_host.building.pi_uarts import uarts_of
from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble

_OF_PI = re.compile(r"/dev/(?:ttyAMA|ttyS|serial)[0-9]+")
_FREED = {"disable-bt", "miniuart-bt"}


def on_gpio(port: str) -> bool:
    """Whether a port is one of the Pi itself, not of USB."""
    return bool(_OF_PI.fullmatch(port))


def _missing(built: Built) -> Iterator[Trouble]:
    for key, port in built.ports.items():
        if on_gpio(port) and port not in uarts_of(built.profile.board).lines:
            yield Trouble(key, f"a {built.model.name} has no {port}")


def _with_bluetooth(built: Built) -> Iterator[Trouble]:
    free = _FREED & {overlay.split(",")[0] for overlay in built.choices.overlays}
    for key, port in built.ports.items():
        if port in ("/dev/ttyAMA0", "/dev/serial1") and uarts_of(built.profile.board).bluetooth and not free:
            yield Trouble(key, f"{port} of a {built.model.name} is where its Bluetooth is")


def _debug(built: Built) -> Iterator[Trouble]:
    for key, port in built.ports.items():
        if port == "/dev/serial0" and uarts_of(built.profile.board).debug_port:
            yield Trouble(key, f"/dev/serial0 of a {built.model.name} is its debug connector")


def _taken(built: Built) -> Iterator[Trouble]:
    for key, port in built.ports.items():
        for line in uarts_of(built.profile.board).lines.get(port, ()):
            if line in built.lines:
                other, name = built.lines[line]
                yield Trouble(key, f"{port} is on GPIO {line}, where {other} has {name}")


UART_PORTS = (
    Rule(
        name="uart-missing",
        strength=Strength.ERROR,
        what="a port that this model of the Pi does not have, such as /dev/ttyAMA3 on a Pi 3",
        why="up to the Pi 3 there are two UARTs; a Pi 4 has ttyAMA2 to 5, a Pi 5 has ttyAMA0 to 4 and no "
        "ttyS0",
        right="a port that this Pi has, or a USB adapter",
        look=_missing,
    ),
    Rule(
        name="uart-with-bluetooth",
        strength=Strength.WARNING,
        what="/dev/ttyAMA0 on a Pi with Bluetooth",
        why="on a Pi 3, 4 or Zero 2 W this UART, the one with parity, leads to the Bluetooth chip and not "
        "to the header",
        right='dtoverlay=disable-bt in config.txt, and in the profile overlays = ["disable-bt"]',
        rests_on=("overlays",),
        look=_with_bluetooth,
    ),
    Rule(
        name="uart-debug-connector",
        strength=Strength.WARNING,
        what="/dev/serial0 on a Pi 5",
        why="unless config.txt says otherwise, serial0 of a Pi 5 is the small connector between its HDMI "
        "sockets",
        right="/dev/ttyAMA0, with dtparam=uart0=on in config.txt",
        look=_debug,
    ),
    Rule(
        name="uart-takes-lines",
        strength=Strength.ERROR,
        what="a port of the Pi on lines that something else is wired to",
        why="the overlay of a UART takes its two lines, and whatever is wired to them works against it",
        right="other lines, or a USB adapter",
        look=_taken,
    ),
)
