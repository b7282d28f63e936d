"""Whose a file is: a store is used or kept aside, what is somebody else's is left as it is."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path
from random import Random

import pytest

from firmware_host.model.effects import PhaseEntered, format_effect
from firmware_host.model.states import Phase
from firmware_host.store import raw_file as module
from firmware_host.store.raw_file import MAGIC, PAGE, Damaged, ForeignFile, holds_store, opened_to_read
from firmware_host.store.schema import (
    APPLICATION_ID,
    MIGRATIONS,
    TABLES,
    VERSION,
    NewerFile,
    connect,
    migrate,
)
from tests.store.shelves import events, execute, logged, open_store, writing
from tests.thoroughness import some

UNSTAMPED = "".join(MIGRATIONS) + f"PRAGMA user_version = {VERSION}"
"""How a store was made before stores had an id."""


def made(path: Path) -> Path:
    open_store(str(path)).close()
    return path


def id_of(path: Path) -> int:
    with opened_to_read(str(path)) as connection:
        return int(connection.execute("PRAGMA application_id").fetchone()[0])


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


def test_what_stands_beside_an_empty_file_must_be_a_log_to_count(path: Path) -> None:
    path.touch()
    Path(f"{path}-wal").write_bytes(b"rubbish" * 1000)
    assert holds_store(str(path)) is False


@pytest.mark.parametrize("merged", [False, True])
def test_a_file_of_one_byte_with_the_log_of_a_store_is_a_damaged_store(
    path: Path, tmp_path: Path, merged: bool
) -> None:
    """SQLite would take it for a new file, and remove the log. After a merge the log has no schema in it."""
    connection = connect(str(path))
    migrate(connection)
    if merged:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        connection.execute(*PHASE)
        assert b"CREATE TABLE" not in Path(f"{path}-wal").read_bytes()
    copy = tmp_path / "copy.db"
    shutil.copy(f"{path}-wal", f"{copy}-wal")
    connection.close()
    copy.write_bytes(b"S")
    with pytest.raises(Damaged, match="its beginning is missing"):
        open_store(str(copy))
    assert Path(f"{copy}-wal").exists()


def test_a_store_that_was_begun_and_no_more_becomes_one(path: Path) -> None:
    """The process was killed before the first step."""
    connect(str(path)).close()
    assert path.stat().st_size and holds_store(str(path)) is False
    assert id_of(made(path)) == APPLICATION_ID


def test_a_new_store_that_was_not_closed_is_ours(path: Path, tmp_path: Path) -> None:
    """All that is in it stands in the log beside it."""
    copy = tmp_path / "copy.db"
    connection = connect(str(path))
    migrate(connection)
    connection.execute("INSERT INTO choices VALUES ('language', 'de')")
    for companion in ("", "-wal"):
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
    with pytest.raises(Damaged, match=f"its tables are not those of version {VERSION}"):
        open_store(str(path))


@pytest.mark.parametrize("table", sorted(TABLES))
def test_a_store_with_another_column_is_damaged(path: Path, table: str) -> None:
    """One byte is enough for that."""
    connection = sqlite3.connect(made(path))
    column = connection.execute(f"PRAGMA table_info({table})").fetchall()[-1][1]
    connection.close()
    execute(path, f"ALTER TABLE {table} RENAME COLUMN {column} TO {column}_")
    with pytest.raises(Damaged, match=f"its tables are not those of version {VERSION}"):
        open_store(str(path))


def test_tables_that_somebody_has_added_do_no_harm(path: Path) -> None:
    execute(made(path), "CREATE TABLE mine (n INTEGER); CREATE INDEX days ON matches (day); ANALYZE")
    open_store(str(path)).close()


# -- its version


@pytest.mark.parametrize(
    "version", [*range(VERSION), VERSION + 1, VERSION + 2, 5, 129, 2**31 - 1, -(2**31), -1]
)
def test_a_number_that_does_not_fit_the_tables_is_damage(path: Path, version: int) -> None:
    execute(made(path), f"PRAGMA user_version = {version}")
    with pytest.raises(Damaged):
        open_store(str(path))


@pytest.mark.parametrize(
    "change", ["CREATE TABLE referees (name TEXT)", "ALTER TABLE log ADD COLUMN seat INTEGER"]
)
def test_a_store_of_a_newer_program_is_left_as_it_is(path: Path, change: str) -> None:
    execute(made(path), f"{change}; PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(NewerFile, match=f"version {VERSION + 1}, and this program knows {VERSION}"):
        open_store(str(path))
    assert path.read_bytes() == before


def test_an_empty_database_with_a_version_is_somebody_elses(path: Path) -> None:
    execute(path, "PRAGMA user_version = 2")
    with pytest.raises(ForeignFile):
        open_store(str(path))


@pytest.mark.parametrize("seed", some(13, range(40)))
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
    except Damaged:
        assert holds_store(str(path)), "it is ours"


@pytest.mark.parametrize("length", range(2, 17))
def test_a_store_cut_to_a_few_bytes_is_no_text(path: Path, length: int) -> None:
    path.write_bytes(made(path).read_bytes()[:length])
    with pytest.raises(Damaged):
        open_store(str(path))


PHASE = ("INSERT INTO effects VALUES (1, 0, 0, ?, '')", (format_effect(PhaseEntered(Phase.ATTRACT, 0)),))


@pytest.mark.parametrize("lost", ["zeroed", "random", "cut off", "emptied, but for its log"])
def test_a_store_without_its_first_page_is_known_by_what_is_left(path: Path, lost: str) -> None:
    with writing(path) as (writer, _):
        writer.put([*events(0, 50), PHASE])
        assert writer.settle(20)
        log = Path(f"{path}-wal").read_bytes()
    data = path.read_bytes()
    beginning = {"zeroed": bytes(PAGE), "random": Random(1).randbytes(PAGE)}.get(lost, b"")
    path.write_bytes(beginning + data[PAGE:])
    if lost.startswith("emptied"):
        path.write_bytes(b"")
        Path(f"{path}-wal").write_bytes(log)
    with pytest.raises(Damaged):
        open_store(str(path))


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
    with pytest.raises(ForeignFile, match="it belongs to another program"):
        open_store(str(path))
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


OTHERS = {
    "a configuration": b'wiring = "dice4"\n\n[store]\nfile = "table.toml"\n',
    "a table": "\ufeffspieler;punkte\r\nMüller;12\r\n".encode() * 200,
    "a table of Windows": "spieler;punkte\r\nMüller;12\r\n".encode("cp1252"),
    "a text of two bytes each": ('{"is":"PhaseEntered"' * 500).encode("utf-16"),
    "a letter": b"x",
    "the letter that SQLite begins with": b"S",
    "two letters": b"xy",
    "zeros": bytes(3),
    "a sentence about SQLite": b"SQLite format 4 is what I dream of",
    "what was exported": b'{"is":"PhaseEntered","phase":"PLAY"}\n' * 500,
    "a statement of ours": MIGRATIONS[0].encode(),
    "a picture": b"\xff\xd8\xff\xe0\0\x10JFIF\0" + Random(1).randbytes(20_000),
    "another picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "an archive": b"PK\3\4\x14\0\0\0" + Random(2).randbytes(20_000),
    "a document": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + Random(3).randbytes(9000),
    "music": b"ID3\4\0\0\0\0\0\0" + Random(4).randbytes(9000),
    "random bytes": Random(5).randbytes(30_000),
    "nothing but zeros": bytes(50_000),
    "a damaged database of another program": MAGIC + b"\x10\0\1\1\0\x40\x20\x20" + Random(6).randbytes(9000),
}


@pytest.mark.parametrize("data", OTHERS.values(), ids=OTHERS)
def test_what_never_was_a_store_is_refused_as_it_is(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    at_ns = path.stat().st_mtime_ns
    with pytest.raises(ForeignFile, match="it is not a store of ligretto-table"):
        open_store(str(path))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (data, at_ns)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_device_is_refused(path: Path) -> None:
    with pytest.raises(ForeignFile, match="it is not a file"):
        open_store("/dev/null")
    os.mkfifo(path)
    with pytest.raises(ForeignFile, match="it is not a file"):
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
