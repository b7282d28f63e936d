"""Judges the computer: kernel, supply and libraries, who may open what, the store's disk, and tags."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_host.feed.addresses import SERVICE
from firmware_host.model.places import CARD_NUMBERS, DICE, FACES, Card, Colour, DieFace
from firmware_host.model.times import MS
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import StoreConfig
from firmware_host.profile.tags import Registry
from firmware_host.workshop.doctor.device_findings import Gpio
from firmware_host.workshop.doctor.findings import Area, Finding, State, named

CHARDEV_V2 = (5, 10)
"""The first kernel with the interface that numbers edges."""
RPI_GPIO_DEAF = (6, 6)
"""From this kernel on RPi.GPIO hears no edges any more."""
SLOW_CLOCKS = ("jiffies", "refined-jiffies", "acpi_pm", "hpet")
COARSE_NS = 1000

_VERSION = re.compile(r"([0-9]+)\.([0-9]+)")
_NOW = {0: "its supply is too weak", 1: "its clock is capped", 2: "it is throttled", 3: "it is too hot"}
_SUPPLY = (
    "use a supply that the board's maker recommends, with a short cable; power lamps and hubs separately"
)
_HEAT = "give it a heat sink and air"


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
    """The bits of `get_throttled`; None if unknown."""
    undervolted: bool | None = None
    python: str = ""
    libraries: Mapping[str, str] = field(default_factory=dict)
    """The version of each library that is installed."""


def judge_machine(machine: Machine, profile: Profile | None) -> Iterator[Finding]:
    """How fit the computer is for a table."""
    if machine.model:
        yield Finding(Area.MACHINE, "board", State.OK, machine.model)
    else:
        seen = f"does not say what it is, as a Raspberry Pi would; its processor is {machine.architecture}"
        yield Finding(Area.MACHINE, "board", State.NOTE, seen)
    yield _kernel(machine, profile)
    yield _preemption(machine)
    yield _clock(machine)
    yield from _supply(machine)


def kernel_version(release: str) -> tuple[int, int] | None:
    """The two numbers at the head of a kernel's name."""
    match = _VERSION.match(release)
    return (int(match[1]), int(match[2])) if match else None


def _kernel(machine: Machine, profile: Profile | None) -> Finding:
    version = kernel_version(machine.kernel)
    if version is None:
        seen = f"no version can be read from '{machine.kernel}'"
        return Finding(Area.MACHINE, "kernel", State.NOTE, seen)
    driver = "gpiod" if profile is None else profile.driver
    if version < CHARDEV_V2 and driver in ("gpiod", "lgpio"):
        seen = f"{machine.kernel} has no GPIO interface that numbers edges; the driver '{driver}' needs it"
        return Finding(
            Area.MACHINE, "kernel", State.FAIL, seen, "install a system with a kernel from 5.10 on"
        )
    if version >= RPI_GPIO_DEAF and driver == "rpigpio" and "RPi.GPIO" in machine.libraries:
        seen = f"{machine.kernel} reports no edges to RPi.GPIO"
        advice = 'set driver = "gpiod" in [gpio] of the profile, or install rpi-lgpio instead of RPi.GPIO'
        return Finding(Area.MACHINE, "kernel", State.FAIL, seen, advice)
    return Finding(Area.MACHINE, "kernel", State.OK, machine.kernel)


def _preemption(machine: Machine) -> Finding:
    if machine.realtime or "PREEMPT_RT" in machine.build:
        return Finding(Area.MACHINE, "preemption", State.OK, "a real-time kernel")
    if "PREEMPT" in machine.build:
        words = "PREEMPT_DYNAMIC" if "PREEMPT_DYNAMIC" in machine.build else "PREEMPT"
        return Finding(Area.MACHINE, "preemption", State.OK, f"the kernel is built with {words}")
    seen = "the kernel does not say that it lets tasks interrupt it"
    advice = "no harm to fairness: stamps are made in the interrupt. Lights may come late; see --jitter"
    return Finding(Area.MACHINE, "preemption", State.NOTE, seen, advice)


