"""Nothing ends the thread before its time, neither wrong rows nor errors nobody has thought of."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_host.store import result_rows
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
    secured,
    settled,
    wait_for,
    writing,
)

pytestmark = pytest.mark.usefixtures("impatient")

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


def test_whoever_is_told_and_fails_does_not_end_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def failing(health: Health) -> None:
        raise ZeroDivisionError("nobody has thought of this")

    path = tmp_path / "missing" / "table.db"
    writer = Writer(str(path), failing, now_text, each_commit_safe=False)
    writer.put(events(0, 10))
    wait_for(lambda: "nobody has thought of this" in caplog.text)
    path.parent.mkdir()
    settled(writer)
    assert not writer.stuck and writer.close()
    assert logged(path) == numbers(0, 10)


# -- the end


def test_the_end_says_whether_all_was_written(path: Path, tmp_path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
        assert writer.close() is True
        assert writer.close() is True
    with writing(tmp_path / "missing" / "table.db") as (writer, _):
        writer.put(events(0, 10))
        assert writer.close() is False


def test_rows_that_were_let_go_are_missing_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 50)
    path = tmp_path / "missing" / "table.db"
    with writing(path) as (writer, told):
        for number in range(100):
            writer.put(events(number, 1))
        wait_for(lambda: bool(told))
        path.parent.mkdir()
        settled(writer)
        writer.begin_session([event("next")])
        assert writer.close() is False
    assert logged(path)[-1] == "next"


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
