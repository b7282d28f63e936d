"""What comes of it while tags are enrolled: for the file, and for whoever tells it."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.config.tags import Enrolled


@dataclass(frozen=True, slots=True)
class Asked:
    """This one is wanted now, the n-th of so many; at any reader as long as none is chosen."""

    item: Enrolled
    number: int
    of: int
    reader: int | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """All the others shall be held to this reader too."""

    reader: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A tag stands for what was asked for from now on."""

    item: Enrolled
    uid: str
    before: Enrolled | None = None  # what it stood for until now; that has no tag any more
    instead_of: str | None = None  # the tag that the item had until now; that is unknown from now on


@dataclass(frozen=True, slots=True)
class Stayed:
    """What was asked for has been shown with the tag that it has already."""

    item: Enrolled
    uid: str


@dataclass(frozen=True, slots=True)
class Known:
    """The tag stands for something else already; if that is offered, it moves when it is left there."""

    uid: str
    item: Enrolled
    offered: bool


@dataclass(frozen=True, slots=True)
class Crowded:
    """More than one tag lies there."""

    uids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoneSoon:
    """A tag was there, but not for long enough."""


@dataclass(frozen=True, slots=True)
class LiesThere:
    """What lies on this reader does not count before it has been taken off."""

    reader: int


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A tag came to a reader at which nobody was asked to hold it."""

    reader: int
    uid: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """This one is left out."""

    item: Enrolled


@dataclass(frozen=True, slots=True)
class AtFirst:
    """There is none to go back to."""


@dataclass(frozen=True, slots=True)
class Blinded:
    """Nothing can go on without this reader."""

    reader: int


News = (
    Asked
    | Chosen
    | Kept
    | Stayed
    | Known
    | Crowded
    | GoneSoon
    | LiesThere
    | Elsewhere
    | Skipped
    | AtFirst
    | Blinded
)
