"""`status`: how the running table is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from firmware_host.cli.store_options import Named, is_named, named_table, store_options
from firmware_host.errors import TableError
from firmware_host.runtime.running import SERVICE_FOLDER, Running, running_in, running_service
from firmware_host.store.shelf import is_locked

NOT_WELL = 1


class NotRunning(TableError):
    """There is no daemon that could be asked."""


@click.command()
@store_options
@click.option("--json", "as_json", is_flag=True, help="The health page as it is, and whether it is answered.")
def status(config: Path | None, store: Path | None, as_json: bool) -> None:
    """Say how the running table is: its phase, its devices, and what has happened since it was started.

    It is the table that runs as a service, or the one that is named. Exit code 0 if all is well, 1 if
    something is not or the daemon does not answer, 2 if no daemon runs.

    \b
    Examples:
      ligretto-table status
      ligretto-table status --config table.toml
      ligretto-table status --json | jq .devices
    """
    running = _running(config, store)
    if as_json:
        click.echo(json.dumps({**running.page, "answers": not running.silent}, indent=1))
    else:
        for line in _silence(running) if running.silent else _lines(running.page):
            click.echo(line)
    raise SystemExit(NOT_WELL if running.silent or _wrong(running.page) else 0)


def _running(config: Path | None, store: Path | None) -> Running:
    """The daemon that is meant."""
    service = running_service()
    if service is not None and not is_named(config, store):
        return service
    named = named_table(config, store)
    beside = Path(named.store).parent
    for running in (service, running_in(beside)):
        if running is not None and _is_of(running, named):
            return running
    if is_locked(named.store):
        click.echo(
            f"a daemon has taken {named.store} and shows no page yet: it is starting, or can't write one. "
            "Ask again in a few seconds; then look into its log: journalctl -u ligretto-table"
        )
        raise SystemExit(NOT_WELL)
    looked = f"{SERVICE_FOLDER} and {beside}"
    raise NotRunning(f"no daemon runs this table (looked in {looked}); start it with: ligretto-table run")


def _is_of(running: Running, named: Named) -> bool:
    """Whether this is the daemon of that table; which store it has may have been changed since its start."""
    same_config = bool(named.config) and os.path.realpath(named.config) == os.path.realpath(running.config)
    return same_config or os.path.realpath(named.store) == os.path.realpath(running.store)


def _silence(running: Running) -> list[str]:
    page = running.page
    advice = "start it again: sudo systemctl restart ligretto-table"
    if running != running_service():  # its page is on a disk, which may be the trouble
        again = f"kill -KILL {page['pid']}, then: ligretto-table run --config {running.config}"
        advice = f"its log says whether it only can't write its page; else start it again: {again}"
    return [
        f"the table does not answer since {page['written']} (process {page['pid']}); {advice}",
        f"it was in {page['phase']} then; a match goes on where it was",
    ]


def _wrong(page: Mapping[str, Any]) -> dict[str, str]:
    """What is not as it should be, each with words."""
    devices = page["devices"].items()
    wrong = {
        name: f"{each['condition']}: {each['words']}" for name, each in devices if each["condition"] != "ok"
    }
    return wrong | {name: f"not listened to, it {reason}" for name, reason in page["masked"].items()}


def _lines(page: Mapping[str, Any]) -> list[str]:
    round_ = page["round"]
    playing = f", round {round_['number']} of {round_['of']}" if round_ else ""
    seated = f", seats {', '.join(map(str, page['seated']))} play" if page["seated"] else ""
    lines = [
        f"{page['game']} for {page['seats']}: {page['phase']}{playing}{seated}",
        f"ligretto-table {page['version']}, process {page['pid']}, since {page['started']}, "
        f"with {page['config']}",
    ]
    wrong = _wrong(page)
    lines += [f"check {name}: {words}" for name, words in wrong.items()] or ["all devices are well"]
    counts = ", ".join(f"{name} {count}" for name, count in page["counts"].items() if name != "restarts")
    return [*lines, f"since then: {counts or 'nothing'}"]
