"""Runs a command within the system calls that the unit allows, as systemd would have it.

    python -m tests.systemd.sandbox UNIT COMMAND...

The filter is made of the unit's own lines and of what systemd means by them, and loaded by the library
that systemd loads it with. A call that is not allowed ends the command, where systemd would let it fail:
none is to be missed.
"""

from __future__ import annotations

import ctypes
import errno
import os
import subprocess
import sys
from pathlib import Path

LIBRARY = "libseccomp.so.2"
KILL, ALLOW, REFUSE = 0x80000000, 0x7FFF0000, 0x00050000 | errno.EPERM
ASKED_AS_ROOT = "fchown"
"""SQLite tries this if root runs it, as may be in a test; the service is somebody else."""
MASKED = 7  # compares the bits of an argument that are in a mask
WRITE, EXECUTE = 2, 4
SHM_EXEC = 0o100000


class Comparison(ctypes.Structure):
    """What an argument has to be, for libseccomp."""

    _fields_ = (
        ("argument", ctypes.c_uint),
        ("how", ctypes.c_int),
        ("mask", ctypes.c_uint64),
        ("value", ctypes.c_uint64),
    )


def known_groups() -> dict[str, list[str]]:
    """The groups of system calls that systemd knows, and what is in them."""
    command = ["systemd-analyze", "syscall-filter", "--no-pager"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    groups: dict[str, list[str]] = {}
    for line in told.splitlines():
        if line.startswith("@"):
            members = groups.setdefault(line.strip(), [])
        elif line.startswith("    ") and not line.strip().startswith("#"):
            members.append(line.strip())
    return groups


def allowed_calls(unit: str) -> set[str]:
    """The system calls that a unit leaves to its service."""
    groups = known_groups()

    def members(name: str) -> set[str]:
        if name not in groups:
            return {name}
        return set().union(*(members(each) for each in groups[name]))

    allowed = members("@default")
    for line in unit.splitlines():
        name, _, value = line.partition("=")
        if name == "SystemCallFilter":
            calls = set().union(*(members(each) for each in value.lstrip("~").split()))
            allowed = allowed - calls if value.startswith("~") else allowed | calls
    return allowed


def confine(unit: str) -> None:
    """Leave this process, for good, only what the unit allows."""
    library = ctypes.CDLL(LIBRARY)
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_init.argtypes = [ctypes.c_uint32]
    library.seccomp_load.argtypes = [ctypes.c_void_p]
    library.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.POINTER(Comparison),
    ]
    names = allowed_calls(unit)
    context = library.seccomp_init(KILL)
    for name in sorted(names):
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number >= 0:  # those of other processors have negative ones
            _add(library, context, ALLOW, number, _conditions(unit, name))
    if os.geteuid() == 0:
        number = library.seccomp_syscall_resolve_name(ASKED_AS_ROOT.encode())
        _add(library, context, REFUSE, number, [])
    if library.seccomp_load(context) != 0:
        raise OSError("the filter can't be loaded")


def _conditions(unit: str, name: str) -> list[list[Comparison]]:
    """For which arguments a call is allowed: any one of these; none means for all."""
    if "MemoryDenyWriteExecute=yes" not in unit:
        return []
    never_both = [[Comparison(2, MASKED, WRITE, 0)], [Comparison(2, MASKED, EXECUTE, 0)]]
    return {
        "mmap": never_both,
        "mprotect": [[Comparison(2, MASKED, EXECUTE, 0)]],
        "pkey_mprotect": [[Comparison(2, MASKED, EXECUTE, 0)]],
        "shmat": [[Comparison(2, MASKED, SHM_EXEC, 0)]],
    }.get(name, [])


def _add(
    library: ctypes.CDLL, context: int, action: int, number: int, conditions: list[list[Comparison]]
) -> None:
    for condition in conditions or [[]]:
        array = (Comparison * max(1, len(condition)))(*condition)
        if library.seccomp_rule_add_array(context, action, number, len(condition), array) != 0:
            raise OSError(f"there is no rule for the call {number}")


def main() -> None:
    unit, *command = sys.argv[1:]
    confine(Path(unit).read_text(encoding="utf-8"))
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
