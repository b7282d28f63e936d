"""The file on its shelf: sound or put aside, and used by one daemon only."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from firmware_host.store.shelf import Taken, damaged, is_broken, keep_aside, lock, open_store
from tests.store.shelves import events, execute, writing


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.db"


def test_a_file_that_is_damaged_inside_is_not_opened(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 3000))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * 8192)
    with pytest.raises(sqlite3.DatabaseError) as caught:
        open_store(str(path))
    assert is_broken(caught.value)


def test_a_file_of_another_program_is_not_broken(path: Path) -> None:
    """It is no store, but whose it is wants to keep it."""
    execute(path, "CREATE TABLE chapters (something TEXT)")
    with pytest.raises(sqlite3.OperationalError) as caught:
        open_store(str(path))
    assert not is_broken(caught.value)


def test_what_sqlite_finds_damaged_is_broken() -> None:
    assert is_broken(damaged("row 3 missing from index\nand more"))
    assert not is_broken(sqlite3.OperationalError("disk I/O error"))


def test_broken_files_are_kept_each_under_a_name_of_its_own(path: Path) -> None:
    for number in range(3):
        for companion in ("", "-wal", "-shm"):
            Path(f"{path}{companion}").write_text(f"{number}{companion}")
        keep_aside(str(path), "then")
        assert not path.exists()
    names = [f"{path}.broken-then", f"{path}.broken-then-2", f"{path}.broken-then-3"]
    assert [Path(name).read_text() for name in names] == ["0", "1", "2"]
    assert [Path(f"{name}-wal").read_text() for name in names] == ["0-wal", "1-wal", "2-wal"]


def test_one_daemon_has_the_file(path: Path) -> None:
    let_go = lock(str(path))
    with pytest.raises(Taken, match="another ligretto-table runs this table already"):
        lock(str(path))
    let_go()
    lock(str(path))()


def test_the_folder_of_the_lock_is_made(tmp_path: Path) -> None:
    lock(str(tmp_path / "var" / "lib" / "table.db"))()
    assert (tmp_path / "var" / "lib").is_dir()
