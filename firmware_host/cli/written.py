"""Files that commands write: as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from firmware_host.errors import BadSettings

READABLE = 0o644


def write_whole(path: Path, data: bytes) -> None:
    """Put this in its place: whatever happens, either what was there is there, or all of this."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device can't be replaced
        else:
            _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        raise BadSettings([f"{path} can't be written: {error.strerror or error}"]) from None


def _replace(path: Path, data: bytes) -> None:
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(descriptor, path.stat().st_mode & 0o777 if path.exists() else READABLE)
            os.fsync(descriptor)
        os.replace(draft, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise
