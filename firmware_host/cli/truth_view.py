"""How far a table's results are from those of the rule sheets, as lines of `simulate`."""

from __future__ import annotations

from collections import Counter
from typing import Any

_ROWS = {
    "points_wrong": "rounds whose points fit no reading of the sheets",
    "wrong_finisher": "rounds with a wrong finisher",
    "wrong_winner": "matches with a wrong winner",
    "stop_taken_back": "rounds with a stop call taken back",
    "corrected": "rounds with a corrected count",
    "locked": "seats locked, of all seats in all rounds",
    "play_share": "time of a match that is play",
}


def truth_lines(truth: dict[str, Any]) -> list[str]:
    """A line for each share, and one for each cause of wrong points."""
    lines = [f"{words:<50}{truth[key]:>8.2%}" for key, words in _ROWS.items()]
    each, in_all = truth["locked_seconds_each"], truth["locked_seconds_in_all"]
    lines.append(f"a locked seat is locked for {each} s in its round on average; {in_all} s in all")
    return lines + _cause_lines(truth["causes"])


def _cause_lines(causes: dict[str, int]) -> list[str]:
    """The causes by what was wrong, most frequent first."""
    kinds = Counter[str]()
    for cause, count in causes.items():
        kinds[cause.partition(": ")[0]] += count
    lines = ["", "wrong points, by cause"] if causes else []
    for kind, total in kinds.most_common():
        lines.append(f"{total:>6}  {kind}")
        own = [(count, cause.partition(": ")[2]) for cause, count in causes.items() if _is_of(cause, kind)]
        lines += [f"{count:>12}  {detail}" for count, detail in own if detail]
    return lines


def _is_of(cause: str, kind: str) -> bool:
    return cause.partition(": ")[0] == kind
