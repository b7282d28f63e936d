"""`store`: a backup while the table plays, a check, and restoring while it does not."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click

from firmware_host.cli.store_options import DAMAGED, store_options, store_path
from firmware_host.model.plain_text import in_a_line
from firmware_host.store.backups import StoreContents, back_up, examine
from firmware_host.store.backups import restore as put_back
from firmware_host.store.row_reading import MOST_SHOWN


@click.group()
def store() -> None:
    """Back up the store while the table plays, check it, and restore a backup.

    \b
    Examples:
      ligretto-table store backup evening.db
      ligretto-table store check evening.db
      sudo systemctl stop ligretto-table
      sudo ligretto-table store restore evening.db
      sudo systemctl start ligretto-table
    """


@store.command()
@store_options
@click.argument("file", required=False, type=click.Path(path_type=Path))
def backup(config: Path | None, store: Path | None, file: Path | None) -> None:
    """Copy the store into FILE as it is at this moment, and check the copy. The table plays on.

    Without FILE the name is that of the day and time. A file that exists is never replaced. Exit code 1 if
    some of the store can't be read: the backup has the rest.
    """
    path = store_path(config, store)
    target = str(file) if file is not None else f"ligretto-{_stamp()}.db"
    _end(target, back_up(path, target, _progress()), "backed up")


@store.command()
@store_options
@click.argument("file", required=False, type=click.Path(path_type=Path))
def check(config: Path | None, store: Path | None, file: Path | None) -> None:
    """Read everything in a backup, or in the store of the table, and say what can't be read."""
    path = str(file) if file is not None else store_path(config, store)
    _end(path, examine(path, _progress()), "checked")


@store.command()
@store_options
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--yes", is_flag=True, help="Do not ask.")
def restore(config: Path | None, store: Path | None, file: Path, yes: bool) -> None:
    """Put the backup FILE in the place of the store; the table must not run.

    The backup is checked first. The present store is kept beside it, with the time in its name. A match
    that was under way in the backup is resumed at the next start.
    """
    path = store_path(config, store)
    if not yes and sys.stdin.isatty():
        click.confirm(f"replace {path} by {file}? The present store is kept beside it", abort=True)
    contents, aside = put_back(str(file), path, _stamp(), _progress())
    if aside:
        click.echo(f"the store as it was: {aside}")
    _end(path, contents, "restored")


def _stamp() -> str:
    return f"{datetime.now():%Y-%m-%d-%H-%M-%S}"


def _progress() -> Callable[[int, int], None]:
    """Says on a terminal how far the check is."""

    def tell(done: int, of: int) -> None:
        if sys.stderr.isatty() and (done == of or done % 5 == 0):
            click.echo(f"\rchecking session {done} of {of}", nl=done == of, err=True)

    return tell


def _end(path: str, contents: StoreContents, done: str) -> None:
    """Say what is in it; exit code 1 if something can't be read."""
    last = f", the last begun {contents.last.replace('T', ' ')}" if contents.last else ""
    size = f"{os.path.getsize(path) / 1e6:.1f} MB"
    click.echo(
        in_a_line(
            f"{done}: {path} ({size}): {contents.sessions} sessions, {contents.matches} matches, "
            f"{contents.rounds} rounds{last}"
        )
    )
    if contents.is_sound:
        click.echo("everything in it can be read")
        return
    for words in contents.losses[:MOST_SHOWN]:
        click.echo(f"ligretto-table: can't be read: {words}", err=True)
    raise SystemExit(DAMAGED)
