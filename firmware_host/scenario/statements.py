"""What a scenario file is made of, as values."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_host.events import Command, TroubleReport
from firmware_host.places import Source, Spot, Tag
from firmware_host.settings import Settings


@dataclass(frozen=True, slots=True)
class Input:
    """An edge of a contact: true time `t_ns`, seen by the software at `arrival_ns`.

    A wide one was found by looking again, and happened up to `wide_ns` before `t_ns`.

    One in the background happens by itself later on: the file does not wait for it.
    """

    number: int
    t_ns: int
    arrival_ns: int
    source: Source
    active: bool
    background: bool = False
    wide_ns: int = 0


@dataclass(frozen=True, slots=True)
class Sighting:
    """A tag has come to a reader, or has gone, in the `wide_ns` before `t_ns`; reported at `arrival_ns`."""

    number: int
    t_ns: int
    arrival_ns: int
    at: Spot
    tag: Tag
    present: bool
    background: bool = False
    wide_ns: int = 0


@dataclass(frozen=True, slots=True)
class Order:
    """A command of the operator, or a report of a device."""

    number: int
    t_ns: int
    command: Command | TroubleReport


@dataclass(frozen=True, slots=True)
class Until:
    """Let time pass until then."""

    number: int
    t_ns: int


@dataclass(frozen=True, slots=True)
class Expect:
    """Something must be so now. `wanted` is in the same form as what the table is found to be."""

    number: int
    subject: str
    argument: str
    wanted: str

    def __str__(self) -> str:
        return " ".join(word for word in (self.subject, self.argument, self.wanted) if word)


Statement = Input | Sighting | Order | Until | Expect


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One file: how the table is set up, and what happens. The deal has an entry for each of its seats."""

    name: str
    title: str = ""
    profile: str = "dice4"
    ownership: str = ""
    """How dice are owned, if not as the profile says."""
    deal: tuple[int, ...]
    rounds: int | None = None
    expert: bool = False
    seed: int = 1
    settings: Settings = field(default_factory=Settings)
    position: str = ""
    playing: bool = True
    statements: tuple[Statement, ...] = ()
