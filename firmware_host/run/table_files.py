"""Where a table.toml comes from, and what it changes in the wiring."""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import wiring
from firmware_host.files import kind_of, read_bytes, read_text
from firmware_host.games.games import EXPERT, GAMES, Table
from firmware_host.model.errors import BadSettings
from firmware_host.model.places import Call
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS
from firmware_host.profile.profile import SCOREBOARD, Profile
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.profile.table import File, Missing, StoreConfig, TableConfig, Unreadable
from firmware_host.profile.table_reading import Loaded, parse_table
from firmware_host.profile.tags import HEADER, Registry

VARIABLE = "LIGRETTO_TABLE_CONFIG"
USUAL_FILES = (Path("table.toml"), Path("/etc/ligretto-table/table.toml"))
WRITE_ONE = "write one with: ligretto-table check --example > table.toml"


class NoConfig(BadSettings):
    """No table.toml is named, and there is none where it might be."""


def config_path(option: Path | None = None) -> Path:
    """The table.toml that is meant: by the option, the environment, here, or on this machine; or NoConfig."""
    if option is not None:
        return option
    named = os.environ.get(VARIABLE, "")
    if named and not _may_be_there(named):
        raise BadSettings([f"{VARIABLE} is {named!r}; allowed: an existing file; {WRITE_ONE}"])
    if named:
        return Path(named)
    for path in USUAL_FILES:
        if _may_be_there(path):
            return path
    looked = " and no ".join(map(str, USUAL_FILES))
    raise NoConfig([f"there is no {looked}; {WRITE_ONE}, or name one with --config or {VARIABLE}"])


def _may_be_there(path: str | Path) -> bool:
    """Whether a file is there; where nobody may look, reading it will say so."""
    try:
        return not stat.S_ISDIR(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True


def load_config(path: Path, tags: bool = True) -> Loaded:
    """What a table.toml says; BadSettings has every fault of it and of the files that it speaks of.

    Its tags may be yet to come, or be mended just now: whoever says so gets it without them.
    """
    files = FilesAround(path) if tags else _FilesWithoutTags(path)
    try:
        file = files.read(str(path))
    except Unreadable as error:
        advice = WRITE_ONE if isinstance(error, Missing) else "name a file that can be read"
        if str(error).endswith(os.strerror(errno.EACCES)):
            advice += ", or use sudo"
        raise BadSettings([f"{error}; {advice}"]) from None
    return parse_table(file.text, file.name, files)


def rewired(profile: Profile, config: TableConfig) -> Profile:
    """The profile with the ports of a table.toml.

    Its chips keep their own brightness, so that they can go back to it: `Equipment.dim` sets another one.
    """
    ports = config.ports
    readers = tuple(replace(each, port=ports.get(each.name, each.port)) for each in profile.readers)
    return replace(profile, readers=readers, sign_port=ports.get(SCOREBOARD, profile.sign_port))


class FilesAround:
    """The files that a table.toml speaks of, as they are on this machine."""

    def __init__(self, table: Path) -> None:
        self.profiles = wiring.profile_names()
        self._folder = table.parent

    def profile(self, name: str) -> File:
        return File(f"wiring/{name}.toml", wiring.profile_file(name).read_text(encoding="utf-8"))

    def beside(self, path: str) -> str:
        return str(self._folder / path)

    def read(self, path: str) -> File:
        return File(path, read_text(path))

    def tags(self, path: str) -> File:
        return self.read(path)

    def place(self, path: str) -> str:
        return os.path.realpath(path)

    def same(self, one: str, other: str) -> bool:
        if "\0" in one + other:  # there is no such file
            return False
        try:
            return os.path.samefile(one, other)
        except OSError:  # one of them is not there, or can't be looked at
            return os.path.realpath(one) == os.path.realpath(other)

    def kind_of(self, path: str) -> str:
        return kind_of(path)

    def folder_in_place_of(self, path: str) -> bool:
        return os.path.isdir(path)

    def file_above(self, path: str) -> str:
        above = [str(folder) for folder in Path(path).parents if os.path.exists(folder)]
        return above[0] if above and not os.path.isdir(above[0]) else ""


class _FilesWithoutTags(FilesAround):
    def tags(self, path: str) -> File:
        return File(path, HEADER)


def load_profile(name: str) -> Profile:
    """A profile that comes with the package, by its name; or one of your own, by its path."""
    text = profile_text(name)
    return parse_profile(text, f"wiring/{name}.toml" if name in wiring.profile_names() else name)


def profile_text(name: str) -> str:
    """Its text; BadSettings says why it can't be had."""
    if name in wiring.profile_names():
        return wiring.profile_file(name).read_text(encoding="utf-8")
    if not name.endswith(".toml"):
        known = ", ".join(wiring.profile_names())
        raise BadSettings([f"profile '{name}' is unknown; known: {known}, or the path of a .toml file"])
    try:
        return read_text(name)
    except Unreadable as error:
        raise BadSettings([str(error)]) from None


_SECTION = re.compile(r"^(?=[ \t]*\[)", re.MULTILINE)


def store_file(path: Path) -> tuple[str, list[str]]:
    """The file of the store, and the faults of the table.toml; BadSettings if nobody can tell which it is."""
    try:
        return load_config(path, tags=False).config.store.file, []
    except BadSettings as error:
        faults = error.faults
    if not path.is_file():
        raise BadSettings(faults)
    named = _named(path)
    if "\0" in named:  # no file can be called that
        raise BadSettings(faults)
    if named:
        return str(path.parent / named), faults
    usual = StoreConfig().file
    if not os.path.exists(usual):
        raise BadSettings(faults)
    return usual, faults


def _named(path: Path) -> str:
    """What is named there as the file of the store; empty if it can't be read, or is none."""
    text = _text(path)
    for part in (text, *_SECTION.split(text)):
        store = _read(part).get("store")
        file = store.get("file") if isinstance(store, dict) else None
        if isinstance(file, str) and file:
            return file
    return ""


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8-sig", errors="replace")
    except Unreadable:
        return ""


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}


