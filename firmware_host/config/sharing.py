"""What the wirings of the two games of a table may share: the same thing, with the same name.

A table for two games is wired for both, and changes from one to the other while it runs. So a line, an
address or a port that both use must lead to the same button, chip or reader.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TypeVar

from firmware_host.config.fault_words import shown
from firmware_host.config.ports import SCOREBOARD, ports_of
from firmware_host.config.profile import Profile
from firmware_host.config.serial_ports import whole_port
from firmware_host.config.wires import bus_lines, chip_kinds, chip_names, header_lines, line_names

MOST_TOLD = 3
K = TypeVar("K")


def disputed(one: Profile, other: Profile, ports: Mapping[str, str], refused: Collection[str] = ()) -> str:
    """What the two profiles use for different things, in words; empty if they fit together.

    `ports` are those that differ from the profiles. The faults of the `refused` ones have been reported.
    """
    found = list(_disputed(_Wired(one, ports, refused), _Wired(other, ports, refused)))
    told = ", ".join(found[:MOST_TOLD])
    return f"{told}, and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else told


class _Wired:
    """The wiring of a game, with the ports that its devices have at this table."""

    def __init__(self, profile: Profile, ports: Mapping[str, str], refused: Collection[str]) -> None:
        self.profile = profile
        at = {name: ports.get(name, usual) for name, usual in ports_of(profile).items()}
        self.sign_port = whole_port(at[SCOREBOARD])
        self.devices = {whole_port(port): name for name, port in at.items() if port and name not in refused}
        """The device of each port."""
        self.lines = bus_lines(profile) | header_lines(self.devices) | line_names(profile)
        self.chips = {(profile.i2c_bus, address): name for address, name in chip_names(profile).items()}
        kinds = chip_kinds(profile)
        self.kinds = {(*at, name): kinds[at[1]].title for at, name in self.chips.items()}


def _disputed(one: _Wired, other: _Wired) -> Iterator[str]:
    game, another = one.profile.game, other.profile.game
    for line, mine, theirs in _both(one.lines, other.lines):
        yield f"GPIO {line} is {mine} for {game} and {theirs} for {another}"
    for (_, address), mine, theirs in _both(one.chips, other.chips):
        yield f"0x{address:02x} is {mine} for {game} and {theirs} for {another}"
    for (*_, name), mine, theirs in _both(one.kinds, other.kinds):
        yield f"{name} is {mine} for {game} and {theirs} for {another}"
    for port, mine, theirs in _both(one.devices, other.devices):
        yield f"{shown(port)} is {mine} for {game} and {theirs} for {another}"
    signs = one.profile.sign, other.profile.sign
    if one.sign_port and one.sign_port == other.sign_port and signs[0] != signs[1]:
        yield f"the scoreboard is {signs[0]} for {game} and {signs[1]} for {another}"


def _both(one: Mapping[K, str], other: Mapping[K, str]) -> Iterator[tuple[K, str, str]]:
    """What both use under different names."""
    for key, name in one.items():
        if other.get(key, name) != name:
            yield key, name, other[key]
