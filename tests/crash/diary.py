"""What careful people read off the scoreboard, and what they remember of their evening."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

ROUNDED_NS = 150_000
"""A margin on the scoreboard is rounded to a tenth of a millisecond; stamps are in doubt by as much."""
_TOO_LATE = re.compile(r"\d+ too late \+([\d.]+)(us|ms|s)")
_UNIT_NS = {"us": 1_000, "ms": 1_000_000, "s": 1_000_000_000}


@dataclass(slots=True)
class Diary:
    """What the people remember of their evening."""

    begun: int = 0
    over: bool = False
    shown: tuple[str, ...] = ()
    """The scoreboard when the winner was shown."""
    complaints: list[str] = field(default_factory=list)
    rivals: int = 0
    """Slaps of rivals that were seen to come too late, by the right margin."""
    repeated: int = 0
    side_shows: int = 0


def margin_in(line: str) -> int | None:
    """The margin in a line such as `3 too late +13.4ms`, in nanoseconds."""
    told = _TOO_LATE.fullmatch(line)
    return round(float(told[1]) * _UNIT_NS[told[2]]) if told else None


def seats_in(text: str) -> set[int]:
    """The seats that have sat down: `1 - 3 -` or `1-3 5`."""
    seats: set[int] = set()
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        seats |= set(range(int(first), int(last or first) + 1))
    return seats
