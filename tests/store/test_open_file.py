"""The file is opened if it is sound, brought to this version, or put aside."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from firmware_host.run.daemon_store import recover
from firmware_host.store import open_file, schema
from firmware_host.store.open_file import keep_aside
from firmware_host.store.raw_file import Damaged, opened_to_read
from firmware_host.store.schema import VERSION, connect, migrate
from firmware_host.store.store_lock import StoreLock
from hw.ports import Condition, Health
from tests.store.shelves import (
    event,
    events,
    execute,
    now_text,
    open_store,
    set_aside,
    settled,
    wait_for,
    writing,
)


def test_a_file_that_is_damaged_inside_is_not_opened(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 3000))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * 8192)
    with pytest.raises(Damaged):
        open_store(str(path))


def test_a_good_store_stays_where_sqlite_refuses_what_is_asked_of_it(
    club: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an upgrade of the system: names and standings stay, and the log says what it is."""
    shutil.copyfile(club, path)
    before = path.read_bytes()

    def refused(connection: sqlite3.Connection) -> None:
        connection.execute("SELECT * FROM pragma_of_tomorrow(1)")

    monkeypatch.setattr(open_file, "_check", refused)
    lock, told = StoreLock(str(path)), list[Health]()
    was = recover(lock, told.append, now_text)
    assert was.players == {1: "Anna", 2: "Ben", 3: "Wilhelmina"} and told == []
    lock.release()
    with writing(path) as (writer, told):
        writer.put([event("lost")])
        wait_for(lambda: bool(told))
        assert told[0].condition is Condition.LOST
        assert "can't do what a store needs: no such table: pragma_of_tomorrow" in told[0].seen
        assert told[0].advice.startswith("the disk is not the cause: please report it")
    assert path.read_bytes() == before and set_aside(path) == []
    with pytest.raises(sqlite3.NotSupportedError):
        open_file.try_to_open(str(path))


def test_whether_it_can_be_opened_is_found_without_touching_it(club: Path, path: Path) -> None:
    open_file.try_to_open(str(path))
    shutil.copyfile(club, path)
    with writing(path) as (writer, _):
        writer.put([event("only in the log")])
        settled(writer)
        before = [each.read_bytes() for each in sorted(path.parent.iterdir())]
        open_file.try_to_open(str(path))
        assert [each.read_bytes() for each in sorted(path.parent.iterdir())] == before
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(Damaged):
        open_file.try_to_open(str(path))


def test_broken_files_are_kept_each_under_a_name_of_its_own(path: Path) -> None:
    """On FAT there is no colon in a name."""
    aside = f"{path}.broken-2026-11-18T20-00-00"
    names = [aside, f"{aside}-2", f"{aside}-3"]
    for number in range(3):
        for companion in ("", "-wal", "-shm"):
            Path(f"{path}{companion}").write_text(f"{number}{companion}")
        health = keep_aside(str(path), Damaged("torn"), "2026-11-18T20:00:00")
        assert not path.exists() and health.seen.endswith(f"is kept as {names[number]}")
    assert [Path(name).read_text() for name in names] == ["0", "1", "2"]
    assert [Path(f"{name}-wal").read_text() for name in names] == ["0-wal", "1-wal", "2-wal"]


def test_a_link_to_a_broken_file_stays_and_the_file_is_kept_beside_its_own_place(
    path: Path, tmp_path: Path
) -> None:
    file = tmp_path / "card" / "table.db"
    file.parent.mkdir()
    file.write_text("torn")
    path.symlink_to(file)
    keep_aside(str(path), Damaged("torn"), "then")
    assert path.is_symlink() and [each.name for each in file.parent.iterdir()] == ["table.db.broken-then"]


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


# -- older versions

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