FILE = "simulated.db"


def own_folder() -> Path:
    """The folder for what this user's programs keep from one run to the next."""
    named = os.environ.get("XDG_STATE_HOME", "")
    state = Path(named) if os.path.isabs(named) else Path("~/.local/state").expanduser()
    return state / "ligretto-table"


def simulated_store() -> Path:
    """The store of the simulated table."""
    return own_folder() / FILE


LOOK_NS = 40 * MS
"""From one look of a reader to the next; neighbours take turns."""
NEIGHBOURS = 2
"""So many neighbours may find a tag of their own at the same time."""


def table_of(
    profile: Profile,
    rounds: int | None = None,
    deal: tuple[int, ...] | None = None,
    *,
    expert: bool = False,
) -> Table:
    """The table that a profile describes, and what was agreed for its matches."""
    return Table(
        game=GAMES[profile.game],
        seats=profile.seats,
        rounds=rounds,
        deal=deal,
        expert=expert,
        call_buttons=any(isinstance(source, Call) for source in profile.lines.values()),
        pads=bool(profile.pads),
        identified=profile.identified,
        owned_by_tag=profile.ownership == "tag",
    )


def settings_for(profile: Profile, settings: Settings) -> Settings:
    """The settings with enough time for the readers of this table.

    A reader that has found a tag looks again at once, and then reports it. The stamp of a tag is as wide as
    the time between two looks, and where cards are laid on piles, all of that has to be waited for. Where the
    readers at the slots have to say which die it is, a die waits until its own reader has had the time to
    find it, although some neighbours may have looked once more.
    """
    cycle_ns = LOOK_NS * profile.crowd
    wide_ns = cycle_ns if profile.piles and not profile.pads else LOOK_NS
    tag_settle_ns = max(settings.tag_settle_ns, wide_ns + LOOK_NS)
    longest_ns = cycle_ns + NEIGHBOURS * LOOK_NS + tag_settle_ns
    identify_ns = max(settings.identify_ns, longest_ns) if profile.identified else 0
    return replace(settings, tag_settle_ns=tag_settle_ns, identify_ns=identify_ns)


def simulated_registry(profile: Profile) -> Registry:
    """The tags of a simulated table."""
    if not profile.readers:
        return Registry({})
    return Registry.for_cards(profile.seats) if profile.game == "cards" else Registry.for_dice()


def table_for(config: TableConfig) -> Table:
    """The table as its wiring and its configuration make it."""
    seats = range(1, config.profile.seats + 1)
    closed = frozenset(seats) - frozenset(config.open_seats or seats)
    handicap = config.handicap[: config.profile.seats]  # the table of the other game may be bigger
    table = table_of(config.profile, config.rounds, expert=config.variant == EXPERT)
    return replace(table, handicap=handicap, closed=closed)
