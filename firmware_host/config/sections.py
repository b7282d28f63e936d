"""The settings of a file: each knows where it stands, and sections find them by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.config.setting_lines import KeyPath, name_of


@dataclass(frozen=True, slots=True)
class FileSetting:
    """One setting as a file has it; its value is None if it is not there."""

    path: KeyPath
    value: Any = None
    muted: bool = False  # the fault that keeps it from being there has been told

    def __str__(self) -> str:
        return name_of(self.path)

    @property
    def name(self) -> str:
        """Its own name, without those of the sections around it."""
        return str(self.path[-1])

    @property
    def entries(self) -> list[FileSetting]:
        """The entries of a list."""
        return [FileSetting((*self.path, number), value) for number, value in enumerate(self.value)]


class Section(Mapping[str, FileSetting]):
    """The settings of a section by the names that they should have; any can be asked for, there or not."""

    def __init__(self, path: KeyPath, found: Mapping[str, FileSetting], *, muted: bool = False) -> None:
        self.path = path
        self._found = dict(found)
        self.muted = muted
        """Whether it can't be read, and that has been told."""

    @property
    def whole(self) -> FileSetting:
        """The section as a setting, for faults of all of it."""
        return FileSetting(self.path, dict(self._found), self.muted)

    def __getitem__(self, name: str) -> FileSetting:
        return self._found.get(name) or FileSetting((*self.path, name), None, self.muted)

    def __contains__(self, name: object) -> bool:
        return name in self._found

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)
