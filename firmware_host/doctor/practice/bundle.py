"""Packs what a helper wants to know into one file, without what says whose machine it is.

The file is there wholly or not at all. Its parts have no owner and no date, so it tells nothing by itself.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from firmware_host.errors import TableError
from firmware_host.runtime.whole_files import replace_whole

FOLDER = "ligretto-table"
PRIVATE = 0o600
README = """What is in here, and what is not

{contents}

Replaced by words such as USER-1, HOST-1, SERIAL-1 and ADDRESS-1, the same word for the same thing
everywhere: names of users, events and the machine, homes, serial numbers, addresses of networks. Numbers
of tags are replaced by others. Look through it before you hand it on.
"""


class CannotPack(TableError):
    """The bundle can't be written."""


class Part(NamedTuple):
    """One file of a bundle."""

    name: str
    data: bytes
    words: str
    """What it is, in a few words."""


def pack(path: Path, parts: Sequence[Part]) -> list[str]:
    """Write the bundle; what is in it, line by line."""
    contents = [f"{part.name:<16} {len(part.data):>10,} bytes  {part.words}" for part in parts]
    readme = README.format(contents="\n".join(contents)).encode()
    try:
        replace_whole(path, _packed([Part("README.txt", readme, ""), *parts]), PRIVATE)
    except OSError as error:
        raise CannotPack(f"{path} can't be written: {error.strerror or error}; name another file") from None
    return contents


def _packed(parts: Sequence[Part]) -> bytes:
    """Neither a name nor a time stands in its head."""
    packed = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as pressed,
        tarfile.open(fileobj=pressed, mode="w", format=tarfile.PAX_FORMAT) as bundle,
    ):
        for part in parts:
            entry = tarfile.TarInfo(f"{FOLDER}/{part.name}")
            entry.size = len(part.data)
            bundle.addfile(entry, io.BytesIO(part.data))
    return packed.getvalue()
