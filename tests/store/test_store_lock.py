"""The lock on the store: one daemon has it, whatever the name of the file, and no mere reader can take it."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from firmware_host.store import store_lock as module
from firmware_host.store.store_lock import DAEMON, SQLITE, StoreLock, StoreTaken, is_locked
from hw.ports import Condition
from tests.store.shelves import (
    WRITES,
    another_program,
    conditions,
    events,
    execute,
    lock,
    logged,
    numbers,
    open_folder,
    open_store,
    secured,
    settled,
    wait_for,
    without_rights,
    writing,
)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch, impatient: None) -> None:
    monkeypatch.setattr(module, "BUSY_S", 0.1)


READS = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN")
connection.execute("SELECT count(*) FROM log").fetchone()
"""
LOCKS_ALL_FOR_READING = """
import fcntl, os, sys
descriptor = os.open(sys.argv[1], os.O_RDONLY)
fcntl.lockf(descriptor, fcntl.LOCK_SH)
fcntl.flock(descriptor, fcntl.LOCK_EX)
"""


def filled(path: Path) -> Path:
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
    return path


# -- one daemon


def test_one_daemon_has_the_file(path: Path) -> None:
    assert is_locked(str(path)) is False and is_locked(str(path / "below")) is False
    held = StoreLock(str(path))
    for _ in range(2):
        held.take()
    assert is_locked(str(path)) is True
    with pytest.raises(StoreTaken, match="another ligretto-table runs this table already"):
        lock(str(path))
    for _ in range(2):
        held.release()
    assert is_locked(str(path)) is False
    lock(str(path))()


@pytest.mark.parametrize("way", ["a symlink", "a hard link", "a deleted lock file", "a path with dots"])
def test_a_second_one_is_refused_whatever_the_name(path: Path, tmp_path: Path, way: str) -> None:
    other = tmp_path / "other.db"
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        settled(writer)
        if way == "a symlink":
            other.symlink_to(path)
        elif way == "a hard link":
            os.link(path, other)
        elif way == "a path with dots":
            other = tmp_path / ".." / tmp_path.name / path.name
        else:
            Path(f"{path}.lock").unlink(missing_ok=True)
            other = path
        assert is_locked(str(other)) is True
        with pytest.raises(StoreTaken):
            StoreLock(str(other)).take()
        with writing(other) as (second, told_second):
            second.put(events(10, 10))
            wait_for(lambda: bool(told_second))
            assert conditions(told_second) == [Condition.LOST]
            assert "stop that one first" in told_second[0].seen
        assert told == []
    assert logged(path) == numbers(0, 10)


@pytest.mark.usefixtures("impatient")
def test_a_new_file_in_a_new_folder_is_locked_as_well(tmp_path: Path) -> None:
    path = tmp_path / "card" / "table.db"
    path.parent.mkdir()
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)
        shutil.rmtree(path.parent)
        wait_for(lambda: Condition.LOST in conditions(told))
        path.parent.mkdir()
        secured(writer)
        with pytest.raises(StoreTaken):
            StoreLock(str(path)).take()
    assert logged(path) == numbers(0, 10)
    assert is_locked(str(path)) is False


