"""A store that was too slow for a moment: what was shown before it was written, and what comes after that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from unittest import mock

import pytest

from firmware_host.profile.table import StoreConfig
from firmware_host.run import journal
from firmware_host.store.open_file import Row
from firmware_host.store.raw_file import opened_to_read
from tests.run.evenings import B1, R1, R2, R3, Evening, evening

LONG_S = 20.0
"""So a test does not hang on how fast the disk is."""


@pytest.fixture(params=["rounds", "verdicts"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Evening]:
    store = StoreConfig(file=str(tmp_path / "table.db"), sync=request.param)
    with evening(tmp_path, store=store) as each:
        each.start()
        each.play()
        each.written()
        yield each


@contextmanager
def held_up(table: Evening) -> Iterator[None]:
    """The disk does not answer meanwhile."""
    file, go_on = table.memory.writer._file, Event()
    write = file.write

    def waiting(rows: Sequence[Row]) -> list[int]:
        go_on.wait(LONG_S)
        return write(rows)

    with mock.patch.object(file, "write", waiting):
        yield
    go_on.set()


def decided(table: Evening) -> int:
    with opened_to_read(str(table.file)) as connection:
        return int(connection.execute("SELECT count(*) FROM effects").fetchone()[0])


def test_after_a_slow_moment_verdicts_are_written_before_they_are_shown_again(
    table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    early = watch(table, monkeypatch)
    with held_up(table):
        table.place(2, B1)
    assert early, "the game has not waited"
    table.written()
    monkeypatch.setattr(journal, "SETTLE_S", LONG_S)
    early.clear()
    for slot in (R1, R2, R3):
        table.place(1, slot)
    assert early == []


def test_each_decision_that_was_shown_early_is_counted(
    table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert behind(table) == 0
    with held_up(table):
        table.place(2, B1)
        table.place(1, R1)
    table.written()
    monkeypatch.setattr(journal, "SETTLE_S", LONG_S)
    slow = behind(table)
    assert slow >= 2
    table.place(1, R2)
    table.written()
    assert behind(table) == slow


def test_the_log_names_each_verdict_that_was_shown_early_and_says_when_all_is_written(
    table: Evening, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    with held_up(table):
        table.place(2, B1)
    table.written()
    monkeypatch.setattr(journal, "SETTLE_S", LONG_S)
    table.place(1, R1)
    said = [each.message for each in caplog.records if each.name == journal.__name__]
    assert said[0] == "the store is behind: decisions are shown before they are written"
    early = r"shown before it is written: decision \d+, seat 2: accepted for blue 1"
    assert [each for each in said if "seat" in each] and all(re.fullmatch(early, each) for each in said[1:-1])
    assert said[-1] == "the store has caught up: all that was shown is written"


def behind(table: Evening) -> int:
    with table.book() as book:
        return sum(audit.count for audit in book.audits() if audit.name == "journal behind")


def watch(table: Evening, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many decisions were not in the file yet when a frame was shown, for each such frame."""
    early: list[int] = []
    leds, written = table.host.equipment.leds, table.host.recorded.journal
    show = leds.show

    def shown(frame: bytes) -> None:
        missing = written.effects - decided(table)
        if missing:
            early.append(missing)
        show(frame)

    monkeypatch.setattr(leds, "show", shown)
    return early
