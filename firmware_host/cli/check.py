"""`check`: a table.toml, before it is used."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click

import wiring
from firmware_host.building.sense.rules import judged
from firmware_host.cli.sense_view import WRONG, errors_of, sense_lines
from firmware_host.cli.widths import columns_for, wrapped
from firmware_host.config.example import example_table
from firmware_host.config.printing import format_table
from firmware_host.config.summary import WIDTH, summary
from firmware_host.config.table import TableConfig
from firmware_host.runtime.assembly.configs import config_path, load_config, rewired


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The table.toml.  [default: $LIGRETTO_TABLE_CONFIG, ./table.toml or /etc/ligretto-table/table.toml]",
)
@click.option("--print", "as_toml", is_flag=True, help="Print the settings in force, as a table.toml.")
@click.option("--example", is_flag=True, help="Print an example to start from.")
def check(config: Path | None, as_toml: bool, example: bool) -> None:
    """Check a table.toml: show the table it describes, or all its faults.

    Its wiring profiles and its tags file are checked too, and what is electrically wrong with the
    parts and pins of the profiles. No device is touched. Exit code 2 means that there are faults or
    electrical errors; warnings do not change it.

    \b
    Examples:
      ligretto-table check --example > table.toml
      ligretto-table check
      ligretto-table check --config party.toml --print
    """
    if example:
        click.echo(example_table(wiring.profile_names()), nl=False)
        return
    path = config_path(config)
    loaded = load_config(path)
    for note in loaded.notes:
        click.echo(f"ligretto-table: {note}", err=True)
    if as_toml:
        click.echo(format_table(_anywhere(loaded.config)), nl=False)
        return
    profiles = {game: rewired(profile, loaded.config) for game, profile in loaded.config.profiles.items()}
    findings = {game: judged(profile) for game, profile in profiles.items()}
    errors = sum(map(errors_of, findings.values()))
    more = f", but its wiring has {errors} electrical error{'s' * (errors > 1)}" if errors else ""
    for line in wrapped(f"{path} has no faults{more}.", columns_for(WIDTH)):
        click.echo(line)
    click.echo()
    for line in summary(replace(loaded.config, profiles=profiles), loaded.registry, columns_for(WIDTH)):
        click.echo(line)
    for game, found in findings.items():
        if found:
            click.echo(f"\nelectrical sense of {loaded.config.wiring[game]}:")
        for line in sense_lines(found, columns_for(WIDTH)):
            click.echo(line)
    if errors:
        raise SystemExit(WRONG)


def _anywhere(config: TableConfig) -> TableConfig:
    """The same with paths that are valid wherever the output is saved."""
    known = wiring.profile_names()
    paths = {game: name if name in known else os.path.abspath(name) for game, name in config.wiring.items()}
    tags_file = os.path.abspath(config.tags_file) if config.tags_file else ""
    store = replace(config.store, file=os.path.abspath(config.store.file))
    return replace(config, wiring=paths, tags_file=tags_file, store=store)
