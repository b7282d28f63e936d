"""Backups of a store: a copy that is checked, made while the table plays, and put back while it does not.

A backup is one file that needs no log beside it. It is checked by reading everything in it as the commands
do, so a backup that is said to be sound can be recalled, replayed and resumed.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from firmware_host.model.errors import DamagedRecord, TableError
from firmware_host.store.raw_file import copy_as_one, move_aside, remove
from firmware_host.store.store_lock import StoreLock
from firmware_host.store.store_reader import EVERY, NotWritten, StoreReader, reading

Progress = Callable[[int, int], None]
"""Gets how many sessions of how many are checked."""


class NoBackup(TableError):
    """The backup can't be made, or can't be put back: why. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class StoreContents:
    """What is in a store, and what of it can't be read."""

    bytes: int
    sessions: int
    matches: int
    rounds: int
    last: str
    """When the last round began; empty if there is none."""
    losses: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        return not self.losses


def _unseen(done: int, of: int) -> None:
    """Nobody looks at the progress."""


def examine(path: str, progress: Progress = _unseen) -> StoreContents:
    """What is in a store, after everything in it was read; NoStore if it can't be opened at all."""
    with reading(path) as book:
        sessions = book.session_ids().values()
        for done, id in enumerate(sessions, start=1):
            _read_session(book, id)
            progress(done, len(sessions))
        rounds, matches = book.rounds(EVERY), book.matches()
        book.dead_heats()
        book.audits()
        book.log(EVERY)
        book.choices()
        return StoreContents(
            bytes=os.path.getsize(path),
            sessions=len(sessions),
            matches=len(matches),
            rounds=len(rounds),
            last=rounds[0].begun if rounds else "",
            losses=tuple(book.losses),
        )


def _read_session(book: StoreReader, id: int) -> None:
    try:
        book.session_log(id)
    except (DamagedRecord, NotWritten) as error:
        book.losses.add(error)


def back_up(path: str, target: str, progress: Progress = _unseen) -> StoreContents:
    """Copy the store as it is at one moment into a new file, and check that. The table may go on playing."""
    if os.path.exists(target):
        raise NoBackup(f"{target}: exists already; name another file")
    draft = f"{target}.part"
    try:
        with reading(path):
            pass  # it is a store
        copy_as_one(path, draft)
        contents = examine(draft, progress)
        _sync(draft)
        os.rename(draft, target)
    except (OSError, sqlite3.Error) as error:
        raise NoBackup(f"{target} can't be written: {error}") from None
    finally:
        remove(draft)
    return contents


def restore(backup: str, path: str, stamp: str, progress: Progress = _unseen) -> tuple[StoreContents, str]:
    """Put a sound backup in the place of a store that no table uses.

    What is there now is kept beside it, under the name that is returned (empty if there was nothing).
    StoreTaken if a table uses it.
    """
    contents = examine(backup, progress)
    if not contents.is_sound:
        raise NoBackup(f"{backup} is damaged: {contents.losses[0]}")
    real = os.path.realpath(path)
    if os.path.realpath(backup) == real:
        raise NoBackup(f"{backup} is the store itself")
    lock = StoreLock(real)
    draft = f"{real}.restored"
    try:
        if os.path.exists(real):
            lock.take()
        copy_as_one(backup, draft)  # with the log beside it, if somebody has copied a store by hand
        _as_owned(draft, real)
        _sync(draft)
        kept = f"{real}.before-{stamp.replace(':', '-')}"
        aside = move_aside(real, kept) if os.path.exists(real) else ""
        os.rename(draft, real)
        _sync(os.path.dirname(real))
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, TableError):
            raise
        raise NoBackup(f"{path} can't be replaced: {error}") from None
    finally:
        remove(draft)
        lock.release()
    return contents, aside


def _as_owned(draft: str, old: str) -> None:
    """Give the new file the owner and the permissions of the old one; a new one those of its folder."""
    with suppress(FileNotFoundError):
        shutil.copymode(old, draft)
    model = old if os.path.exists(old) else os.path.dirname(old)
    status = os.stat(model)
    with suppress(PermissionError):  # only root may give a file away
        os.chown(draft, status.st_uid, status.st_gid)


def _sync(path: str) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
