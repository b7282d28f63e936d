"""Files of older versions become new ones, step by step or not at all; newer ones are refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from firmware_host.store import schema
from firmware_host.store.raw_file import opened_to_read
from firmware_host.store.schema import VERSION, connect, migrate
from tests.store.shelves import execute


def version_of(path: Path) -> int:
    with opened_to_read(str(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


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


def test_each_version_has_other_statements(path: Path) -> None:
    """So they tell a damaged number from that of a newer program."""
    assert len(set(schema.schemas())) == len(schema.schemas()) == VERSION + 1
    connection = migrated(path)
    assert schema.schema_of(connection) == schema.schemas()[VERSION]
    connection.close()
