"""`players`: the standings of the players, and what an operator corrects in them."""

from __future__ import annotations

import json
from pathlib import Path

import click

from firmware_host.archive.exporting import Wanted
from firmware_host.cli.export import readable_text, wanted_day
from firmware_host.cli.player_changes import change, number_of
from firmware_host.cli.player_list import list_lines, list_record
from firmware_host.cli.store_options import NUMBER, end_with, store_options, store_path
from firmware_host.cli.widths import columns_for
from firmware_host.errors import BadSettings
from firmware_host.store.store_reader import reading

WIDTH = 80


@click.group(invoke_without_command=True)
@store_options
@click.option("--day", help="Only this day: 2026-11-18, or today.")
@click.option("--event", callback=readable_text, help="Only this event.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, with each day and event.")
@click.pass_context
def players(
    context: click.Context,
    config: Path | None,
    store: Path | None,
    day: str | None,
    event: str | None,
    as_json: bool,
) -> None:
    """Show the standings of the players, or correct them.

    A player is somebody with a name; guests have no standings. Only matches that were played to the end
    count. Names are given with `ligretto-table tell name SEAT NAME`. What is corrected goes to the running
    table, or into the store if no table runs.

    \b
    Examples:
      ligretto-table players --day today
      ligretto-table players rename Ana Anna
      ligretto-table players merge Ana Anna
      ligretto-table players correct 12 3 Anna
      ligretto-table players delete Anna
    """
    context.obj = (config, store)
    if context.invoked_subcommand is not None:
        if day or event or as_json:
            raise BadSettings(["--day, --event and --json are for the list of players"])
        return
    wanted = Wanted(wanted_day(day), event or "")
    path = store_path(config, store)
    with reading(path) as book:
        record = list_record(book, wanted) if as_json else {}
        lines = [] if as_json else list_lines(book, wanted, columns_for(WIDTH))
    click.echo(json.dumps(record, indent=1) if as_json else "\n".join(lines))
    end_with(path, book.losses)


@players.command()
@click.argument("player")
@click.argument("name")
@click.pass_obj
def rename(named: tuple[Path | None, Path | None], player: str, name: str) -> None:
    """Give a PLAYER another NAME, in all results. A player can be named by name or by number."""
    with reading(store_path(*named)) as book:
        number = number_of(book, player)
    change(named, f"player {number} name {name}")


@players.command()
@click.argument("player")
@click.argument("into")
@click.pass_obj
def merge(named: tuple[Path | None, Path | None], player: str, into: str) -> None:
    """Make one player of two: what PLAYER has played, INTO has, and PLAYER is gone."""
    with reading(store_path(*named)) as book:
        number, other = number_of(book, player), number_of(book, into)
    change(named, f"player {number} merge {other}")


@players.command()
@click.argument("player")
@click.pass_obj
def delete(named: tuple[Path | None, Path | None], player: str) -> None:
    """Delete a PLAYER: no name is left in the store, and the results are those of a guest."""
    with reading(store_path(*named)) as book:
        number = number_of(book, player)
    change(named, f"player {number} delete")


@players.command()
@click.argument("match", type=NUMBER)
@click.argument("seat", type=click.IntRange(min=1))
@click.argument("name", default="")
@click.pass_obj
def correct(named: tuple[Path | None, Path | None], match: int, seat: int, name: str) -> None:
    """Say who sat at a SEAT in an earlier MATCH: NAME, or a guest without one.

    The numbers of matches: ligretto-table export --what matches
    """
    with reading(store_path(*named)) as book:
        name = book.players().get(int(name), name) if name.isdecimal() else name
    change(named, f"correct {match} {seat} {name}")
