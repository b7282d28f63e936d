"""The file on its shelf: sound or put aside, and used by one daemon only."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from pathlib import Path

import pytest

from firmware_host.store.schema import NewerFile
from firmware_host.store.shelf import Taken, damaged, is_locked, is_unusable, keep_aside, lock, open_store
from tests.store.shelves import events, open_folder, without_rights, writing


def test_a_file_that_is_damaged_inside_is_not_opened(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 3000))
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2)
        file.write(b"\xff" * 8192)
    with pytest.raises(sqlite3.DatabaseError) as caught:
        open_store(str(path))
    assert is_unusable(caught.value)


def test_what_sqlite_finds_damaged_is_unusable() -> None:
    assert is_unusable(damaged("row 3 missing from index\nand more"))
    assert not is_unusable(sqlite3.OperationalError("disk I/O error"))


def test_broken_files_are_kept_each_under_a_name_of_its_own(path: Path) -> None:
    for number in range(3):
        for companion in ("", "-wal", "-shm"):
            Path(f"{path}{companion}").write_text(f"{number}{companion}")
        keep_aside(str(path), damaged("torn"), "then")
        assert not path.exists()
    names = [f"{path}.broken-then", f"{path}.broken-then-2", f"{path}.broken-then-3"]
    assert [Path(name).read_text() for name in names] == ["0", "1", "2"]
    assert [Path(f"{name}-wal").read_text() for name in names] == ["0-wal", "1-wal", "2-wal"]


def test_a_broken_file_has_a_name_that_any_disk_can_have(path: Path) -> None:
    """On FAT there is no colon in a name."""
    path.write_text("torn")
    health = keep_aside(str(path), damaged("torn"), "2026-11-18T20:00:00")
    aside = f"{path}.broken-2026-11-18T20-00-00"
    assert Path(aside).read_text() == "torn" and health.seen.endswith(aside)


def test_a_file_of_a_later_program_is_not_called_broken(path: Path) -> None:
    path.write_text("later")
    health = keep_aside(str(path), NewerFile("it is of version 9"), "then")
    assert Path(f"{path}.newer-then").read_text() == "later"
    assert "newer" in health.seen and "install" in health.advice


def test_one_daemon_has_the_file(path: Path) -> None:
    let_go = lock(str(path))
    with pytest.raises(Taken, match="another ligretto-table runs this table already"):
        lock(str(path))
    let_go()
    lock(str(path))()


def test_the_folder_of_the_lock_is_made(tmp_path: Path) -> None:
    lock(str(tmp_path / "var" / "lib" / "table.db"))()
    assert (tmp_path / "var" / "lib").is_dir()


def test_whether_somebody_has_the_file(path: Path) -> None:
    assert is_locked(str(path)) is False
    let_go = lock(str(path))
    assert is_locked(str(path)) is True
    let_go()
    assert is_locked(str(path)) is False
    assert is_locked(str(path / "below")) is False


def test_a_look_does_not_keep_a_daemon_from_its_file(path: Path) -> None:
    lock(str(path))()
    with open(f"{path}.lock") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        timer = threading.Timer(0.03, fcntl.flock, (looking, fcntl.LOCK_UN))
        timer.start()
        lock(str(path))()
        timer.join()


def test_whoever_may_only_read_the_lock_is_told_all_the_same() -> None:
    with open_folder() as folder:
        path = str(folder / "table.db")
        lock(path)()
        let_go = lock(path)
        with without_rights(folder):
            assert is_locked(path) is True
            with pytest.raises(Taken):
                lock(path)
        let_go()
        with without_rights(folder):
            lock(path)()
            with pytest.raises(PermissionError):
                lock(str(folder / "other.db"))
        os.chmod(f"{path}.lock", 0)
        with without_rights(folder):
            assert is_locked(path) is None
