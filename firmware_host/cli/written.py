"""Files that commands write: as a whole or not at all."""

from __future__ import annotations

from pathlib import Path

from firmware_host.errors import BadSettings
from firmware_host.runtime.whole_files import replace_whole


def write_whole(path: Path, data: bytes) -> None:
    """Put this in its place; BadSettings says why it can't be."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe or a device can't be replaced
        else:
            replace_whole(path, data)
    except OSError as error:
        raise BadSettings([f"{path} can't be written: {error.strerror or error}"]) from None
