"""Where a table.toml comes from, and what it changes in the wiring."""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import replace
from pathlib import Path

import wiring
from firmware_host.config.files import File, Missing, Unreadable
from firmware_host.config.ports import SCOREBOARD
from firmware_host.config.profile import Profile
from firmware_host.config.table import TableConfig
from firmware_host.config.table_reading import Loaded, parse_table
from firmware_host.config.tags import HEADER
from firmware_host.errors import BadSettings
from firmware_host.files.input_files import kind_of, read_text

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
