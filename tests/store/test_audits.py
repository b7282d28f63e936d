"""What is counted: each part that was used, and all that went wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.model import effects as e
from firmware_host.model.events import Input, Pause, SourceEdge, TagSeen, Withdrawn
from firmware_host.model.places import Button, Call, Card, Colour, Pad, Slot
from firmware_host.model.states import AbandonReason, Condition, DeviceCondition, MaskReason, VoidReason
from firmware_host.model.times import exactly
from firmware_host.store.result_rows import Audits, kind_of
from firmware_host.store.results import Audit
from firmware_host.store.store_reader import reading
from tests.store.shelves import writing

NOW = exactly(0)
RED_1 = Slot(Colour.RED, 1)
CARD = Card(3, Colour.RED, 7)


def counted(audits: Audits) -> dict[tuple[str, str], int]:
    return {(str(row[1][0]), str(row[1][1])): int(str(row[1][2])) for row in audits.take_rows()}


@pytest.mark.parametrize(
    ("seen", "kind", "name"),
    [
        (SourceEdge(Button(3), True, NOW, 1), "button", "seat 3"),
        (SourceEdge(Call(3), True, NOW, 1), "call", "call 3"),
        (SourceEdge(RED_1, True, NOW, 1), "slot", "red 1"),
        (TagSeen(Pad(3), CARD, NOW), "reader", "pad 3"),
        (TagSeen(RED_1, CARD, NOW), "reader", "red 1"),
    ],
)
def test_what_is_used_is_counted(seen: Input, kind: str, name: str) -> None:
    audits = Audits(lambda: "now")
    audits.saw(seen)
    audits.saw(seen)
    assert counted(audits) == {(kind, name): 2}


@pytest.mark.parametrize(
    "seen", [SourceEdge(Button(3), False, NOW, 1), Withdrawn(Pad(3), CARD, NOW), Pause(NOW)]
)
def test_what_ends_is_not_counted_twice(seen: Input) -> None:
    audits = Audits(lambda: "now")
    audits.saw(seen)
    assert counted(audits) == {}


@pytest.mark.parametrize(
    ("effect", "kind", "name", "count"),
    [
        (e.TieBroken(None, (1, 2), (0, 0), True, 1), "table", "dead heats", 1),
        (e.EdgesLost(3, NOW), "table", "lost edges", 3),
        (e.EdgesLost(0, NOW), "table", "lost edges", 1),
        (e.LateSignal(RED_1, NOW, 5), "table", "late signals", 1),
        (e.Noise(RED_1, NOW), "noise", "red 1", 1),
        (e.SourceMasked(Button(2), MaskReason.STUCK, 0), "fault", "seat 2 stuck", 1),
        (e.DeviceReported(DeviceCondition("left", Condition.LOST), True, 0), "fault", "left lost", 1),
        (e.RoundScored(1, (1, 2), 1, (0, 1), (1, -1), (1, -1)), "table", "rounds", 1),
        (e.RoundVoided(1, VoidReason.OPERATOR, 0), "table", "rounds void", 1),
        (e.MatchAbandoned(AbandonReason.OPERATOR, 0), "table", "matches given up", 1),
        (e.MatchEnded((1, 2), (1, -1), (1,)), "table", "matches", 1),
    ],
)
def test_what_happens_is_counted(effect: e.Effect, kind: str, name: str, count: int) -> None:
    audits = Audits(lambda: "now")
    audits.decided(effect)
    assert counted(audits) == {(kind, name): count}


@pytest.mark.parametrize(
    "effect", [e.DeviceReported(DeviceCondition("left", Condition.OK), True, 0), e.SeatTaken(1)]
)
def test_what_is_in_order_is_not_counted(effect: e.Effect) -> None:
    audits = Audits(lambda: "now")
    audits.decided(effect)
    assert audits.take_rows() == []


def test_a_lost_device_is_counted_once_until_it_is_back() -> None:
    """Each session gets a report of it."""
    audits = Audits(lambda: "now")
    for condition in (Condition.LOST, Condition.LOST, Condition.DEGRADED, Condition.LOST):
        audits.decided(e.DeviceReported(DeviceCondition("left", condition), True, 0))
    assert counted(audits) == {("fault", "left lost"): 2}


def test_what_happened_since_the_start_is_summed_up() -> None:
    audits = Audits(lambda: "now")
    audits.count("table", "restarts")
    audits.saw(SourceEdge(Button(3), True, NOW, 1))
    for source in (Button(1), RED_1):
        audits.decided(e.SourceMasked(source, MaskReason.STUCK, 0))
        audits.decided(e.Noise(source, NOW))
    assert audits.counters() == (("faults", "2"), ("noise", "2"), ("restarts", "1"))
    audits.take_rows()
    assert audits.counters() == (("faults", "2"), ("noise", "2"), ("restarts", "1"))


def test_counts_grow_in_the_store_and_go_on_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    ended = e.MatchEnded((1, 2), (1, -1), (1,))
    for day in (1, 2, 3):
        with writing(path) as (writer, _):
            games = 0
            if day > 1:
                with reading(str(path)) as book:
                    games = book.games
            audits = Audits(lambda day=day: f"day {day}", games)  # type: ignore[misc]
            if day == 1:
                audits.saw(SourceEdge(Button(3), True, NOW, 1))
            audits.saw(SourceEdge(RED_1, True, NOW, 1))
            writer.put(audits.take_rows())
            audits.decided(ended)
            writer.put(audits.take_rows())
            assert writer.settle(10)
    with reading(str(path)) as book:
        assert book.games == 3
        assert book.audits() == [
            Audit("button", "seat 3", 1, "day 1", 3),
            Audit("slot", "red 1", 3, "day 3", 1),
            Audit("table", "matches", 3, "day 3", 0),
        ]


def test_every_source_has_a_kind() -> None:
    assert [kind_of(each) for each in (Button(1), Call(1), RED_1, Pad(1))] == [
        *("button", "call", "slot", "reader")
    ]
