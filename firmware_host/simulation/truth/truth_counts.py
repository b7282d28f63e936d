"""How often the table's results are other ones than those of the sheets, over many matches."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

from firmware_host.durations import S
from firmware_host.simulation.truth.round_story import RoundStory


@dataclass(slots=True)
class TruthCounts:
    """Sums of any number of matches; they can be added up."""

    matches: int = 0
    rounds: int = 0
    points_wrong: int = 0
    wrong_winner: int = 0
    wrong_finisher: int = 0
    stop_taken_back: int = 0
    corrected: int = 0
    seat_rounds: int = 0
    locked: int = 0
    locked_ns: int = 0
    play_ns: int = 0
    match_ns: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    wrong_rounds: list[RoundStory] = field(default_factory=list)
    """The first rounds whose points fit no reading, as many as are wanted."""

    def add(self, other: TruthCounts) -> None:
        """Take over the counts of other matches."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def summary(self) -> dict[str, Any]:
        """Shares from 0 to 1 as plain data, and what they are made of."""
        return {
            "points_wrong": _share(self.points_wrong, self.rounds),
            "wrong_winner": _share(self.wrong_winner, self.matches),
            "stop_taken_back": _share(self.stop_taken_back, self.rounds),
            "corrected": _share(self.corrected, self.rounds),
            "locked": _share(self.locked, self.seat_rounds),
            "play_share": _share(self.play_ns, self.match_ns),
            "wrong_finisher": _share(self.wrong_finisher, self.rounds),
            "locked_seconds_each": round(self.locked_ns / S / max(1, self.locked), 2),
            "locked_seconds_in_all": round(self.locked_ns / S, 1),
            "causes": dict(self.causes.most_common()),
        }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 5) if whole else 0.0
