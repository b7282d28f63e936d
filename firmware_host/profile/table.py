"""What an operator writes into `table.toml`: the wiring of the table, and how it is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from firmware_host.games.games import STANDARD
from firmware_host.model.errors import TableError
from firmware_host.model.plain_text import in_a_line
from firmware_host.model.settings import Settings
from firmware_host.profile.document import FileSetting, Section
from firmware_host.profile.faults import FaultCollector
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


STORE_SETTINGS = ("file", "sync", "keep-rounds")
MOST_KEPT = 100_000
_STORE_FORM = "the path of a file"
_LONGEST_NAME, _LONGEST_PATH = 200, 480
"""In bytes. File systems allow 255 and SQLite 512, and files beside the store have longer names."""
_NO_DISKS = ("/dev", "/proc", "/sys")
_IN_MEMORY = "/dev/shm/"
"""Files there are real ones, but only until the machine is switched off."""


class OwnFiles:
    """Knows the purpose of each file that has been named."""

    def __init__(self, reader: FaultCollector, files: Files, table: str) -> None:
        self._reader = reader
        self._files = files
        self._owners = {table: "this table.toml itself"}

    def clash(self, setting: FileSetting, path: str) -> str:
        """The end of a fault if a file has another purpose; else empty, and the file is for this setting."""
        for other, owner in self._owners.items():
            if self._files.same(path, other):
                return f": it is {owner}"
        self._owners[path] = f"the file of {self._reader.where(setting)}"
        return ""


class StoreSectionReader:
    """Reads the section [store]."""

    def __init__(self, reader: FaultCollector, files: Files, own: OwnFiles) -> None:
        self._reader = reader
        self._files = files
        self._own = own

    def read(self, root: Section) -> StoreConfig:
        """Where the store is, and how long it is kept."""
        usual = StoreConfig()
        section = self._reader.section(root, "store", STORE_SETTINGS)
        return StoreConfig(
            file=self._file(section["file"], usual.file),
            sync=self._reader.one_of(section["sync"], SYNCS, usual.sync),
            keep_rounds=self._reader.number(section["keep-rounds"], 1, MOST_KEPT, default=usual.keep_rounds),
        )

    def _file(self, setting: FileSetting, usual: str) -> str:
        name = self._reader.text(setting, usual, what=_STORE_FORM)
        path = self._files.beside(name)
        trouble = self._trouble(name, path) if name else ""
        if name and not trouble:
            trouble = self._own.clash(setting, path)
        if trouble:
            self._reader.fault(setting, f"{_STORE_FORM}{trouble}")
        return path

    def _trouble(self, name: str, path: str) -> str:
        """What is wrong with a path, as the end of a fault; empty if nothing is."""
        if not name.isprintable():
            return " without control characters"
        if name.startswith("~"):
            return ": write '~' out in full"
        place = self._files.place(path)
        whole = place.encode(errors="surrogateescape")
        if len(whole) > _LONGEST_PATH or max(map(len, whole.split(b"/"))) > _LONGEST_NAME:
            return f", up to {_LONGEST_NAME} bytes in each name of it, and {_LONGEST_PATH} in all"
        if any(map(_is_on_no_disk, (path, place))):
            return f" on a disk: nothing in {' or '.join(_NO_DISKS)} stays"
        return self._in_the_way(path)

    def _in_the_way(self, path: str) -> str:
        """What is in the place of the store or of its folder."""
        said = in_a_line(path)
        if self._files.folder_in_place_of(path):
            return f": {said} is a folder; name a file in it, such as '{said.rstrip('/')}/table.db'"
        if kind := self._files.kind_of(path):
            return f": {said} is {kind}; name a file somewhere else"
        if above := self._files.file_above(path):
            return f": {in_a_line(above)} is no folder; name a file somewhere else"
        return ""


def _is_on_no_disk(path: str) -> bool:
    return path.startswith(tuple(f"{folder}/" for folder in _NO_DISKS)) and not path.startswith(_IN_MEMORY)
