"""Whatever happens to the file, the table plays on; the present session is written when that can be."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Event

import pytest

from firmware_host.store import open_file, result_rows
from firmware_host.store import writer as module
from firmware_host.store.open_file import OpenFile, Row, keep_aside
from firmware_host.store.raw_file import MAGIC
from firmware_host.store.writer import Writer
from hw.ports import Condition, Health
from tests.store.shelves import (
    conditions,
    event,
    events,
    logged,
    now_text,
    numbers,
    open_folder,
    secured,
    set_aside,
    settled,
    wait_for,
    without_rights,
    writing,
)
from tests.thoroughness import some

pytestmark = pytest.mark.usefixtures("impatient")


def filled(path: Path, count: int = 2000) -> Path:
    with writing(path) as (writer, _):
        writer.put(events(0, count))
    return path


# -- it can't be written for a while


def test_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "table.db"
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        wait_for(lambda: bool(told))
        assert not writer.settle(10), "nobody waits for a file that can't be written"
        assert [(health.name, health.condition) for health in told] == [("store", Condition.LOST)]
        assert "table.db can't be written" in told[0].seen and "permissions" in told[0].advice
        path.parent.mkdir()
        writer.put(events(10, 10))
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK]
    assert logged(path) == numbers(0, 20)


def test_a_file_that_may_not_be_written_to_any_more() -> None:
    with open_folder() as folder:
        path = filled(folder / "table.db", 10)
        with without_rights(folder), writing(path) as (writer, told):
            writer.put(events(10, 10))
            wait_for(lambda: bool(told))
            assert conditions(told) == [Condition.LOST]
        assert logged(path) == numbers(0, 10)
        assert set_aside(path) == [], "a file that is sound is not put aside"


def test_what_could_not_be_written_until_the_end_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with writing(tmp_path / "missing" / "table.db") as (writer, told):
        writer.put(events(0, 10))
        wait_for(lambda: bool(told))
    assert "10 rows could not be written any more" in caplog.text


# -- it is written, and can't be made safe


def test_what_is_written_is_not_written_again_because_it_can_not_be_made_safe(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = 5
    sync = open_file._sync

    def failing(name: str) -> None:
        nonlocal left
        left -= 1
        if left >= 0:
            raise sqlite3.OperationalError("disk I/O error")
        sync(name)

    monkeypatch.setattr(open_file, "_sync", failing)
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        writer.secure()
        wait_for(lambda: left < 0)
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK]
    assert logged(path) == numbers(0, 10)


def disk_that_waits(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Nothing is made safe before this happens."""
    go_on, sync = Event(), open_file._sync

    def waiting(name: str) -> None:
        go_on.wait()
        sync(name)

    monkeypatch.setattr(open_file, "_sync", waiting)
    return go_on


def test_where_each_verdict_is_to_be_safe_nothing_settles_before_it_is(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = disk_that_waits(monkeypatch)
    monkeypatch.setattr(module, "SAFE_S", 100)  # nothing becomes safe by itself
    writer = Writer(str(path), lambda health: None, now_text, each_commit_safe=True)
    writer.put(events(0, 10))
    assert not writer.settle(0.1)
    wait_for(lambda: logged(path) == numbers(0, 10))
    assert not writer.settle(0.1)
    go_on.set()
    settled(writer)
    writer.close()


def test_a_disk_that_does_not_answer_is_told_of_and_nobody_waits_for_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = disk_that_waits(monkeypatch)
    monkeypatch.setattr(module, "HANGS_S", 0.05)
    with writing(path) as (writer, told):
        writer.look()
        writer.put(events(0, 10))
        writer.secure()

        def looked() -> bool:
            writer.look()
            return bool(told)

        wait_for(looked)
        writer.look()
        assert conditions(told) == [Condition.LOST] and "does not answer" in told[0].seen
        writer.put(events(10, 10))
        assert not writer.settle(10), "nobody waits"
        assert not writer.stuck, "to begin anew would not help"
        go_on.set()
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK]
    assert logged(path) == numbers(0, 20)


