"""Which store a command reads: one that is named, or that of a table's configuration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from firmware_host.errors import BadSettings

F = TypeVar("F", bound=Callable[..., Any])


def store_options(command: F) -> F:
    """The options `config` and `store`."""
    options = [
        click.option(
            "--config",
            type=click.Path(path_type=Path),
            help="The table.toml that names the store.  [default: where `run` looks]",
        ),
        click.option("--store", type=click.Path(path_type=Path), help="The file of the store itself."),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def store_path(config: Path | None, store: Path | None) -> str:
    """The file of the store."""
    if config is not None and store is not None:
        raise BadSettings(["--config and --store can't go together: a table.toml names its own store"])
    if store is not None:
        return str(store)
    from firmware_host.runtime.assembly.configs import config_path, load_config

    try:
        return load_config(config_path(config)).config.store.file
    except BadSettings as error:
        raise BadSettings([*error.faults, "or name the file of the store itself with --store"]) from None
