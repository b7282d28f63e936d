"""Judges the place of the store: room, speed, and whether the file is sound."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from firmware_host.feed.addresses import SERVICE
from firmware_host.model.places import CARD_NUMBERS, DICE, FACES, Card, Colour, DieFace
from firmware_host.model.times import MS
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import StoreConfig
from firmware_host.profile.tags import Registry
from firmware_host.workshop.doctor.findings import Area, Finding, State, named

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
