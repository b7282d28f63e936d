"""Tables on simulated chips whose parts a person walks through, in virtual time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from firmware_host.lab.chips_table import ChipTable, chip_table
from firmware_host.lab.simulated_table import Behaviour
from firmware_host.model.places import Source
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.profile.profile import Profile
from firmware_host.profile.tags import Registry
from firmware_host.run.equipment import Equipment
from firmware_host.run.table_files import table_of
from firmware_host.workshop.doctor.walks import Walk

STEP_NS = 300 * MS


class Bench:
    """One table, what hands will do to it, and how it looks when it is closed."""

    def __init__(self, profile: Profile, behaviour: Behaviour | None = None) -> None:
        self.table: ChipTable = chip_table(
            profile,
            table=table_of(profile),
            settings=Settings(),
            draws=Random(1),
            chance=Random(2),
            behaviour=behaviour,
            keep=None,
        )
        self._next_ns = STEP_NS

    def equipment(self, profile: Profile, registry: Registry | None) -> Equipment:
        return self.table.equipment

    def then(self, deed: Callable[[], None]) -> None:
        """Do this a while after the last deed."""
        self.table.agenda.at(self._next_ns, deed)
        self._next_ns += STEP_NS

    def touch(self, *sources: Source) -> None:
        """Touch contacts one after another."""
        for source in sources:
            contact = self.table.contacts[source]
            self.then(lambda contact=contact: contact.set(True))  # type: ignore[misc]
            self.then(lambda contact=contact: contact.set(False))  # type: ignore[misc]


class Eyes:
    """A screen that keeps what it is shown, and presses Enter if it is told to."""

    descriptors: Sequence[int] = ()

    def __init__(self, presses: bool = False, stop_at: str = "") -> None:
        self.news: list[str] = []
        self.pictures: list[list[str]] = []
        self._presses = presses
        self._stop_at = stop_at

    def show(self, walk: Walk) -> None:
        new = walk.take_news()
        self.news += new
        self.pictures.append(walk.picture())
        if self._stop_at and any(self._stop_at in line for line in new):
            raise KeyboardInterrupt

    def wants_next(self) -> bool:
        return self._presses
