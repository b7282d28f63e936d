"""The section [ports] of a table.toml: the serial port of each device at this table."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.profile.device_kinds import SIGNS
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.faults import FaultCollector
from firmware_host.profile.profile import HEADER_LINES, Profile, line_names
from firmware_host.profile.serial_ports import (
    HEADER_PORTS,
    may_lack_parity,
    own_port,
    parity_form,
    port_form,
    port_of,
    whole_port,
)

SCOREBOARD = "scoreboard"
NONE = "none"
"""Written in place of a port if the table has no scoreboard."""


def ports_of(profile: Profile) -> dict[str, str]:
    """The port of each device that can have one, by the device's name; empty if it has none."""
    return {SCOREBOARD: profile.sign_port} | {reader.name: reader.port for reader in profile.readers}


class PortReader:
    """Reads which devices have other ports than their profiles say."""

    def __init__(self, reader: FaultCollector, profiles: Mapping[str, Profile]) -> None:
        self._reader = reader
        self._profiles = profiles
        self.refused: set[str] = set()
        """The devices whose ports have been reported as faults."""

    def read(self, root: Section, *, complete: bool) -> dict[str, str]:
        """The ports by device. If not all profiles could be read, any device name is accepted."""
        known = [device for profile in self._profiles.values() for device in ports_of(profile)]
        section = self._reader.section(root, "ports", list(dict.fromkeys(known)) if complete else None)
        settings = self._reader.in_order(section)
        ports = {}
        for device, setting in settings.items():
            port = port_of(setting.value)
            if port or (device == SCOREBOARD and setting.value == NONE):
                ports[device] = port
            else:
                more = f", or '{NONE}'" if device == SCOREBOARD else ""
                self._reader.fault(setting, f"{port_form(setting.value)}{more}")
        first: dict[str, FileSetting] = {}
        for device, port in ports.items():
            owner = first.setdefault(whole_port(port), settings[device]) if port else settings[device]
            if owner is settings[device]:
                allowed = self._disputed(device, ports)
            else:
                allowed = own_port(settings[device].value, self._reader.where(owner), owner.value)
            if allowed:
                self.refused.add(device)
                self._reader.fault(settings[device], allowed)
        return ports

    def _disputed(self, device: str, ports: Mapping[str, str]) -> str:
        """What would be right, if the port of a device is in conflict with a profile; else empty."""
        port = ports[device]
        if not port:
            return ""
        found = self._taken(device, ports)
        if not found and port in HEADER_PORTS and (owner := self._on_header(device)):
            found = f"lines of its own: {owner}"
        if not found and device == SCOREBOARD and may_lack_parity(port):
            signs = [each.sign for each in self._profiles.values() if SIGNS[each.sign].parity]
            found = parity_form(signs[0]) if signs else ""
        return found

    def _on_header(self, device: str) -> str:
        """What is wired to the lines of the header's port in a profile with that device; else empty."""
        for name, profile in self._profiles.items():
            wired = line_names(profile) if device in ports_of(profile) else {}
            for line in HEADER_LINES:
                if line in wired:
                    return f"GPIO {line} is taken by {wired[line]} of '{name}'"
        return ""

    def _taken(self, device: str, ports: Mapping[str, str]) -> str:
        """What would be right, if another device of a profile has the same port; else empty."""
        port = ports[device]
        for name, profile in self._profiles.items():
            there = ports_of(profile)
            for other, its in there.items():
                if device in there and other not in ports and whole_port(its) == whole_port(port):
                    return own_port(port, f"{other} of '{name}'", its)
        return ""
