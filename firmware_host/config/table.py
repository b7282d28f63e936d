"""What an operator writes into `table.toml`: which table this is, and how it shall be run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.config.profile import Profile
from firmware_host.settings import Settings

SYNCS = ("rounds", "verdicts")
"""When the store makes sure that what it wrote survives a power cut: at round ends, or at each verdict."""


SIMULATED = "a simulated table"
"""What stands in place of the path of a table.toml if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreConfig:
    """Where the table remembers what happened, and for how long."""

    file: str = "/var/lib/ligretto-table/table.db"
    sync: str = "rounds"
    keep_rounds: int = 200  # so many can be recalled with every input; results are kept for ever


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """One table as it shall be: its wiring, and everything that may differ from evening to evening."""

    file: str
    """The file that it was read from, as the operator named it."""
    profiles: Mapping[str, Profile]
    """The wiring by the name of the game; a table that can play both has two profiles."""
    game: str
    settings: Settings
    wiring: Mapping[str, str] = field(default_factory=dict)
    """Where each profile came from: the name of one that comes with the package, or the path of a file."""
    ports: Mapping[str, str] = field(default_factory=dict)
    """Serial ports of scoreboard and readers, by their names, where they are not those of the profile."""
    rounds: int | None = None
    handicap: tuple[int, ...] = ()
    """So many dice or Ligretto cards fewer each seat is dealt; the seats not named have none."""
    open_seats: tuple[int, ...] = ()
    """The seats that may be played at; none named means all."""
    event: str = ""
    """The name under which results are filed, beside their day."""
    tags_file: str = ""
    """The registry of tags; needed where the profile has readers."""
    brightness: int | None = None
    """0 to 15 for all LED chips; None leaves what the profile says."""
    store: StoreConfig = field(default_factory=StoreConfig)

    @property
    def profile(self) -> Profile:
        """The wiring for the game that is played."""
        return self.profiles[self.game]