@pytest.mark.usefixtures("impatient")
def test_the_lock_is_held_while_the_file_can_not_be_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two attempts the file is closed."""
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)

        def full(rows: object) -> list[int]:
            raise sqlite3.OperationalError("database or disk is full")

        monkeypatch.setattr(writer._file, "write", full)
        writer.put(events(10, 10))
        wait_for(lambda: bool(told) and writer._file._connection is None)
        assert is_locked(str(path)) is True
        monkeypatch.undo()
        settled(writer)
    assert logged(path) == numbers(0, 20)


def test_somebody_elses_file_is_not_kept_locked(path: Path) -> None:
    path.write_text("a text")
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        wait_for(lambda: bool(told))
        assert is_locked(str(path)) is False


# -- other programs


def test_nobody_else_can_use_it_through_sqlite_while_it_is_written(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
        settled(writer)
        with pytest.raises(sqlite3.OperationalError, match="database is locked"):
            execute(path, "PRAGMA busy_timeout = 0; DELETE FROM log")
        writer.put(events(10, 10))
    assert logged(path) == numbers(0, 20)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("script", [READS, LOCKS_ALL_FOR_READING])
def test_whoever_only_reads_it_does_not_stop_the_table(path: Path, script: str) -> None:
    """The table goes on with a copy; so the log does not grow either, however long the other one reads."""
    filled(path).chmod(0o640)
    log = Path(f"{path}-wal")
    with another_program(script, path), writing(path) as (writer, told):
        for first in range(10, 60, 10):
            writer.put(events(first, 10))
            secured(writer)
            assert log.stat().st_size == 0
        assert told == [] and is_locked(str(path)) is True
        assert path.stat().st_mode & 0o777 == 0o640
    assert logged(path) == numbers(0, 60)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("script", [READS, LOCKS_ALL_FOR_READING])
def test_a_file_with_two_names_that_is_read_is_not_copied(path: Path, tmp_path: Path, script: str) -> None:
    """A daemon that goes by the other name would go on with a copy of its own."""
    other = tmp_path / "other.db"
    os.link(filled(path), other)
    with (
        writing(path) as (writer, told),
        writing(other) as (second, told_second),
        another_program(script, path),
    ):
        writer.put(events(10, 10))
        wait_for(lambda: bool(told))
        assert "it has 2 names (hard links)" in told[0].seen
        assert "remove the other name, or stop that program" in told[0].seen
        second.put(events(10, 10))
        wait_for(lambda: bool(told_second))
        assert conditions(told) == conditions(told_second) == [Condition.LOST]
        assert path.samefile(other) and not second.close()
        other.unlink()
        settled(writer)
    assert logged(path) == numbers(0, 20)


@pytest.mark.usefixtures("impatient")
def test_a_file_of_which_there_is_no_room_for_a_copy_is_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(path)

    def full(*arguments: object, **more: object) -> tuple[int, str]:
        raise OSError(errno.ENOSPC, "No space left on device")

    with another_program(READS, path), writing(path) as (writer, told):
        monkeypatch.setattr("tempfile.mkstemp", full)
        writer.put(events(10, 10))
        wait_for(lambda: bool(told))
        assert "No space left" in told[0].seen and told[0].advice == "free some space"
        monkeypatch.undo()
        settled(writer)
    assert logged(path) == numbers(0, 20)


@pytest.mark.usefixtures("impatient")
def test_whoever_writes_it_is_waited_for(path: Path) -> None:
    filled(path)
    with writing(path) as (writer, told):
        with another_program(WRITES, path):
            writer.put(events(10, 10))
            wait_for(lambda: bool(told))
            assert told[0].seen.endswith("database is locked")
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK]
    assert logged(path) == numbers(0, 20)


# -- as others see it


def test_whoever_may_only_read_it_is_told_all_the_same() -> None:
    with open_folder() as folder:
        path = str(folder / "table.db")
        let_go = lock(path)
        with without_rights(folder):
            assert is_locked(path) is True
            with pytest.raises(PermissionError):
                lock(path)
        let_go()
        os.chmod(path, 0)
        with without_rights(folder):
            assert is_locked(path) is None


# -- where nothing can be locked


def test_a_disk_without_locks_is_written_all_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*arguments: object) -> int:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(module, "_flock", refuse)
    filled(path)
    assert logged(path) == numbers(0, 10)
    assert f"{path} can't be locked: No locks available; nothing keeps a second daemon from it" in caplog.text
    assert is_locked(str(path)) is None


def test_a_lock_that_fails_otherwise_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> int:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(module, "_flock", refuse)
    with pytest.raises(sqlite3.OperationalError, match="Input/output error"):
        open_store(str(path))


def test_a_draft_that_somebody_has_locked_is_not_moved(path: Path, tmp_path: Path) -> None:
    path.touch()
    draft = tmp_path / "draft"
    draft.touch()
    let_go = lock(str(draft))
    held = StoreLock(str(path))
    with pytest.raises(sqlite3.OperationalError, match="database is locked"):
        held.move_to(str(draft))
    let_go()
    assert draft.exists() and SQLITE[0] + SQLITE[1] <= DAEMON[0]
