"""A log after a crash: what SQLite still reads counts, what it loses is told, and copies have all of it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from firmware_host.store import open_file, raw_file
from firmware_host.store.raw_file import (
    FRAME_HEADER,
    LOG_HEADER,
    Damaged,
    ForeignFile,
    LogPages,
    copied,
    opened_to_read,
    read_log,
)
from firmware_host.store.schema import connect, migrate
from firmware_host.store.store_lock import StoreLock
from firmware_host.store.store_reader import reading
from hw.ports import Condition, Health
from tests.store.shelves import event, events, logged, numbers, secured, set_aside, writing

PAGE = 4096
FRAME = FRAME_HEADER + PAGE
SECTOR = 512


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A store after the process was killed: 20 events are in the file, 20 more and page 1 in its log."""
    path, copy = tmp_path / "used.db", tmp_path / "table.db"
    with writing(path) as (writer, _):
        writer.put([event(number) for number in range(20)])
    connection = connect(str(path))
    for number in range(20, 40):
        connection.execute(*event(number))
        if number == 30:
            connection.execute("CREATE INDEX days ON matches (day)")  # changes page 1
    for companion in ("", "-wal"):
        shutil.copy(f"{path}{companion}", f"{copy}{companion}")
    connection.close()
    return copy


def log_of(path: Path) -> Path:
    return Path(f"{path}-wal")


def open_telling(path: Path) -> list[Health]:
    """Open and close a store as the daemon does; what it tells."""
    told: list[Health] = []
    lock = StoreLock(str(path))
    try:
        open_file.open_store(lock, told.append).close()
    finally:
        lock.release()
    return told


# -- page 1 is torn in the file and whole in the log


