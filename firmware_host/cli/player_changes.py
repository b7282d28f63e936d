"""Changes of players: told to the running table, or written into the store if no table runs."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import click

from firmware_host.cli.status import NotRunning, asked_for, look
from firmware_host.cli.status_report import NOT_RUNNING, Absent
from firmware_host.cli.store_options import store_path
from firmware_host.errors import BadSettings, TableError
from firmware_host.feed.desk_client import tell_table
from firmware_host.feed.sockets import TELL_SOCKET
from firmware_host.player_name import name_key
from firmware_host.runtime.name_commands import obey_naming
from firmware_host.runtime.roster import Roster
from firmware_host.store.file_advice import to_write
from firmware_host.store.store_lock import StoreLock, StoreTaken
from firmware_host.store.store_opening import open_store
from firmware_host.store.store_reader import StoreReader, reading
from firmware_host.store.writer import Row

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
