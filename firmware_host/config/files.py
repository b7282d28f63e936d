"""The files that reading a table.toml needs. Others decide where they really are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from firmware_host.errors import TableError


class Unreadable(TableError):
    """A file that does not exist or may not be read, and why."""


class Missing(Unreadable):
    """A file that does not exist."""


class File(NamedTuple):
    """A file, with its name for messages."""

    name: str
    text: str


class Files(Protocol):
    """The files that a table.toml can name."""

    @property
    def profiles(self) -> Sequence[str]:
        """The names of the profiles that come with the package."""

    def profile(self, name: str) -> File:
        """One of them."""

    def beside(self, path: str) -> str:
        """The path of a file whose name is relative to the table.toml."""

    def read(self, path: str) -> File:
        """A file of the operator; Missing or Unreadable, or BadSettings if it is not text."""

    def tags(self, path: str) -> File:
        """The same for a tags file."""

    def place(self, path: str) -> str:
        """The absolute path of a file, with all links followed."""

    def same(self, one: str, other: str) -> bool:
        """Whether two paths lead to the same file, even if it does not exist."""

    def kind_of(self, path: str) -> str:
        """What is in the place of a regular file, such as 'a named pipe'; empty for a folder or nothing."""

    def folder_in_place_of(self, path: str) -> bool:
        """Whether there is a folder where a file should be."""

    def file_above(self, path: str) -> str:
        """The file that is where a folder of this path should be; empty if there is none."""
