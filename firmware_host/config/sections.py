"""The settings of a file: each knows its path, and sections find them by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.config.setting_lines import KeyPath, name_of


@dataclass(frozen=True, slots=True)
class FileSetting:
    """A setting in a file; its value is None if it is missing."""

    path: KeyPath
    value: Any = None
    muted: bool = False  # the reason why it is missing has been reported

    def __str__(self) -> str:
        return name_of(self.path)

    @property
    def name(self) -> str:
        """Its own name, without the names of the sections around it."""
        return str(self.path[-1])

    @property
    def entries(self) -> list[FileSetting]:
        """The entries of a list."""
        return [FileSetting((*self.path, number), value) for number, value in enumerate(self.value)]


class Section(Mapping[str, FileSetting]):
    """The settings of a section by their right names; a missing one can be asked for, too."""

    def __init__(self, path: KeyPath, found: Mapping[str, FileSetting], *, muted: bool = False) -> None:
        self.path = path
        self._found = dict(found)
        self.muted = muted
        """Whether it can't be read, and that has been reported."""

    @property
    def whole(self) -> FileSetting:
        """The section as a setting, for faults of the whole section."""
        return FileSetting(self.path, dict(self._found), self.muted)

    def __getitem__(self, name: str) -> FileSetting:
        return self._found.get(name) or FileSetting((*self.path, name), None, self.muted)

    def __contains__(self, name: object) -> bool:
        return name in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
