"""Checksums of the pages of a store, to find out whether another program has changed it.

Its size and its time of change show that something may have happened. But a program may change only the time
(`touch`, a restored backup), and then the store is as good as before.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

PAGE = 4096


class PageSums:
    """The checksum of each page at the time when it was made or renewed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._sums = _sums_of(path)

    def renew(self, pages: Mapping[int, bytes], count: int) -> None:
        """Renew the sums of pages that we have written (the first is 1); the file has `count`."""
        self._sums = [*self._sums[:count], *[0] * (count - len(self._sums))]
        for number, page in pages.items():
            if number <= count:
                self._sums[number - 1] = zlib.crc32(page)

    def still_fit(self) -> bool:
        """Whether the contents of the file are the same as before."""
        return _sums_of(self._path) == self._sums


def _sums_of(path: str) -> list[int]:
    with open(path, "rb") as file:
        return [zlib.crc32(page) for page in iter(lambda: file.read(PAGE), b"")]
