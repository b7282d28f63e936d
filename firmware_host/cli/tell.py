"""`tell`: what an operator tells the running table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from firmware_host.cli.status import NotRunning, asked_for, look
from firmware_host.cli.status_report import Absent
from firmware_host.cli.store_options import store_options
from firmware_host.cli.terminal import columns_for, wrapped
from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.feed.feed_client import tell_table

REFUSED = 1
WIDTH = 100
INDENT = 20


@click.command(context_settings={"ignore_unknown_options": True})
@store_options
@click.option("--json", "as_json", is_flag=True, help="Print the table's answer as JSON.")
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED)
def tell(config: Path | None, store: Path | None, as_json: bool, words: tuple[str, ...]) -> None:
    """Tell the running table something: start, pause, resume, void, end, a leftover count, a setting, a name.

    The table is the one that runs as a service, or the one that is named. Exit code 0 if it was done, 1 if
    the table refuses it and says why, 2 if no table can be told anything.

    \b
    Examples:
      ligretto-table tell start               a match at all seats that are open
      ligretto-table tell start 6,6,0,6       a match of three, with that many dice
      ligretto-table tell start 6,6 dealt     both have their dice: count down at once
      ligretto-table tell pause               and: resume, void, end
      ligretto-table tell leftover 3 2        seat 3 has 2 left
      ligretto-table tell set rounds 3        and: language, game, volume, brightness, seats, handicap
      ligretto-table tell set rounds          the usual number again
      ligretto-table tell name 3 Anna         Anna sits at seat 3; without a name it is a guest
      ligretto-table tell names               who sits where
      ligretto-table tell guests              all have left: nobody who sits there has a name any more
      ligretto-table tell settings            all of them, and what is allowed
    """
    running = look(asked_for(config, store))
    if isinstance(running, Absent):
        raise NotRunning(running.words)
    answer = tell_table(running.folder / TELL_SOCKET, " ".join(words))
    if as_json:
        click.echo(json.dumps(answer))
    elif "settings" in answer:
        _print_settings(answer)
    elif answer.get("ok") is True:
        when = answer.get("takes_effect")
        click.echo(f"done; takes effect {when}" if when else "done")
        for seat, player in (answer.get("seats") or {}).items():
            click.echo(f"seat {seat}: {player['name']} (player {player['player']})")
    else:
        click.echo(f"ligretto-table: {answer.get('why', 'refused')}", err=True)
    raise SystemExit(0 if answer.get("ok") is True else REFUSED)


def _print_settings(answer: dict[str, Any]) -> None:
    """Each setting with its value, and what is allowed."""
    for name, each in answer["settings"].items():
        value = each["value"] or "-"
        click.echo("\n".join(wrapped(f"{name:<13}{value:<9}{each['allowed']}", columns_for(WIDTH), INDENT)))
    if answer.get("usual_deal"):
        click.echo(f"start alone deals {answer['usual_deal']}")
