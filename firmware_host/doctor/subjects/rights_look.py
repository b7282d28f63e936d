"""Who runs this and what he may open; who the daemon is: by its unit, else by whose results there are."""

from __future__ import annotations

import os
from collections.abc import Iterable

from firmware_host.doctor.subjects.rights_findings import DeviceFile, ServiceUser, User
from firmware_host.doctor.system import System
from firmware_host.system.service_names import DAEMON, UNIT_FILE

ROOT = "root"


def look_at_user(system: System) -> User:
    """Who runs this, by the files of users and groups."""
    number, groups = system.ids()
    name = user_names(system).get(number, f"uid {number}")
    here = _names(system, "/etc/group")
    enlisted = {
        fields[0]
        for fields in _records(system, "/etc/group")
        if len(fields) > 3 and name in fields[3].split(",")
    }
    return User(
        name=name,
        root=number == 0,
        groups=frozenset(here.get(group, f"gid {group}") for group in groups),
        enlisted=frozenset(enlisted),
    )


def user_names(system: System) -> dict[int, str]:
    """All users of that machine, by their numbers."""
    return _names(system, "/etc/passwd")


def look_at_devices(system: System, paths: Iterable[str]) -> tuple[DeviceFile, ...]:
    """Those of the devices that are there, and whether this user may open them."""
    groups = _names(system, "/etc/group")
    files = []
    for path in dict.fromkeys(paths):
        try:
            status = os.stat(system.at(path))
        except OSError:
            continue
        group = groups.get(status.st_gid, f"gid {status.st_gid}")
        openable = system.may_open(system.at(path))
        files.append(DeviceFile(path=path, group=group, mode=status.st_mode & 0o777, openable=openable))
    return tuple(files)


def look_at_service(system: System, owner: str = "") -> ServiceUser:
    """The daemon's user; `owner` is whose the folder of the store is, if there is one."""
    names = user_names(system)
    files = [UNIT_FILE, *system.listing(f"{UNIT_FILE}.d/*.conf")]
    user = _named_last(line for file in files for line in system.read(file).splitlines())
    if user.isdigit():
        user = names.get(int(user), user)
    if not user and owner != ROOT and owner in names.values():
        user = owner
    user = user or DAEMON
    return ServiceUser(user=user, there=user in names.values())


def _named_last(lines: Iterable[str]) -> str:
    """The last word of a unit and of what was changed of it; '' if they name nobody."""
    users = [
        value.strip() for key, _, value in (line.partition("=") for line in lines) if key.strip() == "User"
    ]
    return users[-1] if users else ""


def _names(system: System, file: str) -> dict[int, str]:
    """Names by their numbers, from a file of users or groups."""
    return {
        int(fields[2]): fields[0]
        for fields in _records(system, file)
        if len(fields) > 2 and fields[2].isdigit()
    }


def _records(system: System, file: str) -> list[list[str]]:
    return [line.split(":") for line in system.read(file).splitlines()]
