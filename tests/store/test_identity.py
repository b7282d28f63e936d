"""Whose a file is: a store is used or kept aside, what is somebody else's is left as it is."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest

from firmware_host.store import identity as module
from firmware_host.store.identity import ForeignFile, holds_store
from firmware_host.store.schema import (
    APPLICATION_ID,
    MIGRATIONS,
    TABLES,
    VERSION,
    connect,
    migrate,
    right_columns,
)
from firmware_host.store.shelf import is_unusable, open_store
from tests.store.shelves import events, execute, logged, writing

UNSTAMPED = "".join(MIGRATIONS) + f"PRAGMA user_version = {VERSION}"
"""How a store was made before stores had an id."""


def made(path: Path) -> Path:
    open_store(str(path)).close()
    return path


def id_of(path: Path) -> int:
    connection = connect(str(path), read_only=True)
    try:
        return int(connection.execute("PRAGMA application_id").fetchone()[0])
    finally:
        connection.close()


# -- ours


def test_what_is_made_here_is_known_by_its_id_and_its_tables(path: Path) -> None:
    assert holds_store(str(path)) is False
    assert id_of(made(path)) == APPLICATION_ID and holds_store(str(path))
    connection = sqlite3.connect(path)
    found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    connection.close()
    assert {name for (name,) in found} - {"sqlite_sequence"} == TABLES


def test_a_store_without_an_id_gets_one(path: Path) -> None:
    execute(path, f"{UNSTAMPED}; INSERT INTO choices VALUES ('language', 'de')")
    assert id_of(path) == 0
    connection = open_store(str(path))
    assert connection.execute("SELECT * FROM choices").fetchall() == [("language", "de")]
    connection.close()
    assert id_of(path) == APPLICATION_ID


def test_a_store_whose_id_was_overwritten_gets_it_again(path: Path) -> None:
    execute(made(path), "PRAGMA application_id = 5")
    open_store(str(path)).close()
    assert id_of(path) == APPLICATION_ID


def test_a_file_with_nothing_in_it_becomes_a_store(path: Path) -> None:
    path.touch()
    assert holds_store(str(path)) is False
    assert id_of(made(path)) == APPLICATION_ID


def test_a_store_that_was_begun_and_no_more_becomes_one(path: Path) -> None:
    """The process was killed before the first step."""
    connect(str(path)).close()
    assert path.stat().st_size and holds_store(str(path)) is False
    assert id_of(made(path)) == APPLICATION_ID


@pytest.mark.parametrize("copied", [("", "-wal"), ("", "-wal", "-shm")])
def test_a_new_store_that_was_not_closed_is_ours(path: Path, tmp_path: Path, copied: tuple[str, ...]) -> None:
    """All that is in it stands in the log beside it."""
    copy = tmp_path / "copy.db"
    connection = connect(str(path))
    migrate(connection)
    connection.execute("INSERT INTO choices VALUES ('language', 'de')")
    for companion in copied:
        shutil.copy(f"{path}{companion}", f"{copy}{companion}")
    connection.close()
    assert holds_store(str(copy))
    connection = open_store(str(copy))
    assert connection.execute("SELECT * FROM choices").fetchall() == [("language", "de")]
    connection.close()


@pytest.mark.parametrize("table", sorted(TABLES))
@pytest.mark.parametrize("with_id", [True, False])
def test_a_store_without_one_of_its_tables_is_damaged(path: Path, table: str, with_id: bool) -> None:
    id = APPLICATION_ID if with_id else 0
    execute(path, f"{UNSTAMPED}; PRAGMA application_id = {id}; DROP TABLE {table}")
    with pytest.raises(sqlite3.DatabaseError, match=f"its table {table} is gone") as caught:
        open_store(str(path))
    assert is_unusable(caught.value)


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_store_with_another_column_is_damaged(path: Path, table: str) -> None:
    """One byte is enough for that."""
    column = right_columns()[table][-1]
    execute(made(path), f"ALTER TABLE {table} RENAME COLUMN {column} TO {column}_")
    with pytest.raises(sqlite3.DatabaseError, match=f"its table {table} has other columns") as caught:
        open_store(str(path))
    assert is_unusable(caught.value)


def test_a_store_whose_version_was_overwritten_is_damaged(path: Path) -> None:
    execute(made(path), "PRAGMA user_version = 0")
    with pytest.raises(sqlite3.DatabaseError, match="already exists") as caught:
        open_store(str(path))
    assert is_unusable(caught.value)


@pytest.mark.parametrize("seed", range(40))
def test_a_store_with_a_spoilt_beginning_is_never_taken_for_somebody_elses(path: Path, seed: int) -> None:
    """It opens, or it can be kept aside."""
    chance = Random(seed)
    with writing(path) as (writer, _):
        writer.put(events(0, 50))
    data = bytearray(path.read_bytes())
    if seed % 2:
        del data[chance.randrange(150) :]
    else:
        start = chance.randrange(100)
        data[start : start + chance.randint(1, 300)] = chance.randbytes(chance.randint(1, 300))
    path.write_bytes(data)
    try:
        open_store(str(path)).close()
    except ForeignFile:
        pytest.fail("it is ours")
    except sqlite3.Error as error:
        if not is_unusable(error) and not isinstance(error, sqlite3.OperationalError):
            raise  # it may say that it is only to be read


@pytest.mark.parametrize("length", range(2, 17))
def test_a_store_cut_to_a_few_bytes_is_no_text(path: Path, length: int) -> None:
    path.write_bytes(made(path).read_bytes()[:length])
    with pytest.raises(sqlite3.DatabaseError) as caught:
        open_store(str(path))
    assert is_unusable(caught.value)


# -- somebody else's

THEIRS = {
    "one of our names": "CREATE TABLE log (id INTEGER, msg TEXT)",
    "our version too": "CREATE TABLE log (id INTEGER, msg TEXT); PRAGMA user_version = 1",
    "half of our names": "; ".join(f"CREATE TABLE {name} (a TEXT)" for name in sorted(TABLES)[:4]),
    "another id": "CREATE TABLE books (title TEXT); PRAGMA application_id = 77",
    "another id and nothing else": "PRAGMA application_id = 77",
}


@pytest.mark.parametrize("mode", ["delete", "wal"])
@pytest.mark.parametrize("script", THEIRS.values(), ids=THEIRS)
def test_a_database_of_another_program_is_refused_as_it_is(path: Path, script: str, mode: str) -> None:
    execute(path, f"PRAGMA journal_mode = {mode}; {script}")
    before, at_ns = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(ForeignFile, match="it belongs to another program") as caught:
        open_store(str(path))
    assert not is_unusable(caught.value)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, at_ns)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("left", [("", "-wal"), ("", "-wal", "-shm")])
def test_a_database_that_another_program_has_open_is_refused(
    path: Path, tmp_path: Path, left: tuple[str, ...]
) -> None:
    """What is in it stands only in the log beside it."""
    theirs = sqlite3.connect(tmp_path / "theirs.db", isolation_level=None)
    theirs.execute("PRAGMA journal_mode = WAL")
    theirs.execute("CREATE TABLE books (title TEXT)")
    for companion in left:
        shutil.copy(f"{tmp_path}/theirs.db{companion}", f"{path}{companion}")
    before = [Path(f"{path}{companion}").read_bytes() for companion in ("", "-wal")]
    with pytest.raises(ForeignFile):
        open_store(str(path))
    theirs.close()
    assert [Path(f"{path}{companion}").read_bytes() for companion in ("", "-wal")] == before


TEXTS = {
    "a configuration": b'wiring = "dice4"\n\n[store]\nfile = "table.toml"\n',
    "a table": "\ufeffspieler;punkte\r\nMüller;12\r\n".encode() * 200,
    "a table of Windows": "spieler;punkte\r\nMüller;12\r\n".encode("cp1252"),
    "two letters": b"xy",
    "a sentence about SQLite": b"SQLite format 4 is what I dream of",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_text_is_refused_as_it_is(path: Path, text: bytes) -> None:
    path.write_bytes(text)
    with pytest.raises(ForeignFile, match="it is a text"):
        open_store(str(path))
    assert path.read_bytes() == text and [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("data", [bytes(5000), b"\x89PNG\r\n\x1a\n" + bytes(100), Random(1).randbytes(3000)])
def test_what_is_neither_a_text_nor_a_database_is_broken(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(sqlite3.DatabaseError) as caught:
        open_store(str(path))
    assert is_unusable(caught.value) and path.read_bytes() == data


def test_a_device_is_refused(path: Path) -> None:
    with pytest.raises(ForeignFile, match="it is no file"):
        open_store("/dev/null")
    os.mkfifo(path)
    with pytest.raises(ForeignFile, match="it is no file"):
        open_store(str(path))


def test_a_folder_is_left_to_sqlite(path: Path) -> None:
    path.mkdir()
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        open_store(str(path))


def test_a_disk_that_fails_does_not_say_whose_it_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(path)

    def failing(path: str, how: str) -> sqlite3.Connection:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorname = "SQLITE_IOERR_READ"
        raise error

    monkeypatch.setattr(module, "connected", failing)
    with pytest.raises(sqlite3.OperationalError, match="disk I/O error"):
        holds_store(str(path))


def test_a_store_that_can_not_be_written_is_ours_all_the_same(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 5))
    path.chmod(0o444)
    assert holds_store(str(path))
    assert logged(path) == [str(n) for n in range(5)]