def _clock(machine: Machine) -> Finding:
    source = machine.clock_source or "of an unknown source"
    if machine.clock_source in SLOW_CLOCKS or machine.clock_step_ns > COARSE_NS:
        seen = f"the clock is {source}, in steps of {machine.clock_step_ns} ns"
        advice = "stamps can't be finer than the clock; look for 'clocksource' in the kernel's log (dmesg)"
        return Finding(Area.MACHINE, "clock", State.WARN, seen, advice)
    seen = f"the clock is {source}, in steps of {machine.clock_step_ns} ns"
    return Finding(Area.MACHINE, "clock", State.OK, seen)


def _supply(machine: Machine) -> Iterator[Finding]:
    bits = machine.throttled
    if bits is None:
        if machine.undervolted:
            yield Finding(Area.MACHINE, "supply", State.FAIL, _NOW[0], _SUPPLY)
        elif machine.undervolted is None:
            yield Finding(
                Area.MACHINE, "supply", State.NOTE, "this machine can't measure whether it is strong enough"
            )
        else:
            yield Finding(Area.MACHINE, "supply", State.OK, "strong enough now")
        return
    now = [words for bit, words in _NOW.items() if bits >> bit & 1]
    before = [words for bit, words in _NOW.items() if bits >> bit + 16 & 1 and not bits >> bit & 1]
    if bits & 1 or machine.undervolted:
        seen = ", ".join(dict.fromkeys((_NOW[0], *now)))
        yield Finding(Area.MACHINE, "supply", State.FAIL, f"{seen} ({bits:#x})", _SUPPLY)
    elif now:
        yield Finding(Area.MACHINE, "supply", State.WARN, f"{', '.join(now)} ({bits:#x})", _HEAT)
    if before:
        seen = f"since it was started it happened that {', that '.join(before)} ({bits:#x})"
        advice = _SUPPLY if bits >> 16 & 1 else _HEAT
        yield Finding(Area.MACHINE, "supply", State.WARN, seen, advice)
    if not now and not before and not machine.undervolted:
        yield Finding(Area.MACHINE, "supply", State.OK, "strong enough since it was started")


class Library(NamedTuple):
    """A library that every table needs."""

    name: str
    at_least: str
    job: str


NEEDED = (
    Library("gpiozero", "2.0.1.post3", "pins of simulated tables, and of three of the drivers"),
    Library("pyserial", "3.5", "readers and scoreboards"),
    Library("smbus2", "0.5", "the I2C bus"),
    Library("click", "8.2", "the command line"),
    Library("rich", "13.7", "pictures in the terminal"),
)
OF_DRIVER: dict[str, tuple[Library, ...]] = {
    "gpiod": (Library("gpiod", "2.3", "race buttons"),),
    "lgpio": (Library("lgpio", "0.2.2", "race buttons"),),
    "rpigpio": (Library("rpi-lgpio", "0.6", "race buttons"), Library("RPi.GPIO", "0.7.1", "race buttons")),
    "native": (),
}
"""What each driver of lines goes through: any one of these."""
SMALL_PROCESSORS = ("armv6l", "armv7l")
"""There are no ready-made packages of gpiod for these."""
LAST_WITH_LGPIO = (3, 12)
"""There are no ready-made packages of lgpio and RPi.GPIO for a later Python."""
_SYSTEMS_GPIOD = (
    "sudo apt install python3-libgpiod, and: sudo python3 -m venv --system-site-packages /opt/ligretto-table"
)
_OTHER_DRIVER = 'set driver = "{}" in [gpio] of the profile'


def judge_libraries(machine: Machine, profiles: Sequence[Profile]) -> Iterator[Finding]:
    """Whether everything is installed that these profiles need."""
    yield Finding(Area.MACHINE, "python", State.OK, machine.python)
    missing = [finding for library in NEEDED if (finding := _fault(machine, library))]
    for driver in dict.fromkeys(profile.driver for profile in profiles) or ("gpiod",):
        if OF_DRIVER[driver]:
            missing += _of_driver(machine, driver)
    yield from missing
    if not missing:
        versions = ", ".join(f"{name} {version}" for name, version in machine.libraries.items())
        yield Finding(Area.MACHINE, "libraries", State.OK, versions)


