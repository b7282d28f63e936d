"""`status --watch`: the report kept current, in place on a terminal, and in a pipe change by change."""

from __future__ import annotations

import json
import sys
import time
from typing import Any, NoReturn

import click

from firmware_host.cli.doctor_screen import stopped_by_signals
from firmware_host.cli.status_feed import Look, WatchedTable
from firmware_host.cli.status_report import Report, record, report_of
from firmware_host.cli.terminal import can_draw
from firmware_host.cli.widths import for_terminal
from firmware_host.runtime.running_daemon import running_service
from firmware_host.system.terminal_streams import console

_ALWAYS_NEW = ("written", "stamp_ns", "seconds")
"""What differs from page to page though nothing has happened."""


def watch_status(look: Look, as_json: bool) -> NoReturn:
    """Print the report until Ctrl-C; the table may stop and start again meanwhile."""
    table = WatchedTable(look)
    with stopped_by_signals():
        if as_json:
            _print_records(table)
        elif can_draw(sys.stdout):
            _redraw(table)
        else:
            _print_changes(table)


def _redraw(table: WatchedTable) -> NoReturn:
    from rich.live import Live
    from rich.text import Text

    with Live(console=console(), auto_refresh=False) as live:
        while True:
            lines = [f"{_clock()}  (Ctrl-C ends)", *report_of(table.now(), running_service()).values()]
            picture = "\n".join(part for line in lines for part in for_terminal(line))
            live.update(Text(picture), refresh=True)
            table.wait()


def _print_changes(table: WatchedTable) -> NoReturn:
    before: Report = {}
    while True:
        now = report_of(table.now(), running_service(), with_times=False)
        for line in changes(before, now):
            click.echo(f"{_clock()}  {line}")
        before = now
        table.wait()


def changes(before: Report, now: Report) -> list[str]:
    """The lines that are new; a device whose fault is no longer reported is ok again."""
    new = [line for about, line in now.items() if before.get(about) != line]
    gone = [about for about, line in before.items() if line.startswith("check ") and about not in now]
    return [*(f"{device} is ok again" for device in gone if "daemon" in now), *new]


def _print_records(table: WatchedTable) -> NoReturn:
    before: object = None
    while True:
        now = record(table.now())
        if (news := _without_times(now)) != before:
            click.echo(json.dumps(now))
        before = news
        table.wait()


def _without_times(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: _without_times(each) for name, each in value.items() if name not in _ALWAYS_NEW}


def _clock() -> str:
    return time.strftime("%H:%M:%S")
