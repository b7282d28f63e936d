"""Backups: whole while the table plays, checked, and put back with what was there kept."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from firmware_host.store import backups
from firmware_host.store.backups import NoBackup, StoreContents, back_up, examine, restore
from firmware_host.store.store_lock import StoreLock, StoreTaken
from firmware_host.store.store_reader import NoStore, reading
from tests.store.conftest import club
from tests.store.shelves import event, execute, settled, writing

__all__ = ["club"]
STAMP = "2026-11-19T20:00:00"


def rounds_in(path: Path | str) -> list[int]:
    with reading(str(path)) as book:
        return book.round_numbers()


def damaged(store: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "damaged.db"
    shutil.copyfile(store, copy)
    execute(copy, "DELETE FROM effects WHERE n = 30")
    return copy


def test_a_backup_has_everything_and_is_one_file(club: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    told: list[tuple[int, int]] = []
    contents = back_up(str(club), str(target), lambda done, of: told.append((done, of)))
    assert (contents.sessions, contents.matches, contents.rounds) == (3, 3, 5)
    assert contents.is_sound
    assert contents.last.startswith("2026-11-18")
    assert contents.bytes == target.stat().st_size
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert os.listdir(tmp_path) == ["backup.db"]
    assert rounds_in(target) == rounds_in(club)


def test_a_store_that_is_written_to_is_backed_up_with_what_is_only_in_its_log(
    path: Path, tmp_path: Path
) -> None:
    with writing(path) as (writer, _):
        writer.put([event("only in the log")])
        settled(writer)
        contents = back_up(str(path), str(tmp_path / "backup.db"))
    assert contents.is_sound
    assert (contents.rounds, contents.last) == (0, "")
    with reading(str(tmp_path / "backup.db")) as book:
        assert "only in the log" in [text for _, _, text in book.log()]


def test_a_backup_replaces_nothing(club: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine.txt"
    target.write_text("mine")
    with pytest.raises(NoBackup, match="exists already"):
        back_up(str(club), str(target))
    assert target.read_text() == "mine"


def test_where_nothing_can_be_written_nothing_is_left(club: Path, tmp_path: Path) -> None:
    with pytest.raises(NoBackup, match="can't be written"):
        back_up(str(club), str(tmp_path / "missing" / "backup.db"))


def test_what_is_no_store_is_not_backed_up(tmp_path: Path) -> None:
    with pytest.raises(NoStore):
        back_up(str(tmp_path / "none.db"), str(tmp_path / "backup.db"))
    assert os.listdir(tmp_path) == []


def test_damage_is_found_and_the_rest_is_backed_up(club: Path, tmp_path: Path) -> None:
    spoilt = damaged(club, tmp_path)
    contents = back_up(str(spoilt), str(tmp_path / "backup.db"))
    assert not contents.is_sound
    assert any("decision 30" in words for words in contents.losses)
    assert contents.rounds == 5


def test_a_backup_is_put_back_and_what_was_there_is_kept(club: Path, tmp_path: Path) -> None:
    store = tmp_path / "table.db"
    with writing(store):
        pass
    store.chmod(0o640)
    contents, aside = restore(str(club), str(store), STAMP)
    assert contents.rounds == 5
    assert aside == str(tmp_path / "table.db.before-2026-11-19T20-00-00")
    assert rounds_in(store) == rounds_in(club)
    assert rounds_in(aside) == []
    assert store.stat().st_mode & 0o777 == 0o640
    _, second = restore(str(club), str(store), STAMP)
    assert second == f"{aside}-2"
    with writing(store):  # a table can go on with it
        pass


def test_a_backup_can_be_put_where_nothing_is(club: Path, tmp_path: Path) -> None:
    store = tmp_path / "table.db"
    _, aside = restore(str(club), str(store), STAMP)
    assert aside == ""
    assert os.listdir(tmp_path) == ["table.db"]


def test_a_store_that_a_table_uses_is_not_replaced(club: Path, path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put([event("somebody plays")])
        settled(writer)
        with pytest.raises(StoreTaken):
            restore(str(club), str(path), STAMP)
    assert rounds_in(path) == []


def test_a_damaged_backup_is_not_put_back(club: Path, path: Path, tmp_path: Path) -> None:
    with pytest.raises(NoBackup, match="is damaged: "):
        restore(str(damaged(club, tmp_path)), str(path), STAMP)
    assert not path.exists()


def test_a_store_is_not_its_own_backup(club: Path, tmp_path: Path) -> None:
    store = tmp_path / "table.db"
    shutil.copyfile(club, store)
    (tmp_path / "link.db").symlink_to(store)
    with pytest.raises(NoBackup, match="the store itself"):
        restore(str(tmp_path / "link.db"), str(store), STAMP)


def test_if_it_fails_half_way_the_store_is_as_before(
    club: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "table.db"
    with writing(store):
        pass

    def full(path: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "_sync", full)
    with pytest.raises(NoBackup, match="No space left"):
        restore(str(club), str(store), STAMP)
    assert rounds_in(store) == []
    assert os.listdir(tmp_path) == ["table.db"]
    StoreLock(str(store)).take()  # nobody holds it any more


def test_the_head_of_a_session_that_makes_no_sense_is_told(club: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    shutil.copyfile(club, copy)
    execute(copy, "UPDATE sessions SET head = '{' WHERE n = 1")
    contents: StoreContents = examine(str(copy))
    assert not contents.is_sound


def test_a_backup_is_read_by_plain_sqlite(club: Path, tmp_path: Path) -> None:
    back_up(str(club), str(tmp_path / "backup.db"))
    connection = sqlite3.connect(tmp_path / "backup.db")
    assert connection.execute("SELECT count(*) FROM rounds").fetchone() == (5,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()
