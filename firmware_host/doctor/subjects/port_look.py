"""Serial ports that are there, and the names under which they stay what they are."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.config.ports import ports_of
from firmware_host.config.profile import Profile
from firmware_host.doctor.subjects.port_findings import SerialPort
from firmware_host.doctor.system import System

KINDS = ("/dev/ttyUSB*", "/dev/ttyACM*", "/dev/ttyAMA*", "/dev/serial[0-9]")
"""The ports of adapters, of boards that are adapters themselves, and of the header. A later name wins."""
BY_ID, BY_PATH, OURS = "/dev/serial/by-id/*", "/dev/serial/by-path/*", "/dev/ligretto/*"


def look_at_ports(system: System, profiles: Iterable[Profile]) -> tuple[SerialPort, ...]:
    """All serial ports that something may be plugged into, and what the profiles use them for."""
    wanted = dict.fromkeys(each for profile in profiles for each in wanted_ports(profile))
    by_id = {system.device(link): link for link in system.listing(BY_ID) if system.has(link)}
    by_path = {system.device(link): link for link in system.listing(BY_PATH) if system.has(link)}
    ours = [(system.device(link), link) for link in system.listing(OURS) if system.has(link)]
    paths = {system.device(path): path for kind in KINDS for path in system.listing(kind) if system.has(path)}
    devices = dict.fromkeys([*paths, *by_id, *by_path])
    return tuple(
        SerialPort(
            path=paths.get(device) or system.named(device),
            by_id=by_id.get(device, ""),
            by_path=by_path.get(device, ""),
            ours=tuple(link for named, link in ours if named == device),
            used=tuple((name, path) for name, path in wanted if system.device(path) == device),
        )
        for device in devices
    )


def wanted_ports(profile: Profile) -> list[tuple[str, str]]:
    """Each reader, and the scoreboard, with its port."""
    return [(name, port) for name, port in ports_of(profile).items() if port]
