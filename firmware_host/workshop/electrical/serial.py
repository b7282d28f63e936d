"""Ports of the Pi itself that a profile names: does this Pi have them, and are they free?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from math import ceil, dist

from firmware_host.workshop.electrical.built import Built, Rule, Strength, Trouble
from firmware_host.workshop.plan.pi_models import uarts_of

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


# USB: how many devices the controller of a Pi takes, and how many sockets there are for them.
#
# Hubs count as devices, and a hub with seven ports is two chips with four ports each, so it counts as two.


_PORTS_OF_A_HUB_CHIP = 4
_UARTS = {"usb-uart-4": 4}
_OWN_HUBS = 1
"""The chip in a Pi with four sockets that makes four of one."""


def _adapters(built: Built) -> int:
    """The USB adapters of the tag readers."""
    readers = sum(not on_gpio(reader.port) for reader in built.profile.readers)
    return ceil(readers / _UARTS.get(built.choices.reader_link, 1))


def _hub_ports(built: Built) -> int:
    """The sockets of a hub."""
    return int(built.choices.hub.removeprefix("hub-"))


def plugs(built: Built) -> int:
    """How many USB devices the table has, without hubs."""
    sign = bool(built.profile.sign_port) and not on_gpio(built.profile.sign_port)
    return _adapters(built) + sign + (built.choices.speaker == "usb-speaker")


def hubs(built: Built) -> int:
    """How many hubs the table has: those of its choices, or as many as it needs."""
    if built.choices.hubs >= 0:
        return built.choices.hubs
    return max(0, ceil((plugs(built) - built.model.usb_ports) / (_hub_ports(built) - 1)))


def _too_many(built: Built) -> Iterator[Trouble]:
    each = ceil((_hub_ports(built) - 1) / (_PORTS_OF_A_HUB_CHIP - 1))
    of_hubs = hubs(built) * each + (_OWN_HUBS if built.model.usb_ports > 1 else 0)
    total = plugs(built) + of_hubs
    if total > built.model.usb_devices:
        words = f"{plugs(built)} USB devices and {of_hubs} chips of hubs are {total}"
        where = "readers" if built.profile.readers else "build.hubs"
        yield Trouble(where, f"{words}, a {built.model.name} takes {built.model.usb_devices}")


def _no_socket(built: Built) -> Iterator[Trouble]:
    sockets = built.model.usb_ports + hubs(built) * (_hub_ports(built) - 1)
    if plugs(built) > sockets:
        words = f"{plugs(built)} USB devices, and sockets for {sockets} of them"
        yield Trouble("build.hubs", f"{words}: a {built.model.name} has {built.model.usb_ports}")


_HUBS = ("hubs", "hub", "reader_link", "sign_link", "speaker")

USB_DEVICES = (
    Rule(
        name="usb-devices",
        strength=Strength.ERROR,
        what="more USB devices than the Pi takes, hubs included: 32 on a Pi 4",
        why="a USB controller keeps a slot for each device and each hub chip, and has no more than it has",
        right='adapters with four ports each: reader-link = "usb-uart-4"',
        rests_on=_HUBS,
        look=_too_many,
    ),
    Rule(
        name="usb-sockets",
        strength=Strength.ERROR,
        what="more USB devices than sockets: a Zero has one",
        why="each adapter needs a socket of the Pi or of a hub, and each hub takes one itself",
        right="more hubs, with supplies of their own",
        rests_on=_HUBS,
        look=_no_socket,
    ),
)


# Tag readers: the levels of their serial lines, and where their supply comes from.
#
# A PN532 is a chip of 3.3 V. Boards have a regulator, so they take 5 V. Some also shift the level of their
# serial lines to 5 V then, which a UART of 3.3 V does not tolerate.


def _rs232(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_link == "usb-rs232":
        yield Trouble("build.reader-link", "tag readers are on adapters for RS-232")


def _ttl_5v(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_link == "usb-uart-5v":
        yield Trouble("build.reader-link", "tag readers are on UART adapters of 5 V")


def _answers_5v(built: Built) -> Iterator[Trouble]:
    if built.choices.reader_power in ("usb", "supply"):
        for reader in built.profile.readers:
            if on_gpio(reader.port):
                yield Trouble(
                    f"readers.{reader.name}.port", f"{reader.name} has 5 V and answers to {reader.port}"
                )


def _weak_adapter(built: Built) -> Iterator[Trouble]:
    if built.profile.readers and built.choices.reader_power == "adapter-3v3":
        yield Trouble("build.reader-power", "tag readers have the 3.3 V of their USB adapters")


READER_LINKS = (
    Rule(
        name="reader-rs232",
        strength=Strength.ERROR,
        what="tag readers at adapters for RS-232",
        why="RS-232 swings between +12 and -12 V; a PN532 tolerates 3.6 V",
        right='UART adapters of 3.3 V: reader-link = "usb-uart"',
        rests_on=("reader_link",),
        look=_rs232,
    ),
    Rule(
        name="reader-5v-levels",
        strength=Strength.WARNING,
        what="tag readers at UART adapters of 5 V",
        why="a PN532 tolerates 3.6 V at its lines; only boards with a level shifter tolerate 5 V",
        right='UART adapters of 3.3 V (a jumper on many): reader-link = "usb-uart"',
        rests_on=("reader_link",),
        look=_ttl_5v,
    ),
    Rule(
        name="reader-answers-5v",
        strength=Strength.WARNING,
        what="a tag reader at 5 V on a UART of the Pi",
        why="some boards with a level shifter answer with their supply voltage, and a GPIO line tolerates "
        "3.3 V",
        right='its supply from the 3.3 V of the Pi: reader-power = "pi-3v3"',
        rests_on=("reader_power",),
        look=_answers_5v,
    ),
    Rule(
        name="reader-adapter-3v3",
        strength=Strength.WARNING,
        what="tag readers at the 3.3 V of USB adapters",
        why="a PN532 takes up to 150 mA while its field is on; the 3.3 V of an adapter gives 50 to "
        "100 mA, so it restarts",
        right='the 5 V of the adapter: reader-power = "usb"',
        rests_on=("reader_power",),
        look=_weak_adapter,
    ),
)


NEAR_MM = 80


def _near(built: Built) -> Iterator[Trouble]:
    """For each two groups, the two readers that are nearest to each other."""
    nearest: dict[tuple[int, int], tuple[float, str, str]] = {}
    for one, other in combinations(built.profile.readers, 2):
        if one.group == other.group or one.name not in built.at_mm or other.name not in built.at_mm:
            continue
        groups = (min(one.group, other.group), max(one.group, other.group))
        found = (dist(built.at_mm[one.name], built.at_mm[other.name]), one.name, other.name)
        nearest[groups] = min(found, nearest.get(groups, found))
    for (first, second), (far, one_name, other_name) in sorted(nearest.items()):
        if far < NEAR_MM:
            words = (
                f"{one_name} is {far:.0f} mm from {other_name}, but they are in groups {first} and {second}"
            )
            yield Trouble(f"readers.{other_name}.group", words)


READER_SPACING = (
    Rule(
        name="readers-too-near",
        strength=Strength.WARNING,
        what="tag readers nearer than 80 mm to each other in different groups",
        why="two fields that are on together within 80 mm garble each other; only readers of one group take "
        "turns",
        right="one group for both, or more than 80 mm between them",
        rests_on=("board",),
        look=_near,
    ),
)


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
