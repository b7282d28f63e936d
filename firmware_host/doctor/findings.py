"""Findings: what was looked at, how it is, what was seen, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """How something is; the worse, the later."""

    OK = "ok"  # as it should be
    NOTE = "note"  # worth knowing; nothing has to be done
    WARN = "warn"  # the table plays, but not at its best, or not for long
    FAIL = "fail"  # the table can't play like this

    @property
    def rank(self) -> int:
        """The higher, the worse."""
        return list(State).index(self)


class Area(Enum):
    """Where a finding belongs, in the order of the report."""

    MACHINE = "machine"
    RIGHTS = "rights"
    CONFIG = "config"
    TAGS = "tags"
    STORE = "store"
    GPIO = "gpio"
    I2C = "i2c"
    PORTS = "ports"
    READERS = "readers"
    SCOREBOARD = "scoreboard"
    SOUND = "sound"
    WALK = "walk"
    JITTER = "jitter"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. What is not `ok` has advice, unless it is only worth knowing."""

    area: Area
    subject: str
    state: State
    seen: str
    advice: str = ""


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """The findings area by area, each area's in the order in which they were made."""
    areas = list(Area)
    return sorted(findings, key=lambda finding: areas.index(finding.area))


def counts(findings: Iterable[Finding]) -> dict[State, int]:
    """How many findings are of each state."""
    counted = Counter(finding.state for finding in findings)
    return {state: counted[state] for state in State}


def worst(findings: Iterable[Finding]) -> State:
    """The state of the whole; nothing found is nothing wrong."""
    return max((finding.state for finding in findings), key=lambda state: state.rank, default=State.OK)


def named(names: list[str], most: int = 4) -> str:
    """Some names, and how many more there are."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
