"""`status --watch`: the report kept current, in place on a terminal, and in a pipe change by change."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

import click

from firmware_host.cli.doctor_screen import stopped_by_signals
from firmware_host.cli.status_report import Absent, Report, record, report_of
from firmware_host.cli.terminal import can_draw
from firmware_host.cli.widths import for_terminal
from firmware_host.runtime.running_daemon import Running, running_service
from firmware_host.system.terminal_streams import console

LOOK_S = 1.0
_ALWAYS_NEW = ("written", "stamp_ns", "seconds")
"""What differs from page to page though nothing has happened."""

Look = Callable[[], Running | Absent]


def watch_status(look: Look, as_json: bool) -> NoReturn:
    """Print the report until Ctrl-C; the table may stop and start again meanwhile."""
    with stopped_by_signals():
        if as_json:
            _print_records(look)
        elif can_draw(sys.stdout):
            _redraw(look)
        else:
            _print_changes(look)


def _redraw(look: Look) -> NoReturn:
    from rich.live import Live
    from rich.text import Text

    with Live(console=console(), auto_refresh=False) as live:
        while True:
            lines = [f"{_clock()}  (Ctrl-C ends)", *report_of(look(), running_service()).values()]
            picture = "\n".join(part for line in lines for part in for_terminal(line))
            live.update(Text(picture), refresh=True)
            time.sleep(LOOK_S)


def _print_changes(look: Look) -> NoReturn:
    before: Report = {}
    while True:
        now = report_of(look(), running_service(), with_times=False)
        for line in changes(before, now):
            click.echo(f"{_clock()}  {line}")
        before = now
        time.sleep(LOOK_S)


def changes(before: Report, now: Report) -> list[str]:
    """The lines that are new; a device whose fault is no longer reported is ok again."""
    new = [line for about, line in now.items() if before.get(about) != line]
    gone = [about for about, line in before.items() if line.startswith("check ") and about not in now]
    return [*(f"{device} is ok again" for device in gone if "daemon" in now), *new]


def _print_records(look: Look) -> NoReturn:
    before: object = None
    while True:
        now = record(look())
        if (news := _without_times(now)) != before:
            click.echo(json.dumps(now))
        before = news
        time.sleep(LOOK_S)


def _without_times(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {name: _without_times(each) for name, each in value.items() if name not in _ALWAYS_NEW}


def _clock() -> str:
    return time.strftime("%H:%M:%S")
