"""A store that was left open, such as a copy of a card: it is read, and nothing is left beside it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from firmware_host.store import raw_file
from firmware_host.store.raw_file import copied, opened_to_read
from firmware_host.store.store_reader import reading
from tests.store.shelves import events, logged, numbers, secured, writing


@pytest.fixture
def left_open(tmp_path: Path) -> Path:
    """The file and its log, without the index of the log."""
    place = tmp_path / "elsewhere"
    place.mkdir()
    path = tmp_path / "table.db"
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
        assert writer.settle(20)
        for companion in ("", "-wal"):
            shutil.copy(f"{path}{companion}", place / f"table.db{companion}")
    return place / "table.db"


def test_all_of_it_is_read(left_open: Path) -> None:
    with reading(str(left_open)) as book:
        assert [text for _, _, text in book.log()] == [str(number) for number in range(10)]
    assert sorted(os.listdir(left_open.parent)) == ["table.db", "table.db-wal"]


def test_the_copy_is_gone_even_if_reading_it_fails(
    left_open: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr("firmware_host.store.raw_file.IN_MEMORY", memory)

    def ask() -> None:
        with opened_to_read(str(left_open)) as connection:
            assert len(os.listdir(memory)) == 1
            connection.execute("SELECT * FROM nothing")

    with pytest.raises(sqlite3.OperationalError):
        ask()
    assert os.listdir(memory) == []


def test_a_store_that_is_not_in_use_is_read_in_its_place(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
    before = path.read_bytes()
    with opened_to_read(str(path)) as reader:
        assert reader.execute("SELECT count(*) FROM log").fetchone() == (10,)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader.execute("DELETE FROM log")
    assert [each.name for each in path.parent.iterdir()] == [path.name] and path.read_bytes() == before


def test_a_store_in_use_is_read_as_it_was_at_one_moment(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the log is merged between the copy of the file and that of the log; then nothing happens."""
    firsts = [10, 20]
    copyfile = shutil.copyfile
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
        assert writer.settle(20)

        def copied_slowly(source: str, target: str) -> None:
            copyfile(source, target)
            if firsts and not str(source).endswith("-wal"):
                writer.put(events(firsts.pop(0), 10))
                secured(writer)

        monkeypatch.setattr(shutil, "copyfile", copied_slowly)
        assert logged(path) == numbers(0, 30) and not firsts


def test_what_changes_without_a_pause_is_not_waited_for_for_ever(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(b"x")
    monkeypatch.setattr(raw_file, "PAUSE_S", 0)
    states = iter(range(1000))
    monkeypatch.setattr(raw_file, "_state", lambda path: next(states))
    with pytest.raises(sqlite3.OperationalError, match="changes faster"), copied(str(path)):
        pass
    assert next(states) == 2 * raw_file.ATTEMPTS


def test_a_store_that_can_not_be_copied_is_named(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="can't be copied: Is a directory"):
        raw_file.copy_whole(str(tmp_path), str(tmp_path / "copy"))


def test_where_memory_has_no_room_the_copy_is_elsewhere(
    left_open: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_file, "IN_MEMORY", tmp_path / "none")
    assert logged(left_open) == numbers(0, 10)
