"""`status`: the state of the running table."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import click

from firmware_host.cli.status_report import (
    NOT_RUNNING,
    NOT_WELL,
    Absent,
    exit_code,
    legible,
    record,
    report_of,
)
from firmware_host.cli.store_options import Named, is_named, named_table, running_table, store_options
from firmware_host.cli.terminal import for_terminal
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.run.health import SERVICE_FOLDER, Running, running_in, running_service, running_spare
from firmware_host.store.store_lock import is_locked

START = "start it with: ligretto-table run"


class NotRunning(TableError):
    """There is no daemon that could be asked."""


@click.command()
@store_options
@click.option("--json", "as_json", is_flag=True, help="Print the whole health page as JSON.")
@click.option("--watch", is_flag=True, help="Keep it current until Ctrl-C; in a pipe, print what changes.")
def status(config: Path | None, store: Path | None, as_json: bool, watch: bool) -> None:
    """Show the state of the running table: phase, scores, devices, and what has happened since its start.

    The table is the one that runs as a service, or the one that is named. Exit code 0 if all is well, 1 if
    something is wrong or the daemon does not answer, 2 if no daemon runs.

    \b
    Examples:
      ligretto-table status
      ligretto-table status --watch
      ligretto-table status --config table.toml
      ligretto-table status --json | jq .devices
    """
    asked = asked_for(config, store)
    if watch:
        from firmware_host.cli.status_report import watch_status

        watch_status(lambda: legible(look(asked)), as_json)
    found = legible(look(asked))
    if as_json:
        click.echo(json.dumps(record(found), indent=1))
    elif isinstance(found, Absent) and found.code == NOT_RUNNING:
        raise asked.fault or NotRunning(found.words)
    else:
        for line in report_of(found, running_service()).values():
            click.echo("\n".join(for_terminal(line)))
    raise SystemExit(exit_code(found))


@dataclass(frozen=True, slots=True)
class Asked:
    """Which table is meant, as far as that is known without it."""

    named: bool
    """Whether somebody has named one; if not, it is the one that runs as a service."""
    config: str
    """The table.toml that was named; it may be gone with its folder."""
    table: Named | None
    fault: BadSettings | None
    """Why the configuration does not say which table it is."""

    def means(self, running: Running) -> bool:
        """Whether this is its daemon; which store it has may have been changed since its start."""
        configs = {self.config, self.table.config if self.table else ""} - {""}
        if any(os.path.realpath(config) == os.path.realpath(running.config) for config in configs):
            return True
        if self.table is None:
            return not self.config
        return os.path.realpath(self.table.store) == os.path.realpath(running.store)


def asked_for(config: Path | None, store: Path | None) -> Asked:
    """Which table is meant by these options."""
    named = is_named(config, store)
    if not named and running_table() is not None:
        return Asked(False, "", None, None)
    try:
        return Asked(named, "", named_table(config, store), None)
    except BadSettings as error:
        if store is not None:
            raise
        from firmware_host.run.table_files import VARIABLE

        return Asked(named, str(config or os.environ.get(VARIABLE, "")), None, error)


def look(asked: Asked) -> Running | Absent:
    """The daemon that is meant, or why it can't be asked."""
    running = running_table()
    if running is not None and not asked.named:
        return running
    beside = Path(asked.table.store).parent if asked.table else None
    candidates = [running, running_in(beside) if beside else None, *running_spare()]
    meant = [each for each in candidates if each is not None and asked.means(each)]
    if meant:
        return min(meant, key=lambda each: each.silent)
    if asked.table is None:
        advice = str(asked.fault or START)
        return Absent("not running", "no running daemon was found", advice, NOT_RUNNING)
    if is_locked(asked.table.store):
        return Absent(
            "starting",
            f"a daemon has claimed {asked.table.store} but shows no page: it is starting, or can't write one",
            "try again in a few seconds; then look at its log: journalctl -u ligretto-table",
            NOT_WELL,
        )
    looked = f"no daemon runs this table (looked in {SERVICE_FOLDER} and {beside})"
    return Absent("not running", looked, START, NOT_RUNNING)
