"""What can happen while tags are enrolled: at the readers, and at the keys of a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Came:
    """A tag came to a reader."""

    reader: int
    uid: str
    early: bool = False  # it may have lain there before anybody was asked for it


@dataclass(frozen=True, slots=True)
class Went:
    """A tag went away from a reader."""

    reader: int
    uid: str


@dataclass(frozen=True, slots=True)
class Lost:
    """A reader does not work."""

    reader: int


@dataclass(frozen=True, slots=True)
class Found:
    """A reader works again."""

    reader: int


class Key(Enum):
    """What a person at the terminal wants."""

    SKIP = "s"  # leave this one out
    BACK = "b"  # do the last one again
    QUIT = "q"  # enough for now


Happening = Came | Went | Lost | Found | Key
