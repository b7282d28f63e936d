"""A machine: where its files are, how its devices are opened, and what its files say of it and its users.

All of it can be something else in a test.
"""

from __future__ import annotations

import glob
import os
import platform
import sqlite3
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Protocol

from firmware_host.feed.addresses import DAEMON, UNIT_FILE
from firmware_host.model.errors import TableError
from firmware_host.profile.profile import Profile
from firmware_host.profile.tags import Registry
from firmware_host.run.devices import InputLines
from firmware_host.run.equipment import Equipment, HealthBox
from firmware_host.run.real_table import RealSite, real_equipment
from firmware_host.store.open_file import try_to_open
from firmware_host.store.raw_file import Damaged
from firmware_host.store.store_health import refusal
from firmware_host.workshop.doctor.machine_findings import DeviceFile, Disk, Machine, ServiceUser, User
from hw.gpio.gpio_chips import ChipInfo, line_user, look_at
from hw.serial_port import OpenPort, PyserialPort

COMMAND_S = 3.0


class LineSite(Protocol):
    """Where lines can be had."""

    def inputs(self, name: str, lines: Iterable[int]) -> InputLines:
        """Lines that report edges."""

    def close(self) -> None:
        """Let go of them all."""


class Ids(Protocol):
    """Which user and groups the kernel takes this process for."""

    def __call__(self) -> tuple[int, frozenset[int]]:
        """The numbers of the user and of all groups."""


def _ids() -> tuple[int, frozenset[int]]:
    return os.geteuid(), frozenset({os.getegid(), *os.getgroups()})


def _may_open(path: str) -> bool:
    return os.access(path, os.R_OK | os.W_OK, effective_ids=True)


def _open_bus(path: str) -> Any:
    from smbus2 import SMBus

    return SMBus(path)


def _open_port(path: str, baud: int, bits: int, parity: str) -> OpenPort:
    return PyserialPort(path, baud, bits=bits, parity=parity)


def _run(command: Sequence[str]) -> str:
    """What a command of the system prints; nothing if it is not there, fails, or hangs."""
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=COMMAND_S, check=True)
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return ended.stdout


def _play(command: Sequence[str], samples: bytes) -> str | None:
    """What a player says when it gets samples; None if it is not installed."""
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        ended = subprocess.run(
            command, input=samples, capture_output=True, timeout=COMMAND_S, env=environment
        )
    except FileNotFoundError:
        return None
    except subprocess.TimeoutExpired:
        return f"{command[0]}: the card takes no sound"
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return ended.stderr.decode(errors="replace")


@dataclass(frozen=True, slots=True)
class System:
    """A machine: by default the one that this runs on."""

    root: Path = Path("/")
    ids: Ids = _ids
    may_open: Callable[[str], bool] = _may_open
    look_at: Callable[[str], ChipInfo] = look_at
    line_user: Callable[[ChipInfo, int], str | None] = line_user
    open_bus: Callable[[str], Any] = _open_bus
    open_port: Callable[[str, int, int, str], OpenPort] = _open_port
    run: Callable[[Sequence[str]], str] = _run
    play: Callable[[Sequence[str], bytes], str | None] = _play
    site: Callable[[Profile, HealthBox], LineSite] = RealSite
    equipment: Callable[[Profile, Registry | None], Equipment] = real_equipment

    def at(self, path: str) -> str:
        """Where a file of that machine is here."""
        return os.path.join(self.root, os.path.abspath(path).lstrip("/"))

    def has(self, path: str) -> bool:
        """Whether there is such a file."""
        return os.path.exists(self.at(path))

    def read(self, path: str) -> str:
        """The text of a file without blanks around it; '' if it can't be read."""
        try:
            with open(self.at(path), encoding="utf-8", errors="replace") as file:
                return file.read().strip("\0 \n")
        except OSError:
            return ""

    def listing(self, pattern: str) -> list[str]:
        """The files of that machine whose paths fit, in the order of their names."""
        found = glob.glob(os.path.join(glob.escape(os.fspath(self.root)), pattern.lstrip("/")))
        return sorted((self.named(path) for path in found), key=_by_number)

    def named(self, path: str) -> str:
        """What a path from here is called on that machine."""
        return "/" + os.path.relpath(path, self.root)

    def device(self, path: str) -> str:
        """The device that a path leads to in the end, whatever it is called."""
        return os.path.realpath(self.at(path))


