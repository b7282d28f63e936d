"""A story as plain values with stable names, for JSON.

Times are nanoseconds since the start call, also those of effects. Only `start_table_ns`, the start call, is
in the time of the table: the sum of it and another time is that time in the journal.
"""

from __future__ import annotations

import json
from typing import Any

from firmware_host.effect_text import format_effect
from firmware_host.effects import DeviceReported, Effect, Judged, TieBroken
from firmware_host.recall.contests import apart_ns, contests
from firmware_host.recall.story import StampedVerdict, Story


def record_of(story: Story) -> dict[str, Any]:
    """All that is known about a round."""
    start_ns = story.start_ns
    return {
        "start_table_ns": start_ns,
        "ended_ns": None if story.ended_ns is None else story.ended_ns - start_ns,
        "voided": _voided_record(story),
        "seats": list(story.seats),
        "verdicts": [verdict_record(given, start_ns) for given in story.verdicts],
        "contests": [
            {
                "what": str(contest.winner.judged.what),
                "winner": contest.winner.n,
                "losers": [
                    {
                        "verdict": loser.n,
                        "margin_ns": loser.judged.margin_ns,
                        "surely_apart_ns": apart_ns(contest.winner.stamp, loser.stamp),
                    }
                    for loser in contest.losers
                ],
            }
            for contest in contests(story.verdicts)
        ],
        "pauses": [
            {
                "from_ns": pause.from_ns - start_ns,
                "to_ns": None if pause.to_ns is None else pause.to_ns - start_ns,
            }
            for pause in story.pauses
        ],
        "events": [
            {
                "n": each.n,
                "t_ns": each.t_ns - start_ns,
                "decided_ns": each.decided_ns - start_ns,
                "effect": _effect_record(each.effect, start_ns),
            }
            for each in story.events
            if not isinstance(each.effect, Judged | TieBroken)
        ],
    }


def _voided_record(story: Story) -> dict[str, Any] | None:
    """Why it does not count, and the verdicts on the presses that were held to void it."""
    voided = story.voided
    if voided is None:
        return None
    t_ns = voided.t_ns - story.start_ns
    return {
        "t_ns": t_ns,
        "reason": voided.reason,
        "seats": list(voided.seats),
        "verdicts": list(story.held),
    }


def _effect_record(effect: Effect, start_ns: int) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(format_effect(effect))
    if "t_ns" in record:
        record["t_ns"] -= start_ns
    if "stamp" in record:
        record["stamp"] = [t_ns - start_ns for t_ns in record["stamp"]]
    if isinstance(effect, DeviceReported):
        record["words"] = effect.device.words
    if "held" in record:
        record["held"] = [[t_ns - start_ns for t_ns in stamp] for stamp in record["held"]]
    return record


def verdict_record(given: StampedVerdict, start_ns: int) -> dict[str, Any]:
    """One verdict with all its fields."""
    judged, tie = given.judged, given.tie
    return {
        "n": given.n,
        "t_ns": given.t_ns - start_ns,
        "seat": judged.seat,
        "verdict": judged.verdict.value,
        "what": None if judged.what is None else str(judged.what),
        "earliest_ns": given.stamp.earliest_ns - start_ns,
        "latest_ns": given.stamp.latest_ns - start_ns,
        "width_ns": given.stamp.latest_ns - given.stamp.earliest_ns,
        "decided_ns": judged.decided_ns - start_ns,
        "margin_ns": judged.margin_ns,
        "rival": judged.rival,
        "doubtful": judged.doubtful,
        "cue": None if judged.cue is None else judged.cue.value,
        "locked_until_ns": judged.locked_until_ns - start_ns if judged.locked_until_ns else None,
        "tied_seats": None if tie is None else list(tie.seats),
        "ties_won_before": None if tie is None else list(tie.won_before),
        "drawn": None if tie is None else tie.drawn,
    }
