"""Who the daemon is on this machine: by its unit, else by whose results there are."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.runtime.assembly.probing.facts import Service
from firmware_host.runtime.assembly.probing.ground import Ground
from firmware_host.runtime.assembly.probing.machine import user_names
from firmware_host.runtime.service_names import DAEMON, UNIT_FILE

ROOT = "root"


def look_at_service(ground: Ground, owner: str = "") -> Service:
    """The daemon's user; `owner` is whose the folder of the store is, if there is one."""
    names = user_names(ground)
    files = [UNIT_FILE, *ground.listing(f"{UNIT_FILE}.d/*.conf")]
    user = _named_last(line for file in files for line in ground.read(file).splitlines())
    if user.isdigit():
        user = names.get(int(user), user)
    if not user and owner != ROOT and owner in names.values():
        user = owner
    user = user or DAEMON
    return Service(user=user, there=user in names.values())


def _named_last(lines: Iterable[str]) -> str:
    """The last word of a unit and of what was changed of it; '' if they name nobody."""
    users = [
        value.strip() for key, _, value in (line.partition("=") for line in lines) if key.strip() == "User"
    ]
    return users[-1] if users else ""