def _by_number(path: str) -> tuple[str, int]:
    name = path.rstrip("0123456789")
    number = path[len(name) :]
    return name, int(number) if number else -1


LIBRARIES = (
    "gpiozero",
    "gpiod",
    "pyserial",
    "smbus2",
    "click",
    "rich",
    "lgpio",
    "rpi-lgpio",
    "RPi.GPIO",
)


"""Those whose versions are reported, by the names of their distributions."""


KERNEL = "/proc/sys/kernel"


CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource"


MODELS = ("/proc/device-tree/model", "/sys/firmware/devicetree/base/model")


THROTTLED = "/sys/devices/platform/soc*/*firmware/get_throttled"


VOLTAGE = "rpi_volt"


def look_at_machine(system: System) -> Machine:
    """The computer as its files describe it."""
    return Machine(
        model=next(filter(None, map(system.read, MODELS)), ""),
        architecture=platform.machine(),
        kernel=system.read(f"{KERNEL}/osrelease"),
        build=system.read(f"{KERNEL}/version"),
        realtime=system.read("/sys/kernel/realtime") == "1",
        clock_source=system.read(CLOCK),
        clock_step_ns=round(time.clock_getres(time.CLOCK_MONOTONIC) * 1e9),
        throttled=_throttled(system),
        undervolted=_undervolted(system),
        python=platform.python_version(),
        libraries=dict(_versions()),
    )


def _versions() -> Iterable[tuple[str, str]]:
    for name in LIBRARIES:
        try:
            yield name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue


def _throttled(system: System) -> int | None:
    """The firmware's word first: the kernel's file for it is old, and always 0 with some kernels."""
    words = system.run(["vcgencmd", "get_throttled"]).strip().partition("=")[2]
    texts = [words, *map(system.read, system.listing(THROTTLED))]
    for text in filter(None, texts):
        try:
            return int(text, 16)
        except ValueError:
            continue
    return None


def _undervolted(system: System) -> bool | None:
    for name in system.listing("/sys/class/hwmon/hwmon*/name"):
        if system.read(name) == VOLTAGE:
            return system.read(f"{os.path.dirname(name)}/in0_lcrit_alarm") == "1"
    return None


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


TRIALS = 10


PAGE = bytes(4096)


OWNER_WRITES = stat.S_IWUSR | stat.S_IXUSR


def look_at_disk(system: System, file: str) -> Disk:
    """The folder of a store and the store itself."""
    path = Path(system.at(file))
    folder = path.parent
    named = system.named(os.fspath(folder))
    try:
        if not folder.is_dir():
            return Disk(file=file, folder=named)
        path.exists()
    except PermissionError:
        return Disk(file=file, folder=named, hidden=True)
    room, status = os.statvfs(folder), folder.stat()
    sync_ns, trouble = _sync_times(folder)
    size = path.stat().st_size if path.exists() else None
    broken, refused, advice = _opened(path)
    return Disk(
        file=file,
        folder=named,
        there=True,
        owner=user_names(system).get(status.st_uid, ""),
        for_its_owner=status.st_mode & OWNER_WRITES == OWNER_WRITES,
        read_only=bool(room.f_flag & os.ST_RDONLY),
        writable=os.access(folder, os.W_OK | os.X_OK, effective_ids=True),
        free_bytes=room.f_bavail * room.f_frsize,
        sync_ns=sync_ns,
        trouble=trouble,
        size_bytes=size,
        broken=broken,
        refused=refused,
        advice=advice,
        sqlite=sqlite3.sqlite_version,
    )


def _opened(path: Path) -> tuple[str, str, str]:
    """What is damaged in the store, or why a daemon could not use it and what to do; empty if it is sound."""
    try:
        try_to_open(os.fspath(path))
    except Damaged as error:
        return str(error), "", ""
    except (sqlite3.Error, OSError, TableError) as error:
        return "", *refusal(os.fspath(path), error)
    return "", "", ""


def _sync_times(folder: Path) -> tuple[tuple[int, ...], str]:
    """How long small writes take until the disk has them, and what went wrong with that."""
    times: list[int] = []
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".ligretto-table-") as trial:
            for _ in range(TRIALS):
                trial.write(PAGE)
                trial.flush()
                begun_ns = time.monotonic_ns()
                os.fdatasync(trial.fileno())
                times.append(time.monotonic_ns() - begun_ns)
    except OSError as error:
        return tuple(times), error.strerror or str(error)
    return tuple(times), ""
