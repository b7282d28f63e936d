"""The place of the store: measured on a real file system, with real SQLite files; nothing is left behind."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from firmware_host.store import open_file
from firmware_host.workshop.doctor.system import TRIALS, look_at_disk
from tests.another_user import another_user, let_others_into, needs_root
from tests.store.shelves import event, open_store
from tests.workshop.doctor.tree import Tree

EARLIER = Path(__file__).parents[2] / "earlier_versions" / "7abc4f8"
FILE = "/var/lib/ligretto-table/table.db"


@pytest.fixture
def folder(tree: Tree) -> Path:
    made = tree.path(FILE).parent
    made.mkdir(parents=True)
    return made


def make_store(path: Path) -> sqlite3.Connection:
    connection = open_store(str(path))
    connection.execute(*event("something"))
    return connection


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_an_empty_folder_is_measured_and_left_empty(tree: Tree, folder: Path) -> None:
    disk = look_at_disk(tree.system(), FILE)
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
    disk = look_at_disk(tree.system(), FILE)
    assert (disk.there, disk.folder) == (False, "/var/lib/ligretto-table")


def test_a_folder_without_rights_is_told(tree: Tree, folder: Path) -> None:
    if is_root := os.geteuid() == 0:
        let_others_into(folder)
    else:
        folder.chmod(0o500)
    with another_user() if is_root else nullcontext():
        disk = look_at_disk(tree.system(), FILE)
    assert not disk.writable
    assert disk.for_its_owner == is_root
    assert disk.trouble == "Permission denied"


@needs_root
@pytest.mark.parametrize("closed", [0, 1])
def test_a_folder_that_this_user_may_not_look_into_is_told(tree: Tree, folder: Path, closed: int) -> None:
    let_others_into(folder)
    (folder, *folder.parents)[closed].chmod(0o700)
    with another_user():
        disk = look_at_disk(tree.system(), FILE)
    assert disk.hidden and not disk.there


def test_a_folder_has_an_owner(tree: Tree, folder: Path) -> None:
    tree.write("/etc/passwd", f"somebody:x:{folder.stat().st_uid}:0::/:/bin/sh")
    disk = look_at_disk(tree.system(), FILE)
    assert (disk.owner, disk.for_its_owner, disk.read_only) == ("somebody", True, False)
    folder.chmod(0o500)
    tree.write("/etc/passwd", "")
    disk = look_at_disk(tree.system(), FILE)
    assert (disk.owner, disk.for_its_owner) == ("", False)


def test_a_file_system_that_can_only_be_read_is_told(
    tree: Tree, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = list(os.statvfs(folder))
    there[8] |= os.ST_RDONLY
    monkeypatch.setattr(os, "statvfs", lambda path: os.statvfs_result(there))
    assert look_at_disk(tree.system(), FILE).read_only


def test_a_sound_store_is_left_as_it_is(tree: Tree, folder: Path) -> None:
    make_store(folder / "table.db").close()
    before = (folder / "table.db").read_bytes()
    disk = look_at_disk(tree.system(), FILE)
    assert (disk.size_bytes, disk.broken) == (len(before), "")
    assert names(folder) == ["table.db"]
    assert (folder / "table.db").read_bytes() == before


def test_a_store_in_use_can_be_read(tree: Tree, folder: Path) -> None:
    with closing(make_store(folder / "table.db")):
        assert look_at_disk(tree.system(), FILE).broken == ""
        assert names(folder) == ["table.db", "table.db-wal"]


def test_what_is_no_store_is_told(tree: Tree, folder: Path) -> None:
    (folder / "table.db").write_bytes(b"no database " * 1000)
    disk = look_at_disk(tree.system(), FILE)
    assert (disk.broken, disk.advice) == ("", "name another file in [store]")
    assert disk.refused.endswith(f"{FILE}: it is not a store of ligretto-table")


def test_a_store_is_opened_as_the_daemon_does(
    tree: Tree, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether there is one or not: a version of SQLite that can't do it is said, with its number."""

    def refused(connection: sqlite3.Connection) -> None:
        connection.execute("SELECT * FROM pragma_of_tomorrow(1)")

    monkeypatch.setattr(open_file, "_check", refused)
    for made in (False, True):
        disk = look_at_disk(tree.system(), FILE)
        assert disk.broken == "" and f"SQLite {sqlite3.sqlite_version} can't do" in disk.refused, made
        (folder / "table.db").write_bytes((EARLIER / "table.db").read_bytes())


def test_a_damaged_page_is_told(tree: Tree, folder: Path) -> None:
    with closing(make_store(folder / "table.db")) as store:
        for number in range(500):
            store.execute(*event(f"{number} word" * 100))
    data = bytearray((folder / "table.db").read_bytes())
    data[4096 * 3 : 4096 * 5] = b"\xff" * 8192
    (folder / "table.db").write_bytes(data)
    assert look_at_disk(tree.system(), FILE).broken


def test_a_store_that_was_not_closed_is_read_and_stays_as_it_is(tree: Tree, folder: Path) -> None:
    make_store(folder / "table.db").close()
    (folder / "table.db-wal").touch()
    assert look_at_disk(tree.system(), FILE).broken == ""
    assert names(folder) == ["table.db", "table.db-wal"]
