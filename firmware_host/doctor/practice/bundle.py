"""Packs what a helper wants to know into one file.

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

Nothing in here was copied. Messages are those of this program: what stood in their gaps is left out (…)
unless it is something like a number, a seat, or a port as every Linux has it. The event, titles, files and
what anybody has written is left out; names of devices and ports that somebody has made up, and numbers of
tags, have stand-ins, the same for the same thing everywhere. store.db can be replayed:
ligretto-table replay --store store.db --chapter 1
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
