"""Judges the place of the store: room, speed, and whether the file is sound."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.config.table import StoreConfig
from firmware_host.doctor.findings import Area, Finding, State
from firmware_host.doctor.subjects.rights_findings import ServiceUser, User
from firmware_host.durations import MS

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
