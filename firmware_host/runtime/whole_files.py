"""Files that are replaced as a whole: whatever happens, either what was there is there, or all of the new."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

READABLE = 0o644


def replace_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Put this in its place, at once and for good; OSError says why not.

    A link stays one. Without a mode the file stays whose it was, and may be read by whom it could be read;
    a new one by everybody.
    """
    target = Path(os.path.realpath(path))
    descriptor, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}-")
    try:
        with open(descriptor, "wb") as file:
            _take_after(target, descriptor) if mode is None else os.fchmod(descriptor, mode)
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        os.replace(draft, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
    _sync_folder(target.parent)


def _take_after(target: Path, descriptor: int) -> None:
    try:
        old = target.stat()
    except FileNotFoundError:
        os.fchmod(descriptor, READABLE)
        return
    with suppress(PermissionError):  # only root may give a file away
        os.fchown(descriptor, old.st_uid, old.st_gid)
    os.fchmod(descriptor, old.st_mode & 0o777)


def _sync_folder(folder: Path) -> None:
    """What a folder's list says of a file is written down apart from the file."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
