"""The file on its shelf: sound, or put aside."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from firmware_host.run.daemon_store import recover
from firmware_host.store import open_file
from firmware_host.store.open_file import keep_aside
from firmware_host.store.raw_file import Damaged, Overwritten
from firmware_host.store.store_lock import StoreLock
from hw.ports import Condition, Health
from tests.store.shelves import event, events, now_text, open_store, set_aside, settled, wait_for, writing


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
    for number in range(3):
        for companion in ("", "-wal", "-shm"):
            Path(f"{path}{companion}").write_text(f"{number}{companion}")
        keep_aside(str(path), Damaged("torn"), "then")
        assert not path.exists()
    names = [f"{path}.broken-then", f"{path}.broken-then-2", f"{path}.broken-then-3"]
    assert [Path(name).read_text() for name in names] == ["0", "1", "2"]
    assert [Path(f"{name}-wal").read_text() for name in names] == ["0-wal", "1-wal", "2-wal"]


def test_a_broken_file_has_a_name_that_any_disk_can_have(path: Path) -> None:
    """On FAT there is no colon in a name."""
    path.write_text("torn")
    health = keep_aside(str(path), Damaged("torn"), "2026-11-18T20:00:00")
    aside = f"{path}.broken-2026-11-18T20-00-00"
    assert Path(aside).read_text() == "torn" and health.seen.endswith(aside)


def test_a_file_that_was_changed_is_not_called_broken(path: Path) -> None:
    path.write_text("of somebody else")
    health = keep_aside(str(path), Overwritten(str(path), log_only=False), "then")
    assert health.seen == f"the file was changed by another program and is kept as {path}.broken-then"


def test_a_link_to_a_broken_file_stays_and_the_file_is_kept_beside_its_own_place(
    path: Path, tmp_path: Path
) -> None:
    file = tmp_path / "card" / "table.db"
    file.parent.mkdir()
    file.write_text("torn")
    path.symlink_to(file)
    keep_aside(str(path), Damaged("torn"), "then")
    assert path.is_symlink() and [each.name for each in file.parent.iterdir()] == ["table.db.broken-then"]
