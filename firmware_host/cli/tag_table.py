"""Which table the commands for tags are about, and which file has its tags."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import click

from firmware_host.cli.tag_file import TagFile
from firmware_host.config.profile import Profile
from firmware_host.config.tags import Enrolled
from firmware_host.enrolment.wanted import needed
from firmware_host.errors import BadSettings
from firmware_host.runtime.assembly.configs import config_path, load_config, rewired
from firmware_host.runtime.assembly.own_store import own_folder
from firmware_host.runtime.assembly.shipped_profiles import load_profile
from firmware_host.settings import Settings

F = TypeVar("F", bound=Callable[..., Any])
REHEARSED_FILE = "simulated-tags.csv"


@dataclass(frozen=True, slots=True)
class TagTable:
    """A table as far as tags matter."""

    profiles: tuple[Profile, ...]
    """The wiring for each game; that of the present game first."""
    path: Path | None
    settings: Settings

    @property
    def items(self) -> tuple[Enrolled, ...]:
        """What needs a tag at this table."""
        return needed(self.profiles)

    @property
    def profile(self) -> Profile:
        """The wiring with the readers that are at hand; BadSettings if there are none."""
        for profile in self.profiles:
            if profile.readers:
                return profile
        titles = " and ".join(f"'{profile.title}'" for profile in self.profiles)
        raise BadSettings([f"{titles} has no tag readers; its profile needs a section [readers]"])

    @property
    def file(self) -> TagFile:
        """The tags file; BadSettings if none is named."""
        if self.path is None:
            raise BadSettings(["there is no tags file; name one with --file, or as `tags` in table.toml"])
        return TagFile(self.path)


def table_options(command: F) -> F:
    """The command with the options that `tag_table` takes."""
    path = click.Path(path_type=Path)
    default = "$LIGRETTO_TABLE_CONFIG, ./table.toml, /etc/ligretto-table/table.toml"
    for name, kind, text in (
        ("--file", path, "The tags file.  [default: table.toml's]"),
        ("--profile", str, "A wiring profile instead of a table.toml; then --file is needed too."),
        ("--config", path, f"The table.toml.  [default: {default}]"),
    ):
        command = click.option(name, type=kind, help=text)(command)
    return command


def tag_table(config: Path | None, profile: str | None, file: Path | None) -> TagTable:
    """The table that the options name."""
    if profile is not None:
        if config is not None:
            raise BadSettings(
                ["--config and --profile can't be combined: a table.toml names its own profile"]
            )
        return TagTable((load_profile(profile),), file, Settings())
    table = load_config(config_path(config), tags=False).config
    games = dict.fromkeys((table.game, *table.profiles))
    profiles = tuple(rewired(table.profiles[game], table) for game in games)
    return TagTable(profiles, file or (Path(table.tags_file) if table.tags_file else None), table.settings)


def rehearsed_table(config: Path | None, profile: str | None, file: Path | None) -> TagTable:
    """The table to rehearse at, with a tags file of its own; without a name one for four with cards."""
    file = file or own_folder() / REHEARSED_FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    usual = "cards4" if config is None else None
    return replace(tag_table(config, profile or usual, file), path=file)
