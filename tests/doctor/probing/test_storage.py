"""The place of the store: measured on a real file system, with real SQLite files; nothing is left behind."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from firmware_host.runtime.assembly.probing.storage import TRIALS, look_at_disk, open_store_file
from tests.doctor.tree import Tree

FILE = "/var/lib/ligretto-table/table.db"


@pytest.fixture
def folder(tree: Tree) -> Path:
    made = tree.path(FILE).parent
    made.mkdir(parents=True)
    return made


def make_store(path: Path, *, logged: bool = True) -> sqlite3.Connection:
    connection = sqlite3.connect(path)
    if logged:
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE log (text TEXT)")
    connection.execute("INSERT INTO log VALUES ('something')")
    connection.commit()
    return connection


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_an_empty_folder_is_measured_and_left_empty(tree: Tree, folder: Path) -> None:
    disk = look_at_disk(tree.ground(), FILE)
    assert (disk.folder, disk.there, disk.writable, disk.size_bytes) == (
        str(Path(FILE).parent),
        True,
        True,
        None,
    )
    assert disk.free_bytes > 0
    assert len(disk.sync_ns) == TRIALS and min(disk.sync_ns) > 0
    assert (disk.trouble, disk.broken) == ("", "")
    assert names(folder) == []


def test_a_missing_folder_is_told(tree: Tree) -> None:
    disk = look_at_disk(tree.ground(), FILE)
    assert (disk.there, disk.folder) == (False, "/var/lib/ligretto-table")


def test_a_folder_without_rights_is_told(tree: Tree, folder: Path) -> None:
    was = os.geteuid()
    if was == 0:
        folder.chmod(0o755)
        for parent in folder.parents:
            if not parent.stat().st_mode & 0o001:
                parent.chmod(0o755)
        os.seteuid(65534)
    else:
        folder.chmod(0o500)
    try:
        disk = look_at_disk(tree.ground(), FILE)
    finally:
        os.seteuid(was)
    assert not disk.writable
    assert disk.trouble == "Permission denied"


def test_a_sound_store_is_left_as_it_is(tree: Tree, folder: Path) -> None:
    make_store(folder / "table.db").close()
    before = (folder / "table.db").read_bytes()
    disk = look_at_disk(tree.ground(), FILE)
    assert (disk.size_bytes, disk.broken) == (len(before), "")
    assert names(folder) == ["table.db"]
    assert (folder / "table.db").read_bytes() == before


def test_a_store_in_use_can_be_read(tree: Tree, folder: Path) -> None:
    with closing(make_store(folder / "table.db")):
        assert look_at_disk(tree.ground(), FILE).broken == ""
        with closing(open_store_file(folder / "table.db")) as reading:
            assert reading.execute("SELECT text FROM log").fetchall() == [("something",)]
    assert names(folder) == ["table.db"]


def test_a_broken_store_is_told(tree: Tree, folder: Path) -> None:
    (folder / "table.db").write_bytes(b"no database " * 1000)
    assert look_at_disk(tree.ground(), FILE).broken == "file is not a database"


def test_a_damaged_page_is_told(tree: Tree, folder: Path) -> None:
    with closing(make_store(folder / "table.db", logged=False)) as store:
        store.executemany("INSERT INTO log VALUES (?)", [("word " * 100,)] * 500)
        store.commit()
    data = bytearray((folder / "table.db").read_bytes())
    data[4096 * 3 : 4096 * 5] = b"\xff" * 8192
    (folder / "table.db").write_bytes(data)
    assert look_at_disk(tree.ground(), FILE).broken


def test_a_log_without_its_index_is_left_to_the_daemon(tree: Tree, folder: Path) -> None:
    make_store(folder / "table.db").close()
    (folder / "table.db-wal").touch()
    assert "ligretto-table run" in look_at_disk(tree.ground(), FILE).broken
    assert names(folder) == ["table.db", "table.db-wal"]
