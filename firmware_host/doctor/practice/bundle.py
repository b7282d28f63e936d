"""Packs what a helper wants to know into one file, without what says whose machine it is.

Its parts have no owner and no date, so it tells nothing by itself.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Sequence
from typing import NamedTuple

FOLDER = "ligretto-table"
README = """What is in here, and what is not

{contents}

Replaced by words such as USER-1, HOST-1, SERIAL-1 and ADDRESS-1, the same word for the same thing
everywhere: names of users, events and the machine, homes, serial numbers, addresses of networks. Numbers
of tags are replaced by others. Look through it before you hand it on.
"""


class Part(NamedTuple):
    """One file of a bundle."""

    name: str
    data: bytes
    words: str
    """What it is, in a few words."""


def pack(parts: Sequence[Part]) -> tuple[list[str], bytes]:
    """What is in the bundle, line by line, and all of it."""
    contents = [f"{part.name:<16} {len(part.data):>10,} bytes  {part.words}" for part in parts]
    readme = README.format(contents="\n".join(contents)).encode()
    return contents, _packed([Part("README.txt", readme, ""), *parts])


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
