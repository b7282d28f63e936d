"""Files of older versions become new ones, step by step or not at all; newer ones are refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from firmware_host.store import schema
from firmware_host.store.schema import VERSION, NewerFile, connect, migrate
from tests.store.shelves import execute


def version_of(path: Path) -> int:
    connection = connect(str(path), read_only=True)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def migrated(path: Path) -> sqlite3.Connection:
    connection = connect(str(path))
    migrate(connection)
    return connection


def test_a_new_file_is_of_this_version(path: Path) -> None:
    migrated(path).close()
    assert version_of(path) == VERSION == len(schema.MIGRATIONS)


def test_a_file_of_this_version_stays_as_it_is(path: Path) -> None:
    connection = migrated(path)
    connection.execute("INSERT INTO choices VALUES ('language', 'fr')")
    connection.close()
    connection = migrated(path)
    assert connection.execute("SELECT * FROM choices").fetchall() == [("language", "fr")]
    connection.close()


OLDER = (
    "CREATE TABLE log (n INTEGER PRIMARY KEY, text TEXT)",
    "ALTER TABLE log ADD COLUMN kind TEXT NOT NULL DEFAULT 'old'",
    "CREATE TABLE choices (name TEXT); INSERT INTO choices SELECT text FROM log",
)


def test_an_older_file_is_brought_up_step_by_step(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "MIGRATIONS", OLDER)
    monkeypatch.setattr(schema, "VERSION", len(OLDER))
    execute(path, f"{OLDER[0]}; INSERT INTO log (text) VALUES ('what was'); PRAGMA user_version = 1")
    connection = migrated(path)
    assert connection.execute("SELECT text, kind FROM log").fetchall() == [("what was", "old")]
    assert connection.execute("SELECT name FROM choices").fetchall() == [("what was",)]
    connection.close()
    assert version_of(path) == 3


@pytest.mark.parametrize("broken", range(3))
def test_a_step_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch, broken: int) -> None:
    steps = list(OLDER)
    steps[broken] = f"{steps[broken]}; INSERT INTO nowhere VALUES (1)"
    monkeypatch.setattr(schema, "MIGRATIONS", tuple(steps))
    monkeypatch.setattr(schema, "VERSION", len(steps))
    connection = connect(str(path))
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate(connection)
    assert not connection.in_transaction
    connection.close()
    assert version_of(path) == broken
    monkeypatch.setattr(schema, "MIGRATIONS", OLDER)
    migrated(path).close()
    assert version_of(path) == 3


def test_a_step_that_is_no_sql_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    migrated(path).close()
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "this is no SQL"))
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    connection = connect(str(path))
    with pytest.raises(sqlite3.OperationalError, match="syntax error"):
        migrate(connection)
    connection.close()
    assert version_of(path) == VERSION


def test_a_newer_file_is_refused(path: Path) -> None:
    migrated(path).close()
    execute(path, f"PRAGMA user_version = {VERSION + 1}")
    connection = connect(str(path))
    with pytest.raises(NewerFile, match=f"version {VERSION + 1}, and this program knows {VERSION}"):
        migrate(connection)
    connection.close()


@pytest.mark.parametrize("name", ["a?b.db", "a#b.db", "a%20b.db", "a b.db", "tä.db"])
def test_any_name_will_do(tmp_path: Path, name: str) -> None:
    migrated(tmp_path / name).close()
    assert [each.name for each in tmp_path.iterdir()] == [name]
    assert version_of(tmp_path / name) == VERSION


@pytest.mark.parametrize("slashes", ["//", "///"])
def test_a_name_may_begin_with_more_than_one_slash(path: Path, slashes: str) -> None:
    migrated(Path(slashes + str(path).lstrip("/"))).close()
    connect(slashes + str(path).lstrip("/")).close()
    assert version_of(path) == VERSION


def test_what_is_no_store_is_not_opened(path: Path) -> None:
    path.write_bytes(b"dice and cards " * 1000)
    with pytest.raises(sqlite3.DatabaseError, match="not a database"):
        connect(str(path))


def test_a_reader_leaves_nothing_behind(path: Path) -> None:
    migrated(path).close()
    before = path.read_bytes()
    reader = connect(str(path), read_only=True)
    assert reader.execute("SELECT count(*) FROM log").fetchone() == (0,)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM log")
    reader.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name] and path.read_bytes() == before


def test_a_store_in_use_is_read_as_it_is_now(path: Path) -> None:
    writer = migrated(path)
    writer.execute("INSERT INTO choices VALUES ('language', 'fr')")
    reader = connect(str(path), read_only=True)
    assert reader.execute("SELECT * FROM choices").fetchall() == [("language", "fr")]
    reader.close()
    writer.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_log_without_its_index_is_left_to_the_daemon(path: Path) -> None:
    """Whoever made the index would own it, and the daemon might not be able to use it."""
    migrated(path).close()
    Path(f"{path}-wal").touch()
    with pytest.raises(sqlite3.OperationalError, match="`ligretto-table run` brings it in order"):
        connect(str(path), read_only=True)
    assert sorted(each.name for each in path.parent.iterdir()) == [path.name, f"{path.name}-wal"]


def test_a_step_for_which_there_is_no_room_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrated(path).close()
    step = "INSERT INTO log (at, kind, text) SELECT 'now', 'test', hex(zeroblob(1000)) FROM audits"
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    connection = connect(str(path))
    connection.executemany(
        "INSERT INTO audits VALUES ('test', ?, 1, 'now', 0)", [(str(n),) for n in range(2000)]
    )
    connection.execute("PRAGMA cache_size = 10")
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(sqlite3.OperationalError, match="full"):
        migrate(connection)
    assert not connection.in_transaction
    connection.close()
    assert version_of(path) == VERSION


def test_a_step_that_sqlite_has_taken_back_itself_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it does with some errors of the disk."""
    migrated(path).close()
    monkeypatch.setattr(
        schema, "MIGRATIONS", (*schema.MIGRATIONS, "ROLLBACK; INSERT INTO nowhere VALUES (1)")
    )
    monkeypatch.setattr(schema, "VERSION", VERSION + 1)
    connection = connect(str(path))
    with pytest.raises(sqlite3.OperationalError, match="nowhere"):
        migrate(connection)
    connection.close()
    assert version_of(path) == VERSION