@pytest.mark.parametrize("filling", ["zeros", "random"])
@pytest.mark.parametrize("sector", range(PAGE // SECTOR))
def test_a_first_page_that_is_whole_in_the_log_may_be_torn_in_the_file(
    crashed: Path, sector: int, filling: str
) -> None:
    with crashed.open("r+b") as file:
        file.seek(sector * SECTOR)
        file.write(bytes(SECTOR) if filling == "zeros" else Random(sector).randbytes(SECTOR))
    assert open_telling(crashed) == [] and set_aside(crashed) == []
    assert logged(crashed) == numbers(0, 40)


def test_a_log_that_does_not_hold_page_1_does_not_make_up_for_it(crashed: Path) -> None:
    with log_of(crashed).open("r+b") as log:
        log.truncate(LOG_HEADER)
    with crashed.open("r+b") as file:
        file.write(bytes(SECTOR))
    with pytest.raises(Damaged):
        open_telling(crashed)


def test_another_programs_database_is_known_by_its_log(crashed: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.db"
    connection = sqlite3.connect(theirs)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE theirs (n INTEGER)")
    for companion in ("", "-wal"):
        shutil.copy(f"{theirs}{companion}", f"{crashed}{companion}")
    connection.close()
    before = log_of(crashed).read_bytes()
    with pytest.raises(ForeignFile):
        open_telling(crashed)
    assert log_of(crashed).read_bytes() == before


# -- the log is damaged


def scribble(log: Path) -> None:
    with log.open("r+b") as file:
        file.seek(9000)
        file.write(Random(1).randbytes(200))


def cut_header(log: Path) -> None:
    with log.open("r+b") as file:
        file.truncate(20)


def scribble_over_header(log: Path) -> None:
    with log.open("r+b") as file:
        file.write(b"rubbish")


@pytest.mark.parametrize("harm", [scribble, cut_header, scribble_over_header])
def test_what_is_lost_in_a_log_is_told_and_a_copy_of_it_is_kept(
    crashed: Path, harm: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    log = log_of(crashed)
    harm(log)
    data = log.read_bytes()
    (health,) = open_telling(crashed)
    (aside,) = crashed.parent.glob("table.db-wal.broken-*")
    assert aside.read_bytes() == data and ":" not in aside.name
    assert health.condition is Condition.DEGRADED
    words = f"the end of {log} is damaged, and what was written there is lost; a copy is kept as {aside}"
    assert health.seen == words and words in caplog.text
    left = logged(crashed)
    assert left == numbers(0, len(left)) and 20 <= len(left) < 40
    assert open_telling(crashed) == [], "it is told once"


def test_each_damaged_log_is_kept_once(crashed: Path) -> None:
    """The store may have to be opened several times until that works."""
    cut_header(log_of(crashed))
    for _ in range(2):
        open_file._keep_torn_log(str(crashed), print)
    assert len(list(crashed.parent.glob("table.db-wal.broken-*"))) == 1


def test_a_writer_tells_of_it(crashed: Path) -> None:
    scribble(log_of(crashed))
    with writing(crashed) as (writer, told):
        writer.put([event("after")])
        assert writer.settle(20)
    assert [health.condition for health in told] == [Condition.DEGRADED]
    assert logged(crashed)[-1] == "after"


@pytest.mark.parametrize("cut", [1, 20, FRAME - 1, FRAME])
def test_a_log_that_ends_within_a_frame_is_normal(crashed: Path, cut: int) -> None:
    data = log_of(crashed).read_bytes()
    log_of(crashed).write_bytes(data[:-cut])
    assert open_telling(crashed) == []
    assert logged(crashed) == numbers(0, 39)


def test_a_last_frame_that_is_torn_is_normal(crashed: Path) -> None:
    data = log_of(crashed).read_bytes()
    log_of(crashed).write_bytes(data[:-SECTOR] + bytes(SECTOR))
    assert open_telling(crashed) == []
    assert logged(crashed) == numbers(0, 39)


# -- what SQLite makes of it


def test_nothing_or_only_zeros_is_no_damage() -> None:
    for length in (0, 1, LOG_HEADER):
        assert read_log(bytes(length)) == LogPages()
    assert read_log(bytes(LOG_HEADER + 1)).is_torn


def test_page_1_is_the_last_one_that_was_committed(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    connection = connect(str(path))
    migrate(connection)
    connection.executescript("BEGIN; CREATE TABLE more (n); CREATE TABLE others (n); COMMIT")
    data = log_of(path).read_bytes()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    found = read_log(data)
    assert found.pages[1] == path.read_bytes()[:PAGE] and not found.is_torn
    whole = (len(data) - LOG_HEADER) // FRAME
    size_after = [struct.unpack_from(">I", data, LOG_HEADER + n * FRAME + 4)[0] for n in range(whole)]
    assert size_after[-1] and not size_after[-2], "its last transaction has several frames"
    uncommitted = read_log(data[: LOG_HEADER + (whole - 1) * FRAME])
    assert not uncommitted.is_torn and uncommitted.pages.get(1) != found.pages[1]


def test_an_older_log_behind_the_present_one_is_no_damage(crashed: Path) -> None:
    """SQLite begins the same file again with other salts; what was in it stays behind that."""
    data = log_of(crashed).read_bytes()
    older = bytearray(data[LOG_HEADER : LOG_HEADER + FRAME])
    older[8:16] = b"old salt"
    assert not read_log(data + older).is_torn
    assert read_log(data + data[-FRAME:]).is_torn is False, "one frame that does not fit may be torn"
    assert read_log(data + data[-FRAME:] * 2).is_torn


def test_the_pages_that_a_merge_writes_are_known(crashed: Path) -> None:
    before = crashed.read_bytes()
    log = log_of(crashed).read_bytes()
    connection = connect(str(crashed))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    after = crashed.read_bytes()
    pages = range(1, len(after) // PAGE + 1)
    changed = {n for n in pages if before[(n - 1) * PAGE : n * PAGE] != after[(n - 1) * PAGE : n * PAGE]}
    merged = read_log(log, is_ours=True)
    assert {1} < changed <= set(merged.pages) and merged.count == len(pages)
    assert all(after[(n - 1) * PAGE : n * PAGE] == page for n, page in merged.pages.items())
    older = log[LOG_HEADER : LOG_HEADER + 8] + b"old salt" + log[LOG_HEADER + 16 : LOG_HEADER + FRAME]
    again = read_log(log + older, is_ours=True)
    assert again == merged == read_log(log), "of an older log, whose file was used again"


# -- a copy of a store that was left open, or is in use


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
