"""`check`: a table.toml, before it is used."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

import wiring
from firmware_host.cli.terminal import columns_for, wrapped
from firmware_host.profile.keys import example_table, format_table
from firmware_host.profile.summary import WIDTH, summary
from firmware_host.profile.table import TableConfig
from firmware_host.run.table_files import config_path, load_config, rewired
from firmware_host.workshop.electrical.built import ElectricalFinding, Strength
from firmware_host.workshop.electrical.rules import judged

WRONG = 2
"""The exit code if something would be damaged or can't work."""
SENSE_WIDTH = 100
_INDENT = 4


def errors_of(findings: Sequence[ElectricalFinding]) -> int:
    """How many of the findings are errors."""
    return sum(finding.strength is Strength.ERROR for finding in findings)


def sense_lines(findings: Sequence[ElectricalFinding], columns: int) -> Iterator[str]:
    """The lines of all findings. What several have in common is printed after the last of them."""
    for number, finding in enumerate(findings):
        first, *reasons = finding.lines
        yield from wrapped(first, columns, _INDENT)
        following = findings[number + 1].lines[1:] if number + 1 < len(findings) else None
        if reasons != following:
            for line in reasons:
                yield from (f"  {part}" for part in wrapped(line.strip(), columns - 2, _INDENT))


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
