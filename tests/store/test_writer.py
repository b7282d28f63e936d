"""The writer keeps its promises: in order, nothing lost, and no wish of the loop waits for a broken file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from pathlib import Path
from random import Random
from threading import Event
from unittest import mock

import pytest

from firmware_host.store import writer as module
from firmware_host.store.store_reader import reading
from hw.ports import Condition
from tests.store.shelves import conditions, event, events, logged, numbers, settled, wait_for, writing


def test_settled_is_written(path: Path) -> None:
    """Whenever `settle` says so, somebody else reads all of it, in order."""
    chance = Random(1)
    with writing(path) as (writer, told):
        put = 0
        for _ in range(60):
            count = chance.randrange(4)
            writer.put(events(put, count))
            put += count
            if chance.random() < 0.2:
                writer.secure()
            if chance.random() < 0.5:
                assert writer.settle(10)
                assert logged(path) == numbers(0, put)
    assert logged(path) == numbers(0, put)
    assert told == []


def test_close_writes_all_that_was_put(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 5000))
    assert logged(path) == numbers(0, 5000)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_rows_are_written_soon_though_nobody_asks(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 3))
        wait_for(lambda: path.exists() and writer.settle(0))
        assert logged(path) == numbers(0, 3)


def test_what_is_tidied_away_goes_back_to_the_disk(path: Path) -> None:
    with writing(path) as (writer, told):
        writer.put([event("x" * 2000)] * 2000)
        assert writer.settle(20)
        writer.secure()
        wait_for(lambda: path.stat().st_size > 4_000_000)
        writer.begin_session([event("after")], [("DELETE FROM log WHERE text != 'after'", ())])
        assert writer.settle(20)
    assert logged(path) == ["after"]
    assert path.stat().st_size < 200_000 and told == []


def test_somebody_who_reads_holds_nobody_up_and_the_log_does_not_grow(path: Path) -> None:
    log = Path(f"{path}-wal")
    with writing(path) as (writer, told):
        writer.put(events(0, 100))
        assert writer.settle(10)
        with reading(str(path)) as book:
            assert len(book.log(10_000)) == 100
            for n in range(10):
                writer.put([event("x" * 10_000)] * 20)
                writer.secure()
                assert writer.settle(10), n
                wait_for(lambda: log.stat().st_size == 0)
            assert len(book.log(10_000)) == 100, "it is read as it was"
        assert told == []


def test_more_rows_than_are_kept_are_written_all_the_same(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 50)
    with writing(path) as (writer, _):
        for number in range(300):
            writer.put(events(number, 1))
            assert writer.settle(10)
            assert len(writer._rows) <= 50
    assert logged(path) == numbers(0, 300)


def test_what_is_too_much_to_be_kept_is_let_go_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 50)
    monkeypatch.setattr(module, "RETRY_S", (0.02,))
    path = tmp_path / "missing" / "table.db"
    with writing(path) as (writer, told):
        for number in range(300):
            writer.put(events(number, 1))
        assert len(writer._rows) == 50
        wait_for(lambda: bool(told))
        path.parent.mkdir()
        settled(writer)
        assert logged(path) == numbers(0, 50)
        writer.begin_session([event("next")])
        assert writer.settle(10)
    assert logged(path) == [*numbers(0, 50), "next"]
    assert sum("is not kept" in record.message for record in caplog.records) == 1
    assert not writer.close(), "the end says that not all was written"


def test_what_is_safe_stays_so_while_newer_rows_are_being_written(path: Path) -> None:
    begun, go_on = Event(), Event()
    told: list[object] = []
    writer = module.Writer(str(path), told.append, lambda: "now", each_commit_safe=True)
    writer.put(events(0, 3))
    assert writer.settle(10)
    safe, make_safe = writer.ever, writer._file.make_safe

    def slow(dirty: bool, *, merge: bool) -> None:
        begun.set()
        go_on.wait(10)
        make_safe(dirty, merge=merge)

    with mock.patch.object(writer._file, "make_safe", slow):
        writer.put(events(3, 1))
        assert begun.wait(10)
        assert writer.has_written(safe)
        assert not writer.has_written(writer.ever)
        go_on.set()
        wait_for(lambda: writer.has_written(writer.ever))
    writer.close()


def test_a_table_that_is_at_rest_leaves_its_file_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAFE_S", 0.05)
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
        assert writer.settle(10)
        wait_for(lambda: not writer._dirty)
        before = path.stat().st_mtime_ns
        time.sleep(0.3)
        assert path.stat().st_mtime_ns == before


def test_after_the_end_it_is_not_stuck(path: Path) -> None:
    with writing(path) as (writer, _):
        assert not writer.stuck
    assert not writer.stuck
    writer.close()


def test_a_copy_of_the_files_at_any_moment_is_a_beginning(path: Path) -> None:
    """What a power cut leaves behind, as far as the disk keeps what was written."""
    chance = Random(2)
    with writing(path) as (writer, _):
        put = 0
        for round_ in range(25):
            count = chance.randrange(1, 200)
            writer.put(events(put, count))
            put += count
            if chance.random() < 0.5:
                assert writer.settle(10)
            copy = path.parent / f"{round_}"
            copy.mkdir()
            for name in (path.name, f"{path.name}-wal"):  # the file first: what it lacks stands in the other
                if (path.parent / name).exists():
                    shutil.copy(path.parent / name, copy / name)
    for round_ in range(25):
        copy = path.parent / f"{round_}" / path.name
        if not copy.exists():
            continue
        with writing(copy) as (writer, told):
            writer.put([event("back")])
            assert writer.settle(10)
        found = logged(copy)
        assert found == [*numbers(0, len(found) - 1), "back"]
        assert Condition.LOST not in conditions(told)


def test_the_file_is_let_go_of(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 1))
    held = [os.readlink(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd")
            if os.path.exists(f"/proc/self/fd/{each}")]  # fmt: skip
    assert not any(str(path) in each for each in held)


def test_a_question_is_answered_after_all_that_was_put(path: Path) -> None:
    def count(connection: sqlite3.Connection) -> int:
        found: int = connection.execute("SELECT count(*) FROM log").fetchone()[0]
        return found

    with writing(path) as (writer, told):
        for put in range(1, 20):
            writer.put(events(put, 1))
            assert writer.ask(count, 10) == put
        assert writer.ask(lambda connection: connection.execute("SELECT x FROM log"), 10) is None
        assert writer.ask(lambda _: time.sleep(0.2), 0.05) is None
        assert writer.ask(count, 10) == 19
    assert logged(path) == numbers(1, 19) and told == []


@pytest.mark.usefixtures("impatient")
def test_sessions_that_begin_while_nothing_can_be_written_do_not_fill_the_memory(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 100)
    path.mkdir()
    with writing(path) as (writer, _):
        for first in range(0, 1000, 10):
            writer.begin_session(events(first, 5))
            writer.put(events(first + 5, 5))
        assert len(writer._rows) <= 110, "and what began at the edge"
        path.rmdir()
        settled(writer)
        writer.begin_session(events(2000, 10))
        settled(writer)
    assert logged(path)[:50] == numbers(0, 50) and logged(path)[-10:] == numbers(2000, 10)
