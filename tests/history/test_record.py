"""Rounds as plain values for programs."""

from __future__ import annotations

import json
from dataclasses import fields

from firmware_host.history.exporting import record_of
from firmware_host.model import effects as e
from firmware_host.model.effects import KINDS, Cue, Verdict
from firmware_host.model.states import AwayReason, Condition, DeviceCondition, Phase
from firmware_host.model.times import MS, US, S
from tests.history.stories import CLOSE, HALF_NS, RED_1, START_NS, TIED, entered, judged, started, told


def test_a_round_as_a_record() -> None:
    record = json.loads(json.dumps(record_of(told(CLOSE))))
    assert list(record) == [
        *("start_table_ns", "ended_ns", "voided", "seats", "verdicts", "contests", "pauses", "events")
    ]
    assert (record["start_table_ns"], record["ended_ns"], record["seats"]) == (START_NS, 9 * S, [1, 2, 4])
    assert record["verdicts"][1] == {
        "n": 2,
        "t_ns": 1 * S + 400 * US,
        "seat": 2,
        "verdict": "too-late",
        "what": "red 1",
        "earliest_ns": 1 * S + 300 * US,
        "latest_ns": 1 * S + 500 * US,
        "width_ns": 2 * HALF_NS,
        "decided_ns": 1 * S + 400 * US + 50 * MS,
        "margin_ns": 400 * US,
        "rival": 1,
        "doubtful": False,
        "cue": None,
        "locked_until_ns": None,
        "tied_seats": None,
        "ties_won_before": None,
        "drawn": None,
    }
    assert record["contests"] == [
        {
            "what": "red 1",
            "winner": 1,
            "losers": [
                {"verdict": 2, "margin_ns": 400 * US, "surely_apart_ns": 200 * US},
                {"verdict": 3, "margin_ns": 2 * MS, "surely_apart_ns": 1800 * US},
            ],
        }
    ]
    assert [event["effect"]["is"] for event in record["events"]] == [
        "RoundStarted",
        "RoundFinished",
        "RoundScored",
    ]
    assert record["events"][1]["t_ns"] == 9 * S and record["events"][1]["decided_ns"] == 9 * S + 50 * MS
    assert record["events"][0]["effect"]["t_ns"] == 0, "the effects have no other clock"
    assert record["events"][1]["effect"]["stamp"] == [9 * S - HALF_NS, 9 * S + HALF_NS]


def test_no_effect_has_a_moment_under_another_name() -> None:
    """The record of an effect has to count all its moments from the start call."""
    lengths = {"behind_ns", "margin_ns"}
    told_elsewhere = {"Judged"}
    for name, kind in KINDS.items():
        times = {each.name for each in fields(kind) if each.name.endswith("_ns") or each.type == "Stamp"}
        assert name in told_elsewhere or times <= {"t_ns", "stamp"} | lengths


def test_a_dead_heat_as_a_record() -> None:
    record = record_of(told(TIED))
    lost, won = record["verdicts"]
    assert (won["tied_seats"], won["ties_won_before"], won["drawn"]) == ([1, 2], [0, 0], True)
    assert lost["tied_seats"] is None and lost["t_ns"] < won["t_ns"]
    assert record["contests"][0]["losers"][0]["surely_apart_ns"] == 50 * US - 2 * HALF_NS
    assert record["ended_ns"] is None


def test_locks_cues_and_pauses() -> None:
    effects = [
        started(),
        judged(Verdict.FALSE_CLAIM, 1, 1 * S, locked_until_ns=START_NS + 2 * S),
        judged(Verdict.ILLEGAL, 2, 2 * S, cue=Cue.NOT_YOURS, doubtful=True),
        entered(Phase.PAUSED, 3 * S),
        entered(Phase.PLAY, 4 * S),
        entered(Phase.PAUSED, 5 * S),
        (START_NS + 5 * S, e.WasInterrupted(AwayReason.POWER, START_NS + 5 * S)),
    ]
    record = record_of(told(effects))
    locked, illegal = record["verdicts"]
    assert (locked["locked_until_ns"], locked["what"]) == (2 * S, None)
    assert (illegal["cue"], illegal["doubtful"]) == ("not-yours", True)
    assert record["pauses"] == [{"from_ns": 3 * S, "to_ns": 4 * S}, {"from_ns": 5 * S, "to_ns": None}]
    assert record["events"][-1]["effect"]["reason"] == "power" and RED_1


def test_what_a_device_reports_has_both_parts_and_the_whole_as_it_always_had() -> None:
    lost = DeviceCondition("left", Condition.LOST, "no answer", "check its cable")
    t_ns = START_NS + 1 * S
    record = record_of(told([started(), (t_ns, e.DeviceReported(lost, True, t_ns))]))
    event = record["events"][-1]["effect"]
    assert (event["is"], event["seen"], event["advice"]) == ("DeviceReported", "no answer", "check its cable")
    assert event["words"] == "no answer; check its cable"
