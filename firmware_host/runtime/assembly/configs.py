"""Where a table.toml comes from, and what it changes in the wiring."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import wiring
from firmware_host.config.files import File, Unreadable
from firmware_host.config.ports import SCOREBOARD
from firmware_host.config.profile import Profile
from firmware_host.config.table import TableConfig
from firmware_host.config.table_reading import Loaded, parse_table
from firmware_host.config.tags import HEADER
from firmware_host.errors import BadSettings

VARIABLE = "LIGRETTO_TABLE_CONFIG"
USUAL_FILES = (Path("table.toml"), Path("/etc/ligretto-table/table.toml"))
WRITE_ONE = "write one with: ligretto-table check --example > table.toml"


def config_path(option: Path | None = None) -> Path:
    """The table.toml that is meant: by the option, the environment, here, or on this machine."""
    if option is not None:
        return option
    named = os.environ.get(VARIABLE, "")
    if named and not Path(named).exists():
        raise BadSettings([f"{VARIABLE} is {named!r}; allowed: a file that is there; {WRITE_ONE}"])
    if named:
        return Path(named)
    for path in USUAL_FILES:
        if path.is_file():
            return path
    looked = " and no ".join(map(str, USUAL_FILES))
    raise BadSettings([f"there is no {looked}; {WRITE_ONE}, or name one with --config or {VARIABLE}"])


def load_config(path: Path, tags: bool = True) -> Loaded:
    """What a table.toml says; BadSettings has every fault of it and of the files that it speaks of.

    Its tags may be yet to come, or be mended just now: whoever says so gets it without them.
    """
    files = FilesAround(path) if tags else _FilesWithoutTags(path)
    try:
        file = files.read(str(path))
    except Unreadable as error:
        raise BadSettings([f"{error}; {WRITE_ONE}"]) from None
    return parse_table(file.text, file.name, files)


def rewired(profile: Profile, config: TableConfig) -> Profile:
    """The profile with what a table.toml changes in it: ports, and how bright the lights are."""
    ports = config.ports
    readers = tuple(replace(each, port=ports.get(each.name, each.port)) for each in profile.readers)
    chips = profile.led_chips
    if config.brightness is not None:
        chips = tuple(replace(chip, brightness=config.brightness) for chip in chips)
    sign_port = ports.get(SCOREBOARD, profile.sign_port)
    return replace(profile, readers=readers, led_chips=chips, sign_port=sign_port)


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
        try:
            content = Path(path).read_bytes()
        except (OSError, ValueError) as error:  # a path with a zero in it is a ValueError
            raise Unreadable(f"{path}: {getattr(error, 'strerror', None) or error}") from None
        try:
            return File(path, content.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            raise BadSettings(
                [f"{path}:{line}: 0x{content[error.start]:02x} is no letter; allowed: a text in UTF-8"]
            ) from None

    def tags(self, path: str) -> File:
        return self.read(path)


class _FilesWithoutTags(FilesAround):
    def tags(self, path: str) -> File:
        return File(path, HEADER)
