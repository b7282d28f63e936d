"""USB: how many devices the controller of a Pi takes, how many plugs there are, and what they may draw.

Hubs count as devices, and a hub with seven ports is two chips with four ports each, so it counts as two.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from firmware_host.building.parts import PARTS
from firmware_host.building.sense.built import Built
from firmware_host.building.sense.findings import Rule, Strength, Trouble
from firmware_host.building.sense.reader_links import READER_MA
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
        words = f"{plugs(built)} USB devices have {sockets} sockets"
        yield Trouble("build.hubs", f"{words}: a {built.model.name} has {built.model.usb_ports}")


def _hungry(built: Built) -> Iterator[Trouble]:
    fed = built.choices.reader_power in ("usb", "adapter-3v3")
    speaker = PARTS["usb-speaker"].most_ma if built.choices.speaker == "usb-speaker" else 0
    readers = sum(not on_gpio(reader.port) for reader in built.profile.readers)
    total = readers * READER_MA * fed + plugs(built) * PARTS["usb-uart"].most_ma + speaker
    on_pi = not hubs(built) or not built.choices.hub_supply
    if on_pi and total > built.model.usb_ma:
        words = f"the USB devices take up to {total:.0f} mA from the Pi"
        yield Trouble("build.hub-supply", f"{words}, a {built.model.name} gives {built.model.usb_ma} mA")


_HUBS = ("hubs", "hub", "reader_link", "sign_link", "speaker")

RULES = (
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
    Rule(
        name="usb-current",
        strength=Strength.WARNING,
        what="USB devices that take more from the Pi than its sockets give",
        why="all sockets of a Pi share one limit; beyond it their voltage drops and devices come and go",
        right="a hub with a supply of its own",
        rests_on=(*_HUBS, "hub_supply", "reader_power"),
        look=_hungry,
    ),
)
