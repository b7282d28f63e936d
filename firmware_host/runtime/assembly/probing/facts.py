"""What probes see of a machine: values without a judgement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

OURS = "ligretto-table"
"""Under this name the table holds GPIO lines, so that others see whose they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """The computer, its kernel and its libraries."""

    model: str = ""
    """What the board calls itself; '' if it does not say."""
    architecture: str = ""
    kernel: str = ""
    build: str = ""
    """What the kernel says of its build, such as '#1 SMP PREEMPT'."""
    realtime: bool = False
    clock_source: str = ""
    clock_step_ns: int = 1
    throttled: int | None = None
    """The bits of `get_throttled`; None where nobody can tell."""
    undervolted: bool | None = None
    python: str = ""
    libraries: Mapping[str, str] = field(default_factory=dict)
    """The version of each library that is installed."""


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
class Service:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GpioChip:
    """A GPIO chip; `events`: its lines can be had by the second version of the kernel's interface."""

    path: str
    label: str
    lines: int
    events: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Gpio:
    """The GPIO chips of the machine, and the one that the profile wants."""

    chips: tuple[GpioChip, ...] = ()
    closed: tuple[str, ...] = ()
    """The chips that this user may not open."""
    wanted: tuple[str, ...] = ()
    """The labels, or the one path, that the profile goes by."""
    chip: GpioChip | None = None
    users: Mapping[int, str] = field(default_factory=dict)
    """Which of the profile's lines somebody holds, and who: '' if nobody knows."""

    @property
    def ours(self) -> bool:
        """Whether a table runs on this machine."""
        return OURS in self.users.values()


@dataclass(frozen=True, slots=True, kw_only=True)
class Contacts:
    """How the direct lines stand while nobody should touch anything, or why they can't be had."""

    levels: Mapping[int, bool] = field(default_factory=dict)
    seen: str = ""
    advice: str = ""
    told: tuple[tuple[str, str], ...] = ()
    """What the driver said of itself, with its advice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bus:
    """An I2C bus and who answers on it."""

    number: int
    adapter: bool = False
    driver: bool = False
    """The module i2c-dev is there."""
    device: bool = False
    seen: str = ""
    """Why it can't be scanned, or could not be scanned to its end."""
    advice: str = ""
    answered: frozenset[int] = frozenset()
    claimed: frozenset[int] = frozenset()
    """Addresses at which a driver of the kernel sits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SerialPort:
    """A serial port that is there, and the names under which it stays what it is."""

    path: str
    by_id: str = ""
    by_path: str = ""
    ours: tuple[str, ...] = ()
    """Those that the table's own rules for udev give."""
    used: tuple[tuple[str, str], ...] = ()
    """Which devices of the profile it belongs to, each with the name by which the profile calls it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What came of speaking to one reader."""

    name: str
    port: str
    there: bool = False
    firmware: str = ""
    seen: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """What came of showing a test page on the scoreboard."""

    port: str
    kind: str
    line: str = ""
    """How the sign likes its serial line, such as '9600 8N1'."""
    there: bool = False
    page: tuple[str, ...] = ()
    """What should be seen on it, row by row."""
    seen: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """The place of the store."""

    file: str
    folder: str
    there: bool = False
    hidden: bool = False
    """This user may not even look whether it is there."""
    owner: str = ""
    """Whose the folder is; '' if he has no name."""
    writable: bool = False
    for_its_owner: bool = False
    """Its owner may write there, whatever this user may."""
    read_only: bool = False
    """Nobody can write in this file system."""
    free_bytes: int = 0
    sync_ns: tuple[int, ...] = ()
    """How long each of some small writes took until it was safe."""
    trouble: str = ""
    """What kept the writes from being safe."""
    size_bytes: int | None = None
    """How big the file is; None if it is not there yet."""
    broken: str = ""
    """What SQLite says is wrong with the file."""
