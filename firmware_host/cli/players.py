"""`players`: the standings of the players, and what an operator corrects in them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from firmware_host.cli.export import readable_text, wanted_day
from firmware_host.cli.status import NotRunning, asked_for, look
from firmware_host.cli.status_report import NOT_RUNNING, Absent
from firmware_host.cli.store_options import NUMBER, end_with, store_options, store_path
from firmware_host.cli.terminal import columns_for
from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.feed.feed_client import tell_table
from firmware_host.history.exporting import (
    SITTING_COLUMNS,
    Wanted,
    sittings_of_matches,
    standings_of_players,
    tally,
)
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.model.plain_text import LONGEST_NAME, name_key
from firmware_host.run.roster import Roster, obey_naming
from firmware_host.store.open_file import Row, open_store
from firmware_host.store.results import ALL, Standing
from firmware_host.store.store_health import to_write
from firmware_host.store.store_lock import StoreLock, StoreTaken
from firmware_host.store.store_reader import StoreReader, reading

REFUSED = 1
_SAFE = "PRAGMA wal_checkpoint(TRUNCATE)"


class NotChanged(TableError):
    """The store stays as it was: why."""


def number_of(book: StoreReader, player: str) -> int:
    """The number of a player who is given by name or by number; BadSettings if there is none."""
    players = book.players()
    if player.isdecimal() and int(player) in players:
        return int(player)
    key = name_key(player)
    for number, name in players.items():
        if name_key(name) == key:
            return number
    raise BadSettings([f"there is no player '{player}'; ligretto-table players lists them"])


def change(named: tuple[Path | None, Path | None], text: str) -> None:
    """Have it done, and end the command: exit code 1 if it is refused."""
    running = look(asked_for(*named))
    if not isinstance(running, Absent):
        answer = tell_table(running.folder / TELL_SOCKET, text)
        if answer.get("ok") is not True:
            click.echo(f"ligretto-table: {answer.get('why', 'refused')}", err=True)
            raise SystemExit(REFUSED)
    elif running.code == NOT_RUNNING:
        _write(store_path(*named), text)
    else:
        raise NotRunning(running.words)
    click.echo("done")


def _write(path: str, text: str) -> None:
    """Write it into a store that no table uses."""
    rows: list[Row] = []
    with reading(path) as book:
        roster = Roster(
            book.players(), book.next_player, book.named_seats(), rows.extend, lambda ask: ask(book)
        )
        obey_naming(roster, text.split())
    lock = StoreLock(path)
    try:
        with closing(open_store(lock, lambda health: None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            for statement, values in rows:
                connection.execute(statement, values)
            connection.execute("COMMIT")
            connection.execute(_SAFE).fetchone()
    except StoreTaken:
        raise NotRunning(f"a daemon has claimed {path} meanwhile: try again") from None
    except sqlite3.Error as error:
        raise NotChanged(f"{path} can't be written: {error}; {to_write(path, error)}") from None
    finally:
        lock.release()


NARROW = 65
"""With fewer columns the numbers are below the name."""
_HEADING = f"{'no':>4}  {'name':<{LONGEST_NAME}}  matches  won  rounds  ended  points  best"


def list_lines(book: StoreReader, wanted: Wanted, width: int) -> list[str]:
    """The standings of all time, or of what is asked for; then the players who have none."""
    players = book.players()
    found = [each for each in standings_of_players(book, wanted) if each.scope in (ALL, *_asked(wanted))]
    lines: list[str] = []
    for game, standings in groupby(found, lambda each: each.game):
        lines += [*([""] if lines else []), f"{game}, {_words(wanted)}"]
        lines += [] if width < NARROW else [_HEADING]
        for each in standings:
            lines += _lines(each, players[each.who], width)
    there = {each.who for each in found}
    rest = [f"{number}: {name}" for number, name in players.items() if number not in there]
    if rest and not _asked(wanted):
        lines += [*([""] if lines else []), f"without a match to the end: {', '.join(rest)}"]
    return lines or [f"no player has played a match to the end, {_words(wanted)}"]


def list_record(book: StoreReader, wanted: Wanted) -> dict[str, Any]:
    """The same for programs, with who sits where and who sat where."""
    players = book.players()
    sat = [dict(zip(SITTING_COLUMNS, row, strict=True)) for row in sittings_of_matches(book, wanted)]
    return {
        "players": [{"player": number, "name": name} for number, name in players.items()],
        "seats": {seat: player for seat, player in book.named_seats().items() if player in players},
        "matches": [{name: each[name] for name in ("match", "seat", "player")} for each in sat],
        "standings": [
            {"scope": each.scope, "name": each.name, "game": each.game, "player": each.who} | tally(each)
            for each in standings_of_players(book, wanted)
        ],
    }


def _asked(wanted: Wanted) -> tuple[str, ...]:
    return () if wanted == Wanted() else wanted.scopes


def _words(wanted: Wanted) -> str:
    parts = [wanted.day] if wanted.day else []
    parts += [f"event '{wanted.event}'"] if wanted.event else []
    return ", ".join(parts) or "all time"


def _lines(each: Standing, name: str, width: int) -> Iterator[str]:
    best = "" if each.best_round is None else f"{each.best_round:+d}"
    numbers = f"{each.matches:>7}  {each.wins:>3}  {each.rounds:>6}  {each.rounds_ended:>5}"
    numbers += f"  {each.points:>+6}  {best:>4}"
    if width < NARROW:
        yield f"{each.who:>4}  {name}: {each.points:+d}"
        yield f"      matches {each.matches}, won {each.wins}"
    else:
        yield f"{each.who:>4}  {name:<{LONGEST_NAME}}  {numbers}"


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
