"""Serial ports that are there, and the names under which they stay what they are."""

from __future__ import annotations

from firmware_host.config.ports import SCOREBOARD
from firmware_host.config.profile import Profile
from firmware_host.runtime.assembly.probing.facts import SerialPort
from firmware_host.runtime.assembly.probing.ground import Ground

KINDS = ("/dev/ttyUSB*", "/dev/ttyACM*", "/dev/ttyAMA*", "/dev/serial[0-9]")
"""The ports of adapters, of boards that are adapters themselves, and of the header. A later name wins."""
BY_ID, BY_PATH, OURS = "/dev/serial/by-id/*", "/dev/serial/by-path/*", "/dev/ligretto/*"


def look_at_ports(ground: Ground, profile: Profile | None) -> tuple[SerialPort, ...]:
    """All serial ports that something may be plugged into, and what the profile uses them for."""
    wanted = {} if profile is None else wanted_ports(profile)
    by_id = {ground.device(link): link for link in ground.listing(BY_ID) if ground.has(link)}
    by_path = {ground.device(link): link for link in ground.listing(BY_PATH) if ground.has(link)}
    ours = [(ground.device(link), link) for link in ground.listing(OURS) if ground.has(link)]
    paths = {ground.device(path): path for kind in KINDS for path in ground.listing(kind) if ground.has(path)}
    devices = dict.fromkeys([*paths, *by_id, *by_path])
    return tuple(
        SerialPort(
            path=paths.get(device) or ground.named(device),
            by_id=by_id.get(device, ""),
            by_path=by_path.get(device, ""),
            ours=tuple(link for named, link in ours if named == device),
            used=tuple((name, path) for name, path in wanted.items() if ground.device(path) == device),
        )
        for device in devices
    )


def wanted_ports(profile: Profile) -> dict[str, str]:
    """The port of each reader and of the scoreboard, by their names."""
    ports = {reader.name: reader.port for reader in profile.readers}
    return ports | ({SCOREBOARD: profile.sign_port} if profile.sign_port else {})
