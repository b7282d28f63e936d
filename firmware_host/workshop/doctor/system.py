"""Where the machine's files are and how its devices are opened; all of it can be something else in a test."""

from __future__ import annotations

import glob
import os
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from firmware_host.profile.profile import Profile
from firmware_host.profile.tags import Registry
from firmware_host.run.devices import InputLines
from firmware_host.run.equipment import Equipment, HealthBox
from firmware_host.run.real_table import RealSite, real_equipment
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