# -- the disk is full


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of half a megabyte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = shutil.which("mount") and os.geteuid() == 0
    if (
        not mounted
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk)], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("nothing can be mounted here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    path, ballast = small_disk / "table.db", small_disk / "ballast"
    with writing(path) as (writer, told):
        writer.put(events(0, 100))
        assert writer.settle(10)
        ballast.write_bytes(bytes(300 * 1024))
        put = 100
        while not told:
            writer.put(events(put, 500))
            writer.secure()
            put += 500
            writer.settle(1)
        assert conditions(told) == [Condition.LOST]
        assert "free some space" in told[0].advice or "disk" in told[0].advice
        assert put < 20_000, "it was full before"
        ballast.unlink()
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK]
    assert logged(path) == numbers(0, put)
    assert set_aside(path) == []


def test_a_disk_without_any_room_at_all(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    path = small_disk / "table.db"
    with writing(path) as (writer, told):
        writer.put(events(0, 100))
        wait_for(lambda: bool(told))
        assert conditions(told) == [Condition.LOST] and not writer.settle(10)
        ballast.unlink()
        settled(writer)
    assert logged(path) == numbers(0, 100)


def test_a_disk_that_can_only_be_read(small_disk: Path) -> None:
    path = small_disk / "table.db"
    with writing(path) as (writer, told):
        writer.put(events(0, 100))
        assert writer.settle(10)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with writing(path) as (writer, told):
        writer.put(events(100, 100))
        wait_for(lambda: bool(told))
        assert conditions(told) == [Condition.LOST]
        assert logged(path) == numbers(0, 100)
        subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
        settled(writer)
    assert logged(path) == numbers(0, 200)


# -- the file is broken


def test_a_file_that_was_a_store(path: Path) -> None:
    damaged = filled(path, 10).read_bytes()[:5000]
    path.write_bytes(damaged)
    with writing(path) as (writer, told):
        writer.put(events(10, 10))
        settled(writer)
        assert conditions(told) == [Condition.DEGRADED]
        (aside,) = set_aside(path)
        assert str(aside) in told[0].seen and aside.read_bytes() == damaged
    assert logged(path) == numbers(10, 10)


def test_a_broken_file_that_can_not_be_moved_is_told_once() -> None:
    with open_folder() as folder:
        path = folder / "table.db"
        path.write_bytes(MAGIC)
        path.chmod(0o666)
        with without_rights(folder), writing(path) as (writer, told):
            writer.put(events(0, 10))
            wait_for(lambda: bool(told))
            for _ in range(5):
                assert not writer.settle(0.1)
            assert conditions(told) == [Condition.LOST]
            assert "can't be" in told[0].seen


@pytest.mark.parametrize("seed", some(5, range(12)))
def test_a_file_that_was_cut_or_spoilt_is_read_or_put_aside(tmp_path: Path, seed: int) -> None:
    """Each of many damages: all that is put afterwards is written, and the thread lives."""
    chance = Random(seed)
    path = tmp_path / "table.db"
    told: list[object] = []
    writer = Writer(str(path), told.append, now_text, each_commit_safe=False)
    writer.put(events(0, 3000))
    writer.secure()
    wait_for(lambda: path.exists() and path.stat().st_size > 100_000)
    writer.put(events(3000, 500))
    assert writer.settle(10)
    for n in range(6):
        copy = tmp_path / f"{n}"
        copy.mkdir()
        for name in (path.name, f"{path.name}-wal"):
            shutil.copy(path.parent / name, copy / name)
        _spoil(copy / chance.choice([path.name, path.name, f"{path.name}-wal"]), chance)
        _check_it_is_survived(copy / path.name)
    writer.close()
    assert logged(path) == numbers(0, 3500)


def _spoil(path: Path, chance: Random) -> None:
    data = bytearray(path.read_bytes())
    kind = chance.choice(["cut", "cut", "beginning", "bits", "zeros", "random"])
    at = chance.randrange(100) if kind == "beginning" else chance.randrange(len(data))
    if kind in ("cut", "beginning"):
        del data[at:]
    elif kind == "bits":
        for _ in range(8):
            data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    else:
        length = min(chance.randrange(1, 9000), len(data) - at)
        data[at : at + length] = bytes(length) if kind == "zeros" else chance.randbytes(length)
    path.write_bytes(data)


def _check_it_is_survived(path: Path) -> None:
    with writing(path) as (writer, told):
        writer.begin_session([event("begun")])
        writer.put([event("played")])
        wait_for(lambda: writer.settle(0.1) or Condition.LOST in conditions(told))
        assert not writer.stuck
        if Condition.LOST in conditions(told):
            return  # it is told, and the table plays on
        writer.put([event("ended")])
        settled(writer)
        assert not writer.stuck
    assert logged(path)[-3:] == ["begun", "played", "ended"]


# -- wrong rows, and errors nobody has thought of

LOG = "INSERT INTO log (at, kind, text) VALUES (?, ?, ?)"


def test_a_name_that_is_no_text_is_written_readably(path: Path) -> None:
    """So a file's name may come from the system."""
    with writing(path) as (writer, told):
        writer.put([event("before"), event("t\udcff.toml"), event("after")])
        assert writer.settle(10) and told == []
    assert logged(path) == ["before", "t\\udcff.toml", "after"]


WRONG: dict[str, Row] = {
    "too great a number": (LOG, ("now", "test", 2**70)),
    "no value of SQLite": (LOG, ("now", "test", object())),
    "too few values": (LOG, ("now", "test")),
    "no values at all": (LOG, None),  # type: ignore[dict-item]
    "nothing where something must be": (LOG, ("now", "test", None)),
    "no statement": (5, ()),  # type: ignore[dict-item]
    "no text in a statement": ("INSERT INTO log VALUES ('\udcff')", ()),
    "two statements": (f"{LOG}; {LOG}", ("now", "test", "text")),
    "no row": None,  # type: ignore[dict-item]
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_row_that_can_not_be_written_is_left_out_and_told_once(
    path: Path, wrong: Row, caplog: pytest.LogCaptureFixture
) -> None:
    with writing(path) as (writer, told):
        writer.put(events(0, 3))
        writer.put([wrong, *events(3, 3), wrong])
        assert writer.settle(10)
        writer.put(events(6, 3))
        assert writer.settle(10) and told == [] and not writer.stuck
        path.unlink()
        writer.put(events(9, 1))
        writer.secure()
        wait_for(lambda: bool(told))
        settled(writer)
        assert writer.close()
    assert logged(path) == numbers(0, 10)
    left_out = [record.message for record in caplog.records if "is left out" in record.message]
    assert len(left_out) == 2 and all(message.isprintable() for message in left_out)


def test_no_name_is_in_the_log_if_a_player_can_not_be_written(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with writing(path) as (writer, _):
        writer.put(result_rows.player(1 << 70, "Wilhelmina"))
        assert writer.settle(10)
    assert "INSERT OR REPLACE INTO players" in caplog.text and "Wilhelmina" not in caplog.text


def test_a_connection_that_is_gone_is_not_taken_for_a_wrong_row(path: Path) -> None:
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)
        connection = writer._file._connection
        assert connection is not None
        connection.close()
        writer.put(events(10, 10))
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK]
    assert logged(path) == numbers(0, 20)


def test_an_error_nobody_has_thought_of_is_told_and_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    left = 3
    write = OpenFile.write

    def failing(self: OpenFile, rows: Sequence[Row]) -> object:
        nonlocal left
        left -= 1
        if left >= 0:
            raise ZeroDivisionError("nobody has thought of this")
        return write(self, rows)

    monkeypatch.setattr(OpenFile, "write", failing)
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        wait_for(lambda: left < 0)
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK] and not writer.stuck
        assert told[0].seen.startswith("internal error: ZeroDivisionError")
        assert told[0].advice == "please report it"
        assert "Traceback" in caplog.text
    assert logged(path) == numbers(0, 10)


def test_an_error_in_the_midst_of_a_repair_is_told_and_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = 2

    def failing(path: str, error: Exception, stamp: str) -> Health:
        nonlocal left
        left -= 1
        if left >= 0:
            raise ZeroDivisionError("nobody has thought of this")
        return keep_aside(path, error, stamp)

    monkeypatch.setattr(module, "keep_aside", failing)
    path.write_bytes(MAGIC)
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.DEGRADED]
        assert told[0].seen.startswith("internal error: ZeroDivisionError")
    assert logged(path) == numbers(0, 10)


def test_the_end_says_whether_all_was_written(path: Path, tmp_path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
        assert writer.close() is True
        assert writer.close() is True
    with writing(tmp_path / "missing" / "table.db") as (writer, _):
        writer.put(events(0, 10))
        assert writer.close() is False


def test_an_error_at_the_end_ends_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(self: OpenFile, rows: Sequence[Row]) -> object:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(OpenFile, "write", failing)
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
        assert writer.close() is False
    assert "10 rows could not be written any more" in caplog.text
