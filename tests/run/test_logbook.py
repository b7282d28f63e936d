"""What stands in the logs: each thing once, and no more than somebody can read."""

from __future__ import annotations

import logging

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
from firmware_host.referee import Step
from firmware_host.run.journal import LOST_EVERY_NS, MOST_LINES, WINDOW_NS, Logbook


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
