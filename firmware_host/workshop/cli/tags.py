"""`tags`: which tag is which card, or which face of which die."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from firmware_host.cli.written import write_whole
from firmware_host.model.errors import BadSettings
from firmware_host.model.places import format_tag
from firmware_host.profile.tags import HEADER, Registry, examine_registry, format_registry
from firmware_host.workshop.cli.tag_readers import (
    TagFile,
    read_text,
    rehearsed_table,
    table_options,
    tag_table,
)
from firmware_host.workshop.enrolling.worklist import (
    RegistryText,
    changes,
    entry_lines,
    overview,
    select,
    strangers,
)

WRONG = 1


@click.group()
def tags() -> None:
    """Enrol, list, check, import and export the tags of cards and dice.

    The table is chosen by table.toml (--config), or by a wiring profile and a tags file
    (--profile and --file).

    \b
    Examples:
      ligretto-table tags enrol --only 'seat 3'
      ligretto-table tags list --missing
      ligretto-table tags check && echo fine
    """


@tags.command()
@table_options
@click.option(
    "--only",
    multiple=True,
    metavar="WHAT",
    help="Only these: 'seat 3', 'seat 3 red', 'card 3 red 7', 'die 5', 'die 5 face 2'; repeatable.",
)
@click.option(
    "--reader", metavar="NAME", help="The reader to use.  [default: the pad that the first tag comes to]"
)
@click.option("--again", is_flag=True, help="Also go through what is enrolled already, and let tags move.")
@click.option("--lang", "language", help="The scoreboard's language.  [default: the table's]")
@click.option(
    "--simulated",
    is_flag=True,
    help="Rehearse with simulated readers, to which a new tag is held again and again, and with a tags file "
    "of its own.",
)
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 100),
    help="With --simulated: how many times real time.  [default: 1]",
)
def enrol(
    only: tuple[str, ...],
    reader: str | None,
    again: bool,
    language: str | None,
    simulated: bool,
    speed: float | None,
    **options: Any,
) -> None:
    """Enrol tags one by one; the scoreboard says what comes next.

    Hold each card to the reader until the scoreboard blinks, and take it off again; lay a die on it with
    the wanted face up. Every tag is saved at once: stop when you like, and go on another time.

    \b
    Keys:  s skips one, b goes back to the last one, q quits.

    \b
    Examples:
      ligretto-table tags enrol
      ligretto-table tags enrol --only 'seat 3' --reader pad-3
      ligretto-table tags enrol --only 'die 5' --again
      ligretto-table tags enrol --profile cards4 --file tags.csv
      ligretto-table tags enrol --simulated --only 'seat 3 red'
    """
    from firmware_host.workshop.cli.tag_readers import enrol_tags

    if speed is not None and not simulated:
        raise click.UsageError("--speed is for a rehearsal; add --simulated")
    table = rehearsed_table(**options) if simulated else tag_table(**options)
    enrol_tags(table, only, reader, again, language, (speed or 1.0) if simulated else None)


@tags.command()
@table_options
def read(**options: Any) -> None:
    """Show each tag that comes to a reader, and what it stands for; Ctrl-C ends it.

    \b
    Examples:
      ligretto-table tags read
      ligretto-table tags read --profile dice4-rfid --file tags.csv
    """
    from firmware_host.workshop.cli.tag_readers import watch_tags

    watch_tags(tag_table(**options))


@tags.command("list")
@table_options
@click.option("--missing", is_flag=True, help="Show only what has no tag yet.")
def list_(missing: bool, **options: Any) -> None:
    """Show what is enrolled, by seat and by die.

    \b
    Examples:
      ligretto-table tags list
      ligretto-table tags list --missing --profile cards4 --file tags.csv
    """
    table = tag_table(**options)
    items, file = table.items, table.file
    enrolled = set(file.registry_text.registry.values())
    there = enrolled.intersection(items)
    click.echo(f"{file.path}: {len(there)} of {len(items)} tags")
    for line in overview(items, set(items) - enrolled if missing else enrolled, skip_empty=missing):
        click.echo(line)
    if len(enrolled) > len(there):
        click.echo(f"and {len(enrolled) - len(there)} that this table does not need; see: tags check")


@tags.command()
@table_options
def check(**options: Any) -> None:
    """Look for tags that are there twice, missing, or not of this table.

    Exit code 1 means that something was found.

    \b
    Examples:
      ligretto-table tags check
      ligretto-table tags check --profile cards4 --file tags.csv
    """
    table = tag_table(**options)
    file, items = table.file, table.items
    registry, faults = _examined(file)
    faults += [f"{file.path}:{each}" for each in strangers(items, registry, entry_lines(file.text))]
    missing = set(items) - set(registry.values())
    for fault in faults:
        click.echo(fault)
    if missing:
        click.echo(f"{file.path}: {len(missing)} of {len(items)} tags are missing:")
        for line in overview(items, missing, skip_empty=True):
            click.echo(f"  {line}")
    if faults or missing:
        raise SystemExit(WRONG)
    click.echo(f"{file.path}: all {len(items)} tags are there, each once")


@tags.command("import")
@click.argument("source", type=click.Path(path_type=Path), metavar="FILE.csv")
@table_options
@click.option(
    "--merge",
    "mode",
    flag_value="merge",
    default="merge",
    help="Add its tags to those of the table.  [default]",
)
@click.option("--replace", "mode", flag_value="replace", help="Use its tags instead of those of the table.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
def import_(source: Path, mode: str, dry_run: bool, **options: Any) -> None:
    """Import the tags of another file.

    All faults and contradictions are reported at once, and then nothing is written. Otherwise the old file
    is kept beside it as a copy (.bak).

    \b
    Examples:
      ligretto-table tags import from-the-shop.csv --dry-run
      ligretto-table tags import seat-3.csv
      ligretto-table tags import all.csv --replace
    """
    file, text = tag_table(**options).file, read_text(source)
    if not text.strip():
        raise BadSettings([f"{source} is empty; a file of tags begins with: {HEADER}"])
    before, faults = _examined(file)
    if mode == "replace" or not file.text.strip():
        faults = []
    faults += examine_registry(text, str(source))[1]
    if faults:
        raise BadSettings(faults)
    if mode == "replace":
        after = RegistryText(text, str(file.path))
    else:
        after = file.registry_text.merged(RegistryText(text, str(source)))
    click.echo(f"{file.path}: {changes(before, after.registry)}")
    if after.text == file.text:
        click.echo("nothing to write")
    elif dry_run:
        click.echo("nothing was written")
    else:
        _replace(file, after)


@tags.command()
@click.argument("target", required=False, type=click.Path(path_type=Path), metavar="[FILE]")
@table_options
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def export(target: Path | None, force: bool, **options: Any) -> None:
    """Write all tags, in order and without comments, to a file or to the screen.

    \b
    Examples:
      ligretto-table tags export
      ligretto-table tags export backup.csv
    """
    registry = tag_table(**options).file.registry_text.registry
    write_whole(target or Path("-"), format_registry(registry).encode(), must_be_new=not force)
    if target not in (None, Path("-")):
        click.echo(f"{target}: {len(registry)} tags")


@tags.command()
@click.argument("what", nargs=-1, required=True, metavar="WHAT...")
@table_options
def forget(what: tuple[str, ...], **options: Any) -> None:
    """Remove the tags of cards or dice; WHAT is as in `enrol --only`.

    The old file is kept beside it as a copy (.bak); comments stay in the file.

    \b
    Examples:
      ligretto-table tags forget 'card 3 red 7'
      ligretto-table tags forget 'die 5' 'die 6'
    """
    file = tag_table(**options).file
    before = file.registry_text
    items = select(what, list(before.registry.values()), f"no such tag is in {file.path}")
    for item in items:
        click.echo(f"{before.uid_of(item)} was {format_tag(item)}")
    _replace(file, before.without(items))


def _examined(file: TagFile) -> tuple[Registry, list[str]]:
    """What of a file is right, and its faults; a file that does not exist yet has none."""
    return examine_registry(file.text, str(file.path)) if file.text else (Registry({}), [])


def _replace(file: TagFile, after: RegistryText) -> None:
    copy = file.back_up()
    file.replace(after.text)
    if copy is not None:
        click.echo(f"{copy}: the file as it was before")
