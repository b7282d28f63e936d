"""The signs of a picture: one for each verdict, and letters for what happened to the table.

They differ in shape and not only in colour. If several are at one place, the first one is drawn.
"""

from __future__ import annotations

from firmware_host.effects import (
    Corrected,
    DeviceReported,
    EdgesLost,
    Effect,
    LateSignal,
    MatchAbandoned,
    PhaseEntered,
    RoundFinished,
    RoundStarted,
    RoundStuck,
    RoundVoided,
    SourceMasked,
    SourceUnmasked,
    Verdict,
    WasInterrupted,
)
from firmware_host.states import Phase

SIGNS: dict[Verdict, str] = {
    Verdict.DEAD_HEAT_LOST: "~",
    Verdict.DEAD_HEAT_WON: "=",
    Verdict.TOO_LATE: ">",
    Verdict.FALSE_CLAIM: "!",
    Verdict.ILLEGAL: "x",
    Verdict.LOCKED: "#",
    Verdict.ACCEPTED: "o",
    Verdict.TAKEN_BACK: "<",
    Verdict.REPEATED: '"',
    Verdict.NOT_RUNNING: ".",
}

LETTERS: dict[str, str] = {
    "E": "end called",
    "V": "round is void",
    "A": "match given up",
    "S": "start call",
    "I": "table was away",
    "P": "pause",
    "C": "count corrected",
    "L": "edges lost or late",
    "D": "device or contact",
}


def letter_of(effect: Effect) -> str:
    """The letter for an effect that happened to the table; empty if it has none."""
    match effect:
        case RoundFinished() | RoundStuck():
            return "E"
        case RoundVoided():
            return "V"
        case MatchAbandoned():
            return "A"
        case RoundStarted():
            return "S"
        case WasInterrupted():
            return "I"
        case PhaseEntered(phase=Phase.PAUSED):
            return "P"
        case Corrected():
            return "C"
        case EdgesLost() | LateSignal():
            return "L"
        case DeviceReported() | SourceMasked() | SourceUnmasked():
            return "D"
        case _:
            return ""
