"""What reading a table.toml needs of the files around it; where they really are is for others to know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from firmware_host.errors import TableError


class Unreadable(TableError):
    """A file that is not there, or may not be read; says why."""


class Missing(Unreadable):
    """A file that is not there."""


class File(NamedTuple):
    """A file by the name under which its faults are told."""

    name: str
    text: str


class Files(Protocol):
    """The files that a table.toml can speak of."""

    @property
    def profiles(self) -> Sequence[str]:
        """The names of the profiles that come with the package."""

    def profile(self, name: str) -> File:
        """One of them."""

    def beside(self, path: str) -> str:
        """The path of a file that is named as seen from where the table.toml is."""

    def read(self, path: str) -> File:
        """A file of one's own; Missing or Unreadable, or BadSettings if it is no text."""

    def tags(self, path: str) -> File:
        """The same of a tags file."""

    def place(self, path: str) -> str:
        """Where a path leads in the end, from the root on, with all links followed."""

    def same(self, one: str, other: str) -> bool:
        """Whether two paths lead to the same file, whether it is there or not."""

    def kind_of(self, path: str) -> str:
        """What there is in place of a regular file, such as 'a named pipe'; empty for a folder or nothing."""

    def folder_in_place_of(self, path: str) -> bool:
        """Whether there is a folder where a file should be."""

    def file_above(self, path: str) -> str:
        """The file that is where a folder of this path should be; empty if none is in the way."""
