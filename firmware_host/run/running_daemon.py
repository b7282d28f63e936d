"""A daemon as others see it: whether it runs, what its page says, and whether it still answers.

It runs as long as the lock on its store is held. Where nobody can tell that, or the disk could not take a
lock, the process has to be the one that wrote the page: a number is given again when its process has ended.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.model.times import S
from firmware_host.run.health import since_boot_ns, trusted_spare_folders
from firmware_host.store.store_lock import is_locked

SERVICE_FOLDER = Path("/run/ligretto-table")
"""Where systemd lets the daemon keep its health page."""
SILENT_NS = 20 * S
"""A page that is older than this is not written any more; it is written every five seconds."""


@dataclass(frozen=True, slots=True)
class Running:
    """A daemon that runs."""

    page: Mapping[str, Any]
    """The last page that it wrote."""
    silent: bool
    """Whether it has not written for so long that it must be hanging."""
    folder: Path
    """Where its page is, and its sockets."""

    @property
    def age_ns(self) -> int:
        """How long ago it wrote that page."""
        return since_boot_ns() - int(self.page["stamp_ns"])

    @property
    def store(self) -> str:
        """The file that it keeps what happens in."""
        return str(self.page["store"])

    @property
    def config(self) -> str:
        """Its table.toml."""
        return str(self.page.get("config", ""))


def running_service() -> Running | None:
    """The daemon that runs as a service; None if none does."""
    return running_in(SERVICE_FOLDER)


def running_in(folder: Path) -> Running | None:
    """The daemon whose page is in this folder; None if there is none, or if it has ended."""
    return _running_by(folder / HEALTH_FILE)


def running_spare() -> list[Running]:
    """The daemons that can't write their pages at the usual places; those of this user and of root."""
    pages = [page for folder in trusted_spare_folders() for page in sorted(folder.glob("*.json"))]
    return [running for page in pages if (running := _running_by(page)) is not None]


def _running_by(file: Path) -> Running | None:
    """The daemon that has written this page, if it still runs."""
    try:
        page = json.loads(file.read_text(encoding="utf-8"))
        pid, stamp_ns, store = int(page["pid"]), int(page["stamp_ns"]), str(page["store"])
        for path in (store, str(page.get("config", ""))):
            os.access(path, os.F_OK)  # a ValueError where nothing can be called that
    except (OSError, ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return None
    silent = not 0 <= since_boot_ns() - stamp_ns <= SILENT_NS
    locked = is_locked(store)
    if not locked and (not _is_there(pid, stamp_ns) or (silent and locked is False)):
        return None
    return Running(page, silent, file.parent)


def _is_there(pid: int, stamp_ns: int) -> bool:
    """Whether there still is the process that wrote then under this number."""
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass  # it is there, and somebody else's
    try:
        about = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True  # some machines hide what others run
    state, *fields = about.rpartition(")")[2].split()
    begun_ns = int(fields[18]) * S // os.sysconf("SC_CLK_TCK")
    return state not in "ZX" and begun_ns <= stamp_ns
