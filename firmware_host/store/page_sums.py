"""Checksums of the pages of a store, to find out whether another program has changed it.

Its size and its time of change show that something may have happened. But a program may change only the time
(`touch`, a restored backup), and then the store is as good as before.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable

PAGE = 4096


class PageSums:
    """The checksum of each page at the time when it was made or renewed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._sums = _sums_of(path)

    def renew(self, pages: Iterable[int]) -> None:
        """Renew the sums of pages that we have written (the first is 1); the size may have changed."""
        with open(self._path, "rb") as file:
            count = -(-os.fstat(file.fileno()).st_size // PAGE)
            self._sums = [*self._sums[:count], *[0] * (count - len(self._sums))]
            for page in sorted(page for page in pages if 0 < page <= count):
                file.seek((page - 1) * PAGE)
                self._sums[page - 1] = zlib.crc32(file.read(PAGE))

    def still_fit(self) -> bool:
        """Whether the contents of the file are the same as before."""
        return _sums_of(self._path) == self._sums


def _sums_of(path: str) -> list[int]:
    with open(path, "rb") as file:
        return [zlib.crc32(page) for page in iter(lambda: file.read(PAGE), b"")]
