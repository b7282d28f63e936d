"""What the wirings of one table's games may share: what is the same thing for both, by its name.

A table for two games is wired for both at once, and changes from one to the other while it runs. So a line,
an address or a port that both have must lead to the same button, chip or reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from firmware_host.config.ports import SCOREBOARD, ports_of
from firmware_host.config.profile import Profile
from firmware_host.config.wires import bus_lines, chip_names, header_lines, line_names
from firmware_host.config.words import shown

MOST_TOLD = 3
K = TypeVar("K")


def disputed(one: Profile, other: Profile, ports: Mapping[str, str]) -> str:
    """What the two would need for different things, in words; empty if they go together.

    `ports` are those of devices that have others than their profiles say; these can't clash any more.
    """
    found = list(_disputed(one, other, ports))
    told = ", ".join(found[:MOST_TOLD])
    return f"{told}, and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else told


def _disputed(one: Profile, other: Profile, ports: Mapping[str, str]) -> Iterator[str]:
    for line, name, another in _both(_lines(one, ports), _lines(other, ports)):
        yield f"GPIO {line} is {name} for {one.game} and {another} for {other.game}"
    if one.i2c_bus == other.i2c_bus:
        for address, name, another in _both(chip_names(one), chip_names(other)):
            yield f"0x{address:02x} is {name} for {one.game} and {another} for {other.game}"
    for port, name, another in _both(_devices(one, ports), _devices(other, ports)):
        yield f"{shown(port)} is {name} for {one.game} and {another} for {other.game}"
    if one.sign != other.sign and _have_one_sign(one, other, ports):
        yield f"the scoreboard is {one.sign} for {one.game} and {other.sign} for {other.game}"


def _both(one: Mapping[K, str], other: Mapping[K, str]) -> Iterator[tuple[K, str, str]]:
    """What both have under different names."""
    for key, name in one.items():
        if other.get(key, name) != name:
            yield key, name, other[key]


def _lines(profile: Profile, ports: Mapping[str, str]) -> dict[int, str]:
    header = header_lines(_devices(profile, ports))
    return bus_lines(profile) | header | line_names(profile)


def _devices(profile: Profile, ports: Mapping[str, str]) -> dict[str, str]:
    """Whose each port is, of those that the profile gives."""
    return {port: name for name, port in ports_of(profile).items() if port and name not in ports}


def _have_one_sign(one: Profile, other: Profile, ports: Mapping[str, str]) -> bool:
    if SCOREBOARD in ports:
        return True
    return bool(one.sign_port) and one.sign_port == other.sign_port
