"""Where a health page goes while its usual place can't be written: a full disk, a folder that is gone.

A daemon that somebody runs by hand has its page beside its store, and so loses both at once, just when
people want to know what is the matter. The spare folder is in memory, which does not fill up with a disk.
Everybody may make folders there, so one counts only if it is a real folder of the right user in which
nobody else may write.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

ROOTS = (Path("/dev/shm"), Path("/tmp"))
_OF_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def own_spare_folders(make: bool = False) -> Iterator[Path]:
    """The spare folders of this user, the best one first."""
    for root in ROOTS:
        folder = _named(root, os.geteuid())
        if make:
            with suppress(OSError):  # it is there, or there is no such memory here
                folder.mkdir(mode=0o755)
        if _is_of(folder, os.geteuid()):
            yield folder


def trusted_spare_folders() -> list[Path]:
    """Those of this user and of root: nobody else can lead this user astray."""
    users = sorted({os.geteuid(), 0}, reverse=True)
    folders = [(_named(root, user), user) for user in users for root in ROOTS]
    return [folder for folder, user in folders if _is_of(folder, user)]


def _named(root: Path, user: int) -> Path:
    return root / f"ligretto-table-{user}"


def _is_of(folder: Path, user: int) -> bool:
    """Whether this is a folder, and no link to one, that only that user can have written in."""
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == user and not status.st_mode & _OF_OTHERS
