"""A store that was left open, such as a copy of a card: it is read, and nothing is left beside it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from firmware_host.store.book import reading
from firmware_host.store.copies import opened_to_read
from firmware_host.store.schema import LeftOpen, connect
from tests.store.shelves import events, writing


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
    with pytest.raises(LeftOpen):
        connect(str(left_open), read_only=True)
    with reading(str(left_open)) as book:
        assert [text for _, _, text in book.log()] == [str(number) for number in range(10)]
    assert sorted(os.listdir(left_open.parent)) == ["table.db", "table.db-wal"]


def test_the_copy_is_gone_even_if_reading_it_fails(
    left_open: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    monkeypatch.setattr("firmware_host.store.copies.IN_MEMORY", memory)

    def ask() -> None:
        with opened_to_read(str(left_open)) as connection:
            assert len(os.listdir(memory)) == 1
            connection.execute("SELECT * FROM nothing")

    with pytest.raises(sqlite3.OperationalError):
        ask()
    assert os.listdir(memory) == []
