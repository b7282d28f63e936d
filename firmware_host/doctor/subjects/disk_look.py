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
from firmware_host.errors import TableError
from firmware_host.store.damage import Damaged
from firmware_host.store.store_health import refusal
from firmware_host.store.store_opening import try_to_open

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
