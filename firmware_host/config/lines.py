"""In which line of a TOML text each setting stands.

A setting is named by its path: the names of the sections and keys that lead to it, and for an
entry of a list its place there, counted from 0. So `[banks.left]` and `address = 0x20` below it are
("banks", "left") and ("banks", "left", "address"), and the second pin of a row is ("slots", "red", 1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from firmware_host.tag_text import shortened

KeyPath = tuple[str | int, ...]
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def name_of(path: KeyPath) -> str:
    """A path as people write it, entries of lists counted from 1: `slots.red[2]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            short = shortened(part)
            text += ("." if text else "") + (part if _BARE.fullmatch(short) else repr(short))
    return text


class Lines(Mapping[KeyPath, int]):
    """The line of each path, counted from 1; `near` also knows where a path that is missing would be."""

    def __init__(self, lines: Mapping[KeyPath, int]) -> None:
        self._lines = dict(lines)

    def near(self, path: KeyPath) -> int:
        """The line of a path, or of the closest section around it."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 1)

    def __getitem__(self, path: KeyPath) -> int:
        return self._lines[path]

    def __iter__(self) -> Iterator[KeyPath]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)
