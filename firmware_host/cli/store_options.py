"""Which store a command reads: one that is named, that of the running table, or that of a configuration."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from firmware_host.model.errors import BadSettings
from firmware_host.store.row_reading import Losses

if TYPE_CHECKING:
    from firmware_host.run.health import Running

F = TypeVar("F", bound=Callable[..., Any])
_OR_NAME_IT = "or name the store file itself with --store"
NUMBER = click.IntRange(min=1, max=2**63 - 1)
"""A number that a store can have: SQLite knows no bigger ones."""
DAMAGED = 1
"""The exit code where some of a store can't be read."""


def store_options(command: F) -> F:
    """The options `config` and `store`."""
    options = [
        click.option(
            "--config",
            type=click.Path(path_type=Path),
            help="The table.toml that names the store.  [default: $LIGRETTO_TABLE_CONFIG; else the running "
            "service; else where `run` looks]",
        ),
        click.option("--store", type=click.Path(path_type=Path), help="The store file itself."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Named:
    """The table that is meant: the file of its store, and its table.toml if that is how it was found."""

    store: str
    config: str = ""


def is_named(config: Path | None, store: Path | None) -> bool:
    """Whether it is said which table is meant; if not, it is the one that runs as a service."""
    from firmware_host.run.table_files import VARIABLE

    return config is not None or store is not None or bool(os.environ.get(VARIABLE))


def store_path(config: Path | None, store: Path | None) -> str:
    """The file of the store."""
    running = None if is_named(config, store) else running_table()
    return running.store if running else named_table(config, store).store


def running_table() -> Running | None:
    """The table that runs as a service; else this user's simulated one, if it runs."""
    from firmware_host.run.health import running_in, running_service
    from firmware_host.run.table_files import own_folder

    return running_service() or running_in(own_folder())


def named_table(config: Path | None, store: Path | None) -> Named:
    """The table that is named, or that is configured here; faults in its table.toml are only reported."""
    if config is not None and store is not None:
        raise BadSettings(["--config and --store can't be combined: a table.toml names its own store"])
    if store is not None:
        return Named(str(store))
    from firmware_host.run.table_files import NoConfig, config_path, simulated_store, store_file

    try:
        path = config_path(config)
    except NoConfig as error:
        if not simulated_store().exists():
            raise BadSettings([*error.faults, _OR_NAME_IT]) from None
        click.echo(f"ligretto-table: using the simulated table, {simulated_store()}", err=True)
        return Named(str(simulated_store()))
    try:
        file, faults = store_file(path)
    except BadSettings as error:
        raise BadSettings([*error.faults, _OR_NAME_IT]) from None
    for fault in faults:
        click.echo(f"ligretto-table: warning: {fault}", err=True)
    if faults:
        click.echo(f"ligretto-table: warning: using {file} anyway", err=True)
    return Named(file, str(path))


def end_with(path: str, losses: Losses) -> None:
    """End the command if some of the store could not be read, and say what; otherwise do nothing."""
    lines = losses.message(path)
    if lines:
        click.echo("\n".join([f"ligretto-table: {lines[0]}", *lines[1:]]), err=True)
        raise SystemExit(DAMAGED)
