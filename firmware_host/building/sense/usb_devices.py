"""USB: how many devices the controller of a Pi takes, and how many sockets there are for them.

Hubs count as devices, and a hub with seven ports is two chips with four ports each, so it counts as two.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.building.sense.uart_ports import on_gpio

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
