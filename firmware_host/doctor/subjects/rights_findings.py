"""Judges rights: may this user open the devices, and if not, which group is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware_host.doctor.findings import Area, Finding, State, named
from firmware_host.system.service_names import SERVICE

GROUP_OPENS = 0o060


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """Who runs this."""

    name: str
    root: bool
    groups: frozenset[str]
    """The groups that count for this process."""
    enlisted: frozenset[str]
    """The groups that the next login will have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceUser:
    """Who the daemon is as a service, and whether this machine has such a user."""

    user: str
    there: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFile:
    """A device that the table has to open."""

    path: str
    group: str
    mode: int
    openable: bool


def judge_rights(user: User, devices: Iterable[DeviceFile], service: ServiceUser) -> Iterator[Finding]:
    """Whether the devices of the table may be opened, and the command that makes it so."""
    devices = tuple(devices)
    if user.root:
        seen = "this runs as root, who may open everything"
        yield Finding(Area.RIGHTS, "user", State.NOTE, seen, _as_whom(service))
    else:
        groups = ", ".join(sorted(user.groups)) or "none"
        yield Finding(Area.RIGHTS, "user", State.OK, f"{user.name}, in the groups {groups}")
    closed: dict[str, list[DeviceFile]] = {}
    for device in devices:
        if not device.openable:
            closed.setdefault(device.group, []).append(device)
    for group, files in closed.items():
        yield _no_rights(user, group, files)
    if devices and not closed:
        yield Finding(Area.RIGHTS, "devices", State.OK, f"all {len(devices)} may be opened")


def _as_whom(service: ServiceUser) -> str:
    """What root has to do to learn what the daemon may."""
    if service.there:
        return f"that says nothing about the daemon: run this as its user, too (sudo -u {service.user} ...)"
    return (
        f"that says nothing about the daemon; create its user {service.user}: ligretto-table install-service"
    )


def _no_rights(user: User, group: str, files: list[DeviceFile]) -> Finding:
    """What keeps this user from devices of one group."""
    names = named([file.path for file in files])
    if group == "root" or not any(file.mode & GROUP_OPENS == GROUP_OPENS for file in files):
        seen = f"{names} may be opened by root only"
        path = files[0].path
        kind = "gpio" if "gpiochip" in path else "i2c" if "i2c" in path else "dialout"
        advice = f"let a udev rule give it to the group {kind}; until the next start: " + (
            f"sudo chgrp {kind} {path} && sudo chmod 660 {path}"
        )
        return Finding(Area.RIGHTS, group, State.FAIL, seen, advice)
    if group in user.enlisted and group not in user.groups:
        seen = f"{names} belongs to the group {group}; {user.name} was added to it after this login"
        advice = f"log in again, and restart the daemon (sudo systemctl restart {SERVICE})"
        return Finding(Area.RIGHTS, group, State.FAIL, seen, advice)
    if group in user.groups:
        seen = f"{names} can't be opened, though {user.name} is in its group {group}"
        advice = "if this runs in a container or under systemd: let it have the device (DeviceAllow=)"
        return Finding(Area.RIGHTS, group, State.FAIL, seen, advice)
    seen = f"{names} belongs to the group {group}, and {user.name} is not in it"
    advice = f"sudo usermod -aG {group} {user.name}, then log in again"
    return Finding(Area.RIGHTS, group, State.FAIL, seen, advice)
