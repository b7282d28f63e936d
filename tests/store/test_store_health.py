"""What is said of a store that can't be written: each change once, and again on request."""

from __future__ import annotations

import logging
import sqlite3

import pytest

from firmware_host.store.raw_file import ForeignFile
from firmware_host.store.schema import NewerFile
from firmware_host.store.store_health import REMOVED, StoreHealth
from firmware_host.store.store_lock import StoreTaken
from hw.ports import Condition, Health

PATH = "/nowhere/at/all/table.db"
FULL = sqlite3.OperationalError("database or disk is full")


@pytest.fixture
def told() -> list[Health]:
    return []


@pytest.fixture
def health(told: list[Health]) -> StoreHealth:
    return StoreHealth(told.append)


@pytest.mark.parametrize(
    ("error", "seen", "advice"),
    [
        (ForeignFile("it is a mailbox"), f"{PATH}: it is a mailbox", "name another file in [store]"),
        (NewerFile("it is of 2030"), f"{PATH}: it is of 2030", "or name another file in [store]"),
        (StoreTaken("process 7 uses it"), "process 7 uses it", ""),
        (FULL, f"{PATH} can't be written: {FULL}", "free some space"),
        (ZeroDivisionError("0"), "internal error: ZeroDivisionError('0')", "please report it"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_each_error_has_its_words(
    health: StoreHealth, told: list[Health], error: Exception, seen: str, advice: str
) -> None:
    health.failed(PATH, error)
    (said,) = told
    assert (said.condition, said.seen, said.advice) == (Condition.LOST, seen, advice)


def test_a_disk_that_does_not_answer_is_said_so(health: StoreHealth, told: list[Health]) -> None:
    health.hangs(PATH)
    assert told[0].seen == f"{PATH} can't be written: the disk does not answer"


def test_what_is_lost_is_said_once_until_it_is_written_again(health: StoreHealth, told: list[Health]) -> None:
    for report in (health.written, *[lambda: health.failed(PATH, FULL)] * 2, *[health.written] * 2):
        report()
    assert [(said.condition, said.seen) for said in told] == [
        (Condition.LOST, f"{PATH} can't be written: {FULL}"),
        (Condition.OK, "it is written again"),
    ]


def test_an_error_nobody_thought_of_is_logged_once(
    health: StoreHealth, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        health.failed(PATH, ZeroDivisionError())
    assert [record.message for record in caplog.records] == ["the store can't be written"]


def test_what_happened_to_the_file_stands_after_a_loss_has_passed(
    health: StoreHealth, told: list[Health]
) -> None:
    health.degraded(REMOVED)
    health.failed(PATH, FULL)
    health.written()
    assert [said.condition for said in told] == [Condition.DEGRADED, Condition.LOST, Condition.DEGRADED]
    assert told[-1] == REMOVED


def test_the_present_condition_is_said_again_unless_it_is_ok(health: StoreHealth, told: list[Health]) -> None:
    health.retell()
    assert told == []
    health.failed(PATH, FULL)
    health.retell()
    assert len(told) == 2 and told[0] == told[1]


def test_a_report_that_fails_keeps_nothing_from_being_written(caplog: pytest.LogCaptureFixture) -> None:
    def deaf(health: Health) -> None:
        raise BrokenPipeError

    caplog.set_level(logging.ERROR)
    StoreHealth(deaf).hangs(PATH)
    assert caplog.records[0].message == f"{PATH} can't be written: the disk does not answer"
