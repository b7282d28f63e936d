"""The place of the store: room, speed, and whether the file is sound. Nothing is left behind there."""

from __future__ import annotations

import os
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

from firmware_host.runtime.assembly.probing.facts import Disk
from firmware_host.runtime.assembly.probing.ground import Ground

TRIALS = 10
PAGE = bytes(4096)


def look_at_disk(ground: Ground, file: str) -> Disk:
    """The folder of a store and the store itself."""
    path = Path(ground.at(file))
    folder = path.parent
    if not folder.is_dir():
        return Disk(file=file, folder=ground.named(os.fspath(folder)))
    room = os.statvfs(folder)
    sync_ns, trouble = _sync_times(folder)
    size = path.stat().st_size if path.exists() else None
    return Disk(
        file=file,
        folder=ground.named(os.fspath(folder)),
        there=True,
        writable=os.access(folder, os.W_OK | os.X_OK, effective_ids=True),
        free_bytes=room.f_bavail * room.f_frsize,
        sync_ns=sync_ns,
        trouble=trouble,
        size_bytes=size,
        broken="" if size is None else _broken(path),
    )


def open_store_file(path: Path) -> sqlite3.Connection:
    """A store to read from, without leaving anything beside it; sqlite3.Error if it can't be."""
    # A reader makes the companions of a write-ahead log if they are missing, and they stay, owned by
    # whoever that was. Without a log the file can't change under us, so it needs none of them.
    logged = Path(f"{path}-wal").exists()
    if logged and not Path(f"{path}-shm").exists():
        raise sqlite3.OperationalError("it was not closed; `ligretto-table run` brings it in order")
    quoted = os.fspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return sqlite3.connect(f"file:{quoted}?mode=ro{'' if logged else '&immutable=1'}", uri=True, timeout=2.0)


def _broken(path: Path) -> str:
    """What is wrong with a store; '' if nothing is."""
    try:
        with closing(open_store_file(path)) as connection:
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
