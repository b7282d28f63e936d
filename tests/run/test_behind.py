"""A store that was too slow for a moment: what was shown before it was written, and what comes after that."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from unittest import mock

import pytest

from firmware_host.model.effects import (
    DeviceReported,
    EdgesLost,
    Effect,
    MatchAbandoned,
    Refused,
    RoundVoided,
    SourceMasked,
    SourceUnmasked,
)
from firmware_host.model.places import Button
from firmware_host.model.states import AbandonReason, Condition, DeviceCondition, MaskReason, VoidReason
from firmware_host.model.times import MS, S, exactly
from firmware_host.profile.table import StoreConfig
from firmware_host.referee import Step
from firmware_host.run import journal
from firmware_host.run.journal import LOST_EVERY_NS, MOST_LINES, WINDOW_NS, Logbook
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


class Notes(list[tuple[str, str]]):
    """The table's own log."""

    def __call__(self, kind: str, text: str, level: int = logging.INFO) -> None:
        self.append((kind, text))


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def book(notes: Notes) -> Logbook:
    return Logbook(notes)


def write(book: Logbook, t_ns: int, *effects: Effect) -> None:
    book.write(Step(t_ns, effects, None, None))


def lost(name: str = "left", words: str = "does not answer") -> DeviceReported:
    return DeviceReported(DeviceCondition(name, Condition.LOST, words), True, 0)


def well(name: str = "left") -> DeviceReported:
    return DeviceReported(DeviceCondition(name, Condition.OK), True, 0)


def test_what_each_session_reports_again_is_not_logged_again(book: Logbook, notes: Notes) -> None:
    for t_s in range(5):
        write(book, t_s * S, lost())
    write(book, 6 * S, well())
    write(book, 7 * S, well(), well("right"))
    assert notes == [("device", "left is lost: does not answer"), ("device", "left is ok")]


def test_another_trouble_with_the_same_device_is_news(book: Logbook, notes: Notes) -> None:
    write(book, 0, lost(), lost(words="garbled transfers"))
    assert [text for _, text in notes] == ["left is lost: does not answer", "left is lost: garbled transfers"]


def test_a_loose_plug_fills_no_log(book: Logbook, notes: Notes) -> None:
    for n in range(1000):
        write(book, n * 500 * MS, lost() if n % 2 == 0 else well())
        write(
            book, n * 500 * MS, SourceMasked(Button(2), MaskReason.CHATTERS, 0), SourceUnmasked(Button(2), 0)
        )
    texts = [text for _, text in notes]
    assert len([text for text in texts if text.startswith("left")]) == MOST_LINES + 1
    assert len([text for text in texts if "seat 2" in text]) == MOST_LINES + 1
    assert "left comes and goes; not logged again for up to 10 minutes" in texts
    write(book, 500 * S + WINDOW_NS, lost())
    assert notes[-1] == ("device", "left is lost: does not answer")


def test_lost_edges_are_summed_up(book: Logbook, notes: Notes, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for n in range(1001):
            write(book, n * LOST_EVERY_NS // 1000, EdgesLost(1, exactly(0)))
    told = [record.getMessage() for record in caplog.records]
    assert told == ["1 edge was lost", "1000 edges were lost"]
    assert notes == []


def test_nobody_knows_how_many(book: Logbook, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        write(book, 0, EdgesLost(0, exactly(0)))
    assert [record.getMessage() for record in caplog.records] == ["some edges were lost"]


@pytest.mark.parametrize(
    ("effect", "line"),
    [
        (
            RoundVoided(2, VoidReason.STUCK, 0, (1, 3)),
            ("match", "round 2 is void: seats 1 and 3 agreed that nobody could play"),
        ),
        (RoundVoided(2, VoidReason.OPERATOR, 0), ("match", "round 2 is void: by the operator")),
        (MatchAbandoned(AbandonReason.PAUSED, 0), ("match", "the match is given up: paused")),
        (Refused("Resume", "it runs"), ("refused", "Resume was refused: it runs")),
    ],
)
def test_what_an_operator_may_ask_about(
    book: Logbook, notes: Notes, effect: Effect, line: tuple[str, str]
) -> None:
    write(book, 0, effect)
    assert notes == [line]
