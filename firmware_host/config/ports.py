"""The section [ports] of a table.toml: at which serial port each device is here."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.config.claims import PORT_FORM, is_device
from firmware_host.config.faults import FaultyReader
from firmware_host.config.profile import Profile
from firmware_host.config.sections import Section
from firmware_host.config.wires import HEADER_LINES, HEADER_PORTS, line_names
from firmware_host.config.words import shown

SCOREBOARD = "scoreboard"


def ports_of(profile: Profile) -> dict[str, str]:
    """The port of each device that can have one, by the device's name; empty where it has none."""
    return {SCOREBOARD: profile.sign_port} | {reader.name: reader.port for reader in profile.readers}


class PortReader:
    """Reads which devices have other ports than their profiles say."""

    def __init__(self, reader: FaultyReader, profiles: Mapping[str, Profile]) -> None:
        self._reader = reader
        self._profiles = profiles
        self.refused: set[str] = set()
        """The devices whose ports were told of."""

    def read(self, root: Section, *, complete: bool) -> dict[str, str]:
        """The ports by device; where not all profiles could be read, any device may be meant."""
        known = [device for profile in self._profiles.values() for device in ports_of(profile)]
        section = self._reader.section(root, "ports", list(dict.fromkeys(known)) if complete else None)
        ports = {}
        for device, setting in self._reader.in_order(section).items():
            if is_device(setting.value):
                ports[device] = setting.value
            else:
                self._reader.fault(setting, PORT_FORM)
        first: dict[str, str] = {}
        for device, port in ports.items():
            owner = self._reader.where(section[first[port]]) if port in first else self._owner(device, ports)
            allowed = f"a port of its own: {shown(port)} is taken by {owner}" if owner else ""
            if not owner and port in HEADER_PORTS and (owner := self._on_header(device)):
                allowed = f"lines of its own: {owner}"
            if allowed:
                self.refused.add(device)
                self._reader.fault(section[device], allowed)
            first.setdefault(port, device)
        return ports

    def _on_header(self, device: str) -> str:
        """What is wired to the lines of the header's port where a profile has that device; else empty."""
        for name, profile in self._profiles.items():
            wired = line_names(profile) if device in ports_of(profile) else {}
            for line in HEADER_LINES:
                if line in wired:
                    return f"GPIO {line} is taken by {wired[line]} of '{name}'"
        return ""

    def _owner(self, device: str, ports: Mapping[str, str]) -> str:
        """The device of a profile that has the port of this one already; empty if none has it."""
        for name, profile in self._profiles.items():
            there = ports_of(profile)
            for other, port in there.items():
                if device in there and port == ports[device] and other not in ports:
                    return f"{other} of '{name}'"
        return ""
