"""What the store has for people: rounds, matches and audits."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.states import VoidReason

ROUND_STATES = ("running", "scored", "void", "abandoned")
MATCH_STATES = ("running", "finished", "abandoned")
UNREADABLE = "unreadable"
"""The state of a round or a match if it can't be read what came of it."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One round as people ask for it; a count of seats is one entry a seat of the table."""

    n: int
    session_log: int
    match: int  # counted in its session
    attempt: int
    number: int
    begun: str
    ended: str | None
    state: str
    first_effect: int
    last_effect: int | None
    finisher: int | None
    void_reason: VoidReason | None
    seats: tuple[int, ...]
    """Those who played, of a round that was scored."""
    leftovers: tuple[int, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    void_seats: tuple[int, ...]
    """Those who said that it does not count."""
    game: str
    event: str
    day: str

    def holds(self, effect: int) -> bool:
        """Whether an effect of its session, by its number there, belongs to it; it may be under way."""
        return self.first_effect <= effect and (self.last_effect is None or effect <= self.last_effect)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match as people ask for it."""

    n: int
    session_log: int
    number: int
    begun: str
    ended: str | None
    day: str
    event: str
    game: str
    state: str
    seats: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DeadHeat:
    """A dead heat of a round, and who got it."""

    session_log: int
    attempt: int
    seats: tuple[int, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Audit:
    """How often a part was used, when last, and how many games were played since."""

    kind: str
    name: str
    count: int
    last: str
    games_since: int
