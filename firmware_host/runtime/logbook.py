"""What operators find in the system's log: how devices are, and what came of matches; no line for an edge."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from firmware_host.effects import (
    DeviceReported,
    EdgesLost,
    Effect,
    MatchEnded,
    PhaseEntered,
    Refused,
    RoundScored,
    SourceMasked,
    SourceUnmasked,
)

log = logging.getLogger(__name__)


def write(t_ns: int, effects: Iterable[Effect]) -> None:
    """Log what is worth a line of these."""
    for effect in effects:
        match effect:
            case DeviceReported(condition="ok"):
                log.info("%s is well", effect.device)
            case DeviceReported():
                log.warning("%s is %s: %s", effect.device, effect.condition, effect.words)
            case SourceMasked():
                log.warning("%s is not listened to: it %s", effect.source, _MASKED[effect.reason])
            case SourceUnmasked():
                log.info("%s is listened to again", effect.source)
            case EdgesLost():
                log.warning("%s edges were lost", effect.count or "some")
            case RoundScored():
                log.info("round %d is scored, totals %s", effect.number, _totals(effect))
            case MatchEnded():
                log.info("the match is over, totals %s", _totals(effect))
            case Refused():
                log.warning("%s was refused: %s", effect.command, effect.reason)
            case PhaseEntered():
                log.debug("%s", effect.phase)
            case _:
                pass


_MASKED = {"chatters": "chatters", "stuck": "is stuck"}


def _totals(effect: RoundScored | MatchEnded) -> str:
    return ", ".join(f"seat {seat}: {effect.totals[seat - 1]:+d}" for seat in effect.seats)
