"""The rows of the store that are for people: rounds, matches and audits."""

from __future__ import annotations

from dataclasses import dataclass

from firmware_host.model.states import VoidReason

ROUND_STATES = ("running", "scored", "void", "abandoned")
MATCH_STATES = ("running", "finished", "abandoned")
UNREADABLE = "unreadable"
"""The state of a round or a match with a result that can't be read."""


PARTS = ("button", "call", "slot", "reader", "lamp", "device")
"""The kinds of parts that are counted; all other kinds count what has happened."""


@dataclass(frozen=True, slots=True)
class RoundRow:
    """One round; lists of counts and points have one entry for each seat of the table."""

    n: int
    session_log: int
    match: int  # its number in its session
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
    """The seats that played, if the round was scored."""
    leftovers: tuple[int, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    void_seats: tuple[int, ...]
    """The seats that called for voiding it."""
    game: str
    event: str
    day: str

    def holds(self, effect: int) -> bool:
        """Whether the effect with that number in its session belongs to it; it may still be running."""
        return self.first_effect <= effect and (self.last_effect is None or effect <= self.last_effect)


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One match."""

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
    """A dead heat of a round, and its winner."""

    session_log: int
    attempt: int
    seats: tuple[int, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """A player sat at that seat in a match; the match is known by its session and its number there."""

    session_log: int
    match: int
    seat: int
    player: int


@dataclass(frozen=True, slots=True)
class Audit:
    """How often a part was used, when it was last used, and how many matches were played since."""

    kind: str
    name: str
    count: int
    last: str
    games_since: int