def _fault(machine: Machine, library: Library, driver: str = "") -> Finding | None:
    """What is wrong with one library; None if nothing is."""
    found = machine.libraries.get(library.name)
    if found is not None and numbers(found) >= numbers(library.at_least):
        return None
    need = f"the profile's driver '{driver}' needs it" if driver else f"it is needed for {library.job}"
    obstacle, advice = _not_from_pip(machine, driver)
    seen = f"{found} is older than {library.at_least}" if found else f"is not installed; {obstacle or need}"
    advice = advice or f"pip install '{library.name}>={library.at_least}'"
    return Finding(Area.MACHINE, library.name, State.FAIL, seen, advice)


def _of_driver(machine: Machine, driver: str) -> list[Finding]:
    """What is wrong with the library of a driver; where there are several, one that is right will do."""
    installed = [library for library in OF_DRIVER[driver] if library.name in machine.libraries]
    faults = [_fault(machine, library, driver) for library in installed or OF_DRIVER[driver][:1]]
    return [fault for fault in faults if fault] if all(faults) else []


def _not_from_pip(machine: Machine, driver: str) -> tuple[str, str]:
    """Why pip can't install the library of a driver here, and what to do instead; empty if it can."""
    small, python = machine.architecture in SMALL_PROCESSORS, numbers(machine.python)[:2]
    systems = _SYSTEMS_GPIOD if small else ""
    if driver == "gpiod" and small:
        older = f"{_OTHER_DRIVER.format('lgpio')}, and: pip install 'ligretto-table[lgpio]'"
        obstacle = f"there is no package of it for {machine.architecture}"
        return obstacle, systems if python > LAST_WITH_LGPIO else older
    if driver in ("lgpio", "rpigpio") and python > LAST_WITH_LGPIO:
        obstacle = f"there is no package of it for Python {python[0]}.{python[1]}"
        return obstacle, "; ".join(filter(None, (_OTHER_DRIVER.format("gpiod"), systems)))
    return "", ""


def numbers(version: str) -> tuple[int, ...]:
    """All numbers of a version, to be compared."""
    return tuple(map(int, re.findall(r"[0-9]+", version)))


# Judges whether the kernel works around a fault of the GPIO chips of a Pi before the 5.
#
# Their chip may lose an edge that comes close to one of another pin. The Pi's own kernel has worked around it
# since May 2023 (raspberrypi/linux, pull request 5457): its interrupt handler compares levels. The
# mainline kernel does not. The table finds what is lost by the levels in any case, but too late to judge it.


LOSSY_CHIPS = ("pinctrl-bcm2835", "pinctrl-bcm2711")
OLD = (6, 1, 27)
"""The first kernel that may have it: the one of May 2023."""
SURE_6_1 = (6, 1, 54)
"""The first kernel of Debian 12 on a Pi; from here on each 6.1 of the Pi's own has it."""
SURE = (6, 5, 0)
"""From here on each of the Pi's own has it."""

_PACKAGED = re.compile(r"\b1:([0-9]+)\.([0-9]+)\.([0-9]+)-")
"""The true version, where the kernel's name only has that of its interfaces, as 6.1.0-rpi4-rpi-v8."""
_NAMED = re.compile(r"([0-9]+)\.([0-9]+)\.([0-9]+)")
_FROM_PI = re.compile(r"rpi|rpt|-v[678]l?(-16k)?\+")
_MAYBE_FROM_PI = re.compile(r"raspi|\+$")
_UPDATE = "update the system (sudo apt full-upgrade); Raspberry Pi OS has had it since Debian 12"
_INSTALL = "fine for a test; for an event install Raspberry Pi OS, whose kernel has it"


def judge_lost_edges(machine: Machine, gpio: Gpio) -> Iterator[Finding]:
    """A finding on whether the kernel has the workaround; none for a chip without the fault."""
    if gpio.chip is None or gpio.chip.label not in LOSSY_CHIPS:
        return
    has, why = _workaround(machine)
    fault = "the workaround for edges that this chip loses when two pins change together"
    if has is None:
        yield Finding(Area.GPIO, "lost edges", State.NOTE, f"it is not known whether {why} has {fault}")
    elif has:
        yield Finding(Area.GPIO, "lost edges", State.OK, f"{why} has {fault}")
    else:
        advice = _UPDATE if _FROM_PI.search(machine.kernel) else _INSTALL
        yield Finding(Area.GPIO, "lost edges", State.WARN, f"{why} does not have {fault}", advice)


