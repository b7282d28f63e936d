"""`fault`: let something go wrong with the devices of a simulated table that runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from firmware_host.cli.status import NotRunning, asked_for, look
from firmware_host.cli.status_report import Absent
from firmware_host.cli.store_options import store_options
from firmware_host.cli.terminal import columns_for, wrapped
from firmware_host.feed.feed_client import tell_faults

REFUSED = 1
WIDTH = 100
INDENT = 9


@click.command(context_settings={"ignore_unknown_options": True})
@store_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def fault(config: Path | None, store: Path | None, as_json: bool, words: tuple[str, ...]) -> None:
    """Let something go wrong with the devices of a simulated table that runs, such as that of `demo`.

    A fault is a kind, what it happens to, and how long it lasts; without a time it lasts until you end it.
    Without words: what is wrong now, and what can go wrong. Exit code 0 if it was done, 1 if it is refused,
    2 if there is no simulated table.

    \b
    Examples:
      ligretto-table fault                       what is wrong, and what can go wrong
      ligretto-table fault storm seat 2 3s       the button of seat 2 chatters
      ligretto-table fault unplug scoreboard     the scoreboard is lost
      ligretto-table fault end scoreboard        ... and back
      ligretto-table fault end                   all is well again
    """
    running = look(asked_for(config, store))
    if isinstance(running, Absent):
        raise NotRunning(running.words)
    answer = tell_faults(running.folder, " ".join(words))
    done = answer.get("ok") is True
    if as_json:
        click.echo(json.dumps(answer))
    elif not done:
        click.echo(f"ligretto-table: {answer.get('why', 'refused')}", err=True)
    else:
        _print_faults(answer["faults"])
        if not words:
            _print_possible(answer["possible"])
    raise SystemExit(0 if done else REFUSED)


def _print_faults(faults: list[dict[str, Any]]) -> None:
    """What is wrong now."""
    for each in faults:
        until = f"for {each['left_s']:.1f} s" if "left_s" in each else "until you end it"
        click.echo(f"{each['kind']} {each['what']} {until}")
    if not faults:
        click.echo("nothing is wrong")


def _print_possible(possible: dict[str, dict[str, Any]]) -> None:
    """What can go wrong."""
    click.echo("what can go wrong:")
    for name, each in possible.items():
        text = f"{name:<{INDENT}}{each['means']}: {', '.join(each['what'])}"
        click.echo("\n".join(wrapped(text, columns_for(WIDTH), INDENT)))
