"""The place of the store: room, speed, and whether the file is sound. Nothing is left behind there."""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
import time
from pathlib import Path

from firmware_host.doctor.subjects.disk_findings import Disk
from firmware_host.doctor.subjects.rights_look import user_names
from firmware_host.doctor.system import System
from firmware_host.store.copies import opened_to_read
from firmware_host.store.damage import telling_damage

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
        broken="" if size is None else _broken(path),
    )


def _broken(path: Path) -> str:
    """What is wrong with a store; '' if nothing is."""
    try:
        with telling_damage(), opened_to_read(os.fspath(path)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return str(error)
    return "" if verdict == "ok" else str(verdict).splitlines()[0]


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
