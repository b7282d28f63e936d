"""Results: rounds, matches and audits as the store has them, and the standings that follow from them.

There are standings of seats and of players for each day, for each event, and for all time. A player has what
the seats have come to at which the player sat. Guests are no players. Only matches that were played to the
end count, and only their scored rounds. Points of the two games can't be compared, so each game has its own
standings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.model.states import VoidReason

DAY, EVENT, ALL = "day", "event", "all"
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
    session: int
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
    session: int
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

    session: int
    attempt: int
    seats: tuple[int, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Sitting:
    """A player sat at that seat in a match; the match is known by its session and its number there."""

    session: int
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


@dataclass(slots=True)
class Standing:
    """The standing of a seat or of a player in one game: of a day, of an event or of all time."""

    scope: str
    name: str
    """The day or the event."""
    game: str
    who: int
    """The number of the seat or of the player."""
    matches: int = 0
    wins: int = 0
    rounds: int = 0
    rounds_ended: int = 0
    points: int = 0
    best_round: int | None = None
    dead_heats: int = 0
    dead_heats_won: int = 0

    @property
    def dead_heat_share(self) -> float | None:
        """The share of its dead heats that it has won; None if it had none."""
        return round(self.dead_heats_won / self.dead_heats, 3) if self.dead_heats else None

    def count(self, played: PlayedMatch, seat: int) -> None:
        """Count a match that was played at that seat."""
        self.matches += 1
        self.wins += seat in played.match.winners
        self.points += played.match.totals[seat - 1]
        for each in played.rounds:
            if seat > len(each.scores):
                continue  # in a damaged file the seats of a round may differ from those of its match
            score = each.scores[seat - 1]
            self.rounds += 1
            self.rounds_ended += each.finisher == seat
            if self.best_round is None or score > self.best_round:
                self.best_round = score
        self.dead_heats += sum(seat in heat.seats for heat in played.dead_heats)
        self.dead_heats_won += sum(heat.winner == seat for heat in played.dead_heats)


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that was played to the end, with its scored rounds and their dead heats."""

    match: MatchRow
    rounds: Sequence[RoundRow]
    dead_heats: Sequence[DeadHeat]

    def standings(self, scopes: Sequence[str]) -> Iterator[tuple[str, str, str]]:
        """What it counts for: the scope, the name there, and the game."""
        names = {DAY: self.match.day, EVENT: self.match.event, ALL: ""}
        for scope in scopes:
            if scope != EVENT or self.match.event:
                yield scope, names[scope], self.match.game


def played_matches(
    matches: Iterable[MatchRow], rounds: Iterable[RoundRow], dead_heats: Iterable[DeadHeat]
) -> list[PlayedMatch]:
    """The matches that count."""
    scored: dict[tuple[int, int], list[RoundRow]] = defaultdict(list)
    for each in rounds:
        if each.state == "scored":
            scored[each.session, each.match].append(each)
    tied: dict[tuple[int, int], list[DeadHeat]] = defaultdict(list)
    for heat in dead_heats:
        tied[heat.session, heat.attempt].append(heat)
    found = []
    for match in matches:
        if match.state == "finished":
            played = scored[match.session, match.number]
            heats = [heat for each in played for heat in tied[each.session, each.attempt]]
            found.append(PlayedMatch(match, played, heats))
    return found


def standings(played: Iterable[PlayedMatch], scopes: Sequence[str] = (DAY, EVENT, ALL)) -> list[Standing]:
    """The standings of the seats, best first in each of days, events and all time."""
    return _standings(played, scopes, lambda match: ((seat, seat) for seat in match.seats), lambda seat: seat)


def player_standings(
    played: Iterable[PlayedMatch],
    sittings: Iterable[Sitting],
    players: Mapping[int, str],
    scopes: Sequence[str] = (DAY, EVENT, ALL),
) -> list[Standing]:
    """The standings of the players, best first; somebody who has played at two seats has both."""
    sat: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for each in sittings:
        if each.player in players:
            sat[each.session, each.match].append((each.player, each.seat))

    def players_of(match: MatchRow) -> Iterator[tuple[int, int]]:
        return (each for each in sat[match.session, match.number] if each[1] in match.seats)

    return _standings(played, scopes, players_of, lambda player: players[player])


def _standings(
    played: Iterable[PlayedMatch],
    scopes: Sequence[str],
    whose: Callable[[MatchRow], Iterable[tuple[int, int]]],
    among_equals: Callable[[int], int | str],
) -> list[Standing]:
    """The standings of those whose the seats of a match are, as pairs of a number and a seat."""
    found: dict[tuple[str, str, str, int], Standing] = {}
    for each in played:
        for who, seat in whose(each.match):
            for scope in each.standings(scopes):
                found.setdefault((*scope, who), Standing(*scope, who)).count(each, seat)

    def order(each: Standing) -> tuple[object, ...]:
        scope = scopes.index(each.scope)
        return scope, each.name, each.game, -each.wins, -each.points, among_equals(each.who)

    return sorted(found.values(), key=order)
