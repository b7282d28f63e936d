"""Everything around one table that is not the game: its devices at work, and the clock they go by.

Equipment outlives the games that are played on it: referees come and go, contacts, lamps and readers stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from firmware_host.places import Source
from firmware_host.runtime.intake import Intake
from firmware_host.runtime.soundboard import Soundboard
from hw.clock import Clock
from hw.ports import Edge, EdgeSource, Gap, Health, LedPanel, Scoreboard, TagRead

Report = Edge | Gap | Health | TagRead


class Reporter(Protocol):
    """Whatever has something to report: lines, readers, or the health of all devices."""

    def read(self) -> Sequence[Report]:
        """What arrived since the last call."""

    def fileno(self) -> int:
        """A descriptor that is readable while `read` has something."""

    def close(self) -> None:
        """Nothing more is reported."""


class World(Protocol):
    """A simulated world around the table, in which things happen at their own moments."""

    @property
    def due_ns(self) -> int | None:
        """When something happens next."""

    def run(self, until_ns: int) -> None:
        """Let everything happen that is due by then."""


@dataclass(slots=True)
class Equipment:
    """The devices of one table, opened. `assembly.equipping.equip` puts it together."""

    clock: Clock
    intake: Intake
    lines: Sequence[EdgeSource]
    leds: LedPanel
    scoreboard: Scoreboard
    uncertainty_ns: int
    """How far any stamp of these drivers may be from the truth, either way."""
    others: Sequence[Reporter]
    checks: Sequence[Callable[[], None]]
    """What the loop should do now and then."""
    recheck_ns: int
    """How soon to do it after an edge, which may have taken another one with it.

    By then the other one has arrived, if it was only under way.
    """
    agenda: World | None
    stuck: Callable[[], list[str]]
    """The names of buses and ports whose owners don't come back from a step."""
    dim: Callable[[int | None], None]
    """Lets all LED chips burn that brightly, from 0 to 15; None is as the profile says."""
    close: Callable[[], None]
    """Lamps off, scoreboard blank, threads ended, lines let go; may be called again."""
    soundboard: Soundboard | None = None
    """The sounds of the table; None if it has no speaker."""
    people: frozenset[int] | None = None
    """The seats at which somebody sits for as long as this runs; None where people come and go."""

    def set_volume(self, volume: int) -> None:
        """Play all sounds that loud, from 0 to 10, if there is a speaker."""
        if self.soundboard is not None:
            self.soundboard.set_volume(volume)

    @property
    def waits_for_devices(self) -> bool:
        """Whether devices wake the loop; those of a simulated world report only when it is their turn."""
        return self.agenda is None

    @property
    def active(self) -> list[Source]:
        """The sources whose contact is active now."""
        return [source for each in self.lines for source in self.intake.active(each.levels())]