def _workaround(machine: Machine) -> tuple[bool | None, str]:
    """Whether the kernel has it, if that is known, and what to call that kernel."""
    kernel = machine.kernel
    version = _version(machine)
    if version is None:
        return None, f"kernel '{kernel}'"
    if version < OLD:
        return False, f"kernel {kernel}"
    if _FROM_PI.search(kernel):
        sure = version >= (SURE_6_1 if version < (6, 2) else SURE)
        return sure or None, f"kernel {kernel}"
    if _MAYBE_FROM_PI.search(kernel):
        return None, f"kernel {kernel}"
    return False, f"kernel {kernel}, which is not the Pi's own,"


def _version(machine: Machine) -> tuple[int, ...] | None:
    found = _PACKAGED.search(machine.build) or _NAMED.match(machine.kernel)
    return tuple(map(int, found.groups())) if found else None


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


MB = 1_000_000


LITTLE, TOO_LITTLE = 200 * MB, 10 * MB


SLOW_NS, SLOW_EACH_NS = 1000 * MS, 60 * MS


"""What nobody notices at the end of a round, and before each verdict."""


ELSEWHERE = "or name another file in [store]"


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
    """What is damaged in the file, so that the daemon would keep it aside."""
    refused: str = ""
    """Why the daemon could not use the file as it is, and ..."""
    advice: str = ""
    """... what to do."""
    sqlite: str = ""
    """The version of SQLite."""


def judge_disk(disk: Disk, config: StoreConfig, user: User, service: ServiceUser) -> Iterator[Finding]:
    """Whether the table can remember what happens; it is the service that has to."""
    if disk.hidden:
        seen = f"this user may not look into {disk.folder}"
        yield Finding(Area.STORE, "folder", State.NOTE, seen, _tried_by(service.user))
        return
    if not disk.there:
        seen = f"there is no folder {disk.folder}"
        advice = f"{_whose(service)}sudo install -d -o {service.user} {disk.folder}; {ELSEWHERE}"
        yield Finding(Area.STORE, "folder", State.FAIL, seen, advice)
        return
    if not disk.writable:
        yield _closed(disk, user, service)
    yield _room(disk)
    if disk.writable:
        yield _speed(disk, config.sync)
    yield _file(disk)


def _closed(disk: Disk, user: User, service: ServiceUser) -> Finding:
    """Why this user may not write there, which may be no fault."""
    if disk.read_only:
        seen = f"{disk.folder} is in a read-only file system"
        advice = (
            "see the kernel log (dmesg) for the reason, or turn off the overlay file system (raspi-config)"
        )
        return Finding(Area.STORE, "folder", State.FAIL, seen, advice)
    if disk.owner != service.user:
        seen = f"this user may not write in {disk.folder}"
        advice = f"{_whose(service)}sudo chown {service.user} {disk.folder}; {ELSEWHERE}"
        return Finding(Area.STORE, "folder", State.FAIL, seen, advice)
    if not disk.for_its_owner or user.name == disk.owner:
        seen = f"{disk.folder} belongs to {disk.owner}, who may not write there either"
        return Finding(Area.STORE, "folder", State.FAIL, seen, f"sudo chmod u+rwx {disk.folder}")
    seen = f"{disk.folder} belongs to the service's user {disk.owner}, and only that user may write there"
    return Finding(Area.STORE, "folder", State.NOTE, seen, _tried_by(disk.owner))


def _tried_by(user: str) -> str:
    return f"run the doctor as the service to try it: sudo -u {user} ligretto-table doctor"


def _whose(service: ServiceUser) -> str:
    """What has to be done before anything can be given to the service."""
    return (
        ""
        if service.there
        else f"sudo ligretto-table install-service (there is no user {service.user}), then "
    )


def _room(disk: Disk) -> Finding:
    seen = f"{disk.free_bytes / MB:,.0f} MB are free in {disk.folder}"
    if disk.free_bytes < LITTLE:
        state = State.FAIL if disk.free_bytes < TOO_LITTLE else State.WARN
        return Finding(
            Area.STORE, "room", state, seen, "free some: `sudo du -xh / | sort -h` shows what is big"
        )
    return Finding(Area.STORE, "room", State.OK, seen)


