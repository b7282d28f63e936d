"""The link to the scoreboard: RS-232 swings between +12 and -12 V, a UART between 0 and 3.3 V."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.building.sense.uart_ports import on_gpio

_RS232_SIGNS = ("alpha", "betabrite", "cd5220", "dm-d")
"""Signs whose serial ports are RS-232; a sign of one's own may have anything."""
_AT_HEADER = ("max3232", "direct")


def _is_rs232(built: Built) -> bool:
    return bool(built.profile.sign_port) and built.profile.sign in _RS232_SIGNS


def _bare_header(built: Built) -> Iterator[Trouble]:
    bare = built.choices.sign_link == "direct" or "sign_link" not in built.choices.given
    if _is_rs232(built) and on_gpio(built.profile.sign_port) and bare:
        sign, port = built.profile.sign, built.profile.sign_port
        yield Trouble(
            "scoreboard.port", f"{sign} with RS-232 is on {port}, a UART of the Pi, without a converter"
        )


def _ttl(built: Built) -> Iterator[Trouble]:
    if _is_rs232(built) and built.choices.sign_link == "usb-uart":
        yield Trouble("build.sign-link", f"{built.profile.sign} with RS-232 is on a UART adapter of 3.3 V")


def _two_stories(built: Built) -> Iterator[Trouble]:
    port, link = built.profile.sign_port, built.choices.sign_link
    if port.startswith("/dev/ttyUSB") and link in _AT_HEADER:
        yield Trouble(
            "build.sign-link", f'{port} is a USB adapter, and sign-link = "{link}" is a link to the header'
        )
    if on_gpio(port) and "sign_link" in built.choices.given and link not in _AT_HEADER:
        yield Trouble("build.sign-link", f'{port} is a UART of the Pi, and sign-link = "{link}" is USB')


SIGN_LINKS = (
    Rule(
        name="sign-rs232-at-header",
        strength=Strength.ERROR,
        what="a sign with RS-232 at a UART of the Pi without a converter",
        why="RS-232 swings between +12 and -12 V and is inverted; a GPIO line tolerates 0 to 3.3 V",
        right='a MAX3232 at 3.3 V between: sign-link = "max3232", or a USB adapter for RS-232',
        rests_on=("sign_link",),
        look=_bare_header,
    ),
    Rule(
        name="sign-rs232-at-uart-adapter",
        strength=Strength.ERROR,
        what="a sign with RS-232 at a USB-UART adapter for 3.3 V",
        why="RS-232 swings between +12 and -12 V and is inverted: the sign understands nothing, and the "
        "adapter tolerates 3.3 V",
        right='a USB adapter for RS-232: sign-link = "usb-rs232"',
        rests_on=("sign_link",),
        look=_ttl,
    ),
    Rule(
        name="sign-link-and-port",
        strength=Strength.WARNING,
        what="a `sign-link` that is not how the port of the sign is reached",
        why="one of them is wrong, and then the sign is wired to a port where nobody sends",
        right="the port of the adapter, or the link that the port has",
        rests_on=("sign_link",),
        look=_two_stories,
    ),
)
