"""What an operator writes into `table.toml`: the wiring of the table, and how it is run."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from firmware_host.games.games import GAMES, STANDARD
from firmware_host.model.errors import TableError
from firmware_host.model.settings import Settings
from firmware_host.profile.profile import Profile

SYNCS = ("rounds", "verdicts")
"""When the store makes its contents safe against a power cut: at the end of rounds, or at each verdict."""

AUTO_CARD, NO_CARD = "auto", "none"
"""In place of the name of a sound card: the one that is found, or none."""
USUAL_VOLUME = 7

SIMULATED = "a simulated table"
"""Shown in place of the path of a table.toml if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreConfig:
    """The file of the store, and how long its contents are kept."""

    file: str = "/var/lib/ligretto-table/table.db"
    sync: str = "rounds"
    keep_rounds: int = 200  # sessions kept with all inputs; results are kept without limit


@dataclass(frozen=True, slots=True, kw_only=True)
class TableConfig:
    """A table: its wiring, and everything that may differ from evening to evening."""

    file: str
    """The path of the file that it was read from, as the operator wrote it."""
    profiles: Mapping[str, Profile]
    """The wiring by the name of the game; a table for both games has two profiles."""
    game: str
    settings: Settings
    wiring: Mapping[str, str] = field(default_factory=dict)
    """The source of each profile: the name of one that comes with the package, or the path of a file."""
    ports: Mapping[str, str] = field(default_factory=dict)
    """The serial ports of scoreboard and readers, by their names, that differ from the profile."""
    rounds: int | None = None
    variant: str = STANDARD
    """The rules of cards that are played here; the table can't see which."""
    handicap: tuple[int, ...] = ()
    """How many dice or Ligretto cards fewer each seat is dealt, or more if negative; 0 for unlisted seats."""
    open_seats: tuple[int, ...] = ()
    """The open seats; empty for all."""
    event: str = ""
    """The name of the event that results belong to, besides their day."""
    player_names: bool = True
    """Whether the feed has the names of players."""
    tags_file: str = ""
    """The path of the tags file; needed if the profile has readers."""
    brightness: int | None = None
    """0 to 15 for all LED chips; None for that of the profile."""
    sound_card: str = AUTO_CARD
    """The ALSA name of the card for sounds; "auto" for one that is found, "none" for no sound."""
    volume: int = USUAL_VOLUME
    """0, which is silent, to 10."""
    store: StoreConfig = field(default_factory=StoreConfig)

    @property
    def profile(self) -> Profile:
        """The wiring for the present game."""
        return self.profiles[self.game]


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


def open_seats(profile: Profile, seats: Collection[int]) -> tuple[int, ...]:
    """The open seats of a table; all of them if none is named."""
    return tuple(seat for seat in range(1, profile.seats + 1) if not seats or seat in seats)


def usual_deal(profile: Profile, seats: Collection[int]) -> int:
    """What each seat is dealt if all open seats play."""
    game = GAMES[profile.game]
    return max(game.standard_deal([seat in seats for seat in range(1, profile.seats + 1)]))