def _speed(disk: Disk, sync: str) -> Finding:
    if disk.trouble or not disk.sync_ns:
        seen = f"a test file could not be written safely: {disk.trouble or 'nothing was measured'}"
        return Finding(Area.STORE, "speed", State.FAIL, seen, "look for the disk in the kernel log (dmesg)")
    middle_ns, worst_ns = sorted(disk.sync_ns)[len(disk.sync_ns) // 2], max(disk.sync_ns)
    seen = f"a safe write takes {middle_ns / MS:.1f} ms, at worst {worst_ns / MS:.1f} ms"
    if sync == "verdicts" and worst_ns > SLOW_EACH_NS:
        advice = 'each verdict would wait that long: set sync = "rounds" in [store], or use a faster disk'
        return Finding(Area.STORE, "speed", State.WARN, seen, advice)
    if worst_ns > SLOW_NS:
        return Finding(
            Area.STORE, "speed", State.WARN, seen, "use another card: this one is slow or worn out"
        )
    return Finding(Area.STORE, "speed", State.OK, seen)


def _file(disk: Disk) -> Finding:
    if disk.refused:
        return Finding(Area.STORE, "file", State.FAIL, disk.refused, disk.advice)
    if disk.size_bytes is None:
        return Finding(
            Area.STORE, "file", State.NOTE, f"{disk.file} does not exist yet; the daemon creates it"
        )
    seen = f"{disk.file} has {disk.size_bytes / MB:,.1f} MB"
    if disk.broken:
        advice = "the daemon keeps a broken file aside and begins a new one; copy it first if you need it"
        return Finding(Area.STORE, "file", State.WARN, f"{disk.file} can't be read: {disk.broken}", advice)
    return Finding(Area.STORE, "file", State.OK, f"{seen}, and is sound (SQLite {disk.sqlite})")


MOST_NAMED = 5


def judge_config(name: str, faults: Sequence[str]) -> Iterator[Finding]:
    """Each fault of the configuration, or that there is none."""
    for fault in faults:
        yield Finding(Area.CONFIG, name, State.FAIL, fault, "fix it, then: ligretto-table check")
    if not faults:
        yield Finding(Area.CONFIG, name, State.OK, "has no fault")


def judge_tags(
    registry: Registry, profiles: Iterable[Profile], open_seats: Collection[int] = ()
) -> Iterator[Finding]:
    """Whether everything that is played with has its tag; without `open_seats` all seats may be played at."""
    read = [profile for profile in profiles if profile.readers]
    if not read:
        yield Finding(Area.TAGS, "registry", State.OK, "the profile has no readers, so none are needed")
        return
    if not registry:
        advice = "enrol them: ligretto-table tags enrol"
        yield Finding(Area.TAGS, "registry", State.FAIL, "no tag is enrolled", advice)
        return
    known = set(registry.values())
    missing = [each for profile in read for each in _missing(known, profile, open_seats)]
    for subject, things in missing:
        if things:
            seen = f"{len(things)} have no tag: {named(things, MOST_NAMED)}"
            advice = "enrol them: ligretto-table tags enrol"
            yield Finding(Area.TAGS, subject, State.FAIL, seen, advice)
    if not any(things for _, things in missing):
        yield Finding(Area.TAGS, "registry", State.OK, f"{len(registry)} tags, and none is missing")


def _missing(
    known: Collection[object], profile: Profile, open_seats: Collection[int]
) -> list[tuple[str, list[str]]]:
    """What a game is played with, and what of it has no tag."""
    if profile.game != "cards":
        return [(f"{colour.word} dice", _missing_faces(known, colour)) for colour in Colour]
    every = range(1, profile.seats + 1)
    seats = [seat for seat in every if seat in open_seats] or every
    return [(f"cards of seat {seat}", _missing_cards(known, seat)) for seat in seats]


def _missing_cards(known: Collection[object], seat: int) -> list[str]:
    cards = [Card(seat, colour, number) for colour in Colour for number in range(1, CARD_NUMBERS + 1)]
    return [str(card) for card in cards if card not in known]


def _missing_faces(known: Collection[object], colour: Colour) -> list[str]:
    faces = [DieFace(die, face) for die in range(1, DICE + 1) for face in range(1, FACES + 1)]
    return [str(face) for face in faces if face.colour is colour and face not in known]
