"""What a store holds, page by page, to tell whether another program has changed it.

The size and the time of change tell that something may have happened. But a program may change the time
alone (`touch`, a backup that is put back), and then the store is as good as before.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable

PAGE = 4096


class PageSums:
    """The checksum of each page, as the file was when they were made or renewed."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._sums = _sums_of(path)

    def renew(self, pages: Iterable[int]) -> None:
        """These pages (the first is 1) were written by ourselves, and the file may have another size now."""
        with open(self._path, "rb") as file:
            count = -(-os.fstat(file.fileno()).st_size // PAGE)
            self._sums = [*self._sums[:count], *[0] * (count - len(self._sums))]
            for page in sorted(page for page in pages if 0 < page <= count):
                file.seek((page - 1) * PAGE)
                self._sums[page - 1] = zlib.crc32(file.read(PAGE))

    def still_fit(self) -> bool:
        """Whether the file holds the same as before."""
        return _sums_of(self._path) == self._sums


def _sums_of(path: str) -> list[int]:
    with open(path, "rb") as file:
        return [zlib.crc32(page) for page in iter(lambda: file.read(PAGE), b"")]
