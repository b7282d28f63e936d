"""Standings of seats and of players for each day, for each event, and for all time.

A player has what the seats have come to at which the player sat. Guests are no players. Only matches that
were played to the end count, and only their scored rounds. Points of the two games can't be compared, so each
game has its own standings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from firmware_host.store.rows import DeadHeat, MatchRow, RoundRow, Sitting

DAY, EVENT, ALL = "day", "event", "all"


@dataclass(slots=True, kw_only=True)
class Tally:
    """What somebody has come to."""

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


@dataclass(slots=True)
class Standing(Tally):
    """A seat's standing in one game, for a day, for an event (by its name) or for all time."""

    scope: str
    name: str
    game: str
    seat: int


@dataclass(slots=True)
class PlayerStanding(Tally):
    """The same for a player, by the player's number."""

    scope: str
    name: str
    game: str
    player: int


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
            scored[each.session_log, each.match].append(each)
    tied: dict[tuple[int, int], list[DeadHeat]] = defaultdict(list)
    for heat in dead_heats:
        tied[heat.session_log, heat.attempt].append(heat)
    found = []
    for match in matches:
        if match.state == "finished":
            played = scored[match.session_log, match.number]
            heats = [heat for each in played for heat in tied[each.session_log, each.attempt]]
            found.append(PlayedMatch(match, played, heats))
    return found


def standings(
    matches: Iterable[MatchRow],
    rounds: Iterable[RoundRow],
    dead_heats: Iterable[DeadHeat],
    scopes: Sequence[str] = (DAY, EVENT, ALL),
) -> list[Standing]:
    """The standings of the seats, best first in each of days, events and all time."""
    found: dict[tuple[str, str, str, int], Standing] = {}
    for each in played_matches(matches, rounds, dead_heats):
        for scope in each.standings(scopes):
            for seat in each.match.seats:
                key = (*scope, seat)
                found.setdefault(key, Standing(*key)).count(each, seat)
    return sorted(found.values(), key=lambda each: (*_order(each, scopes), each.seat))


def player_standings(
    matches: Iterable[MatchRow],
    rounds: Iterable[RoundRow],
    dead_heats: Iterable[DeadHeat],
    sittings: Iterable[Sitting],
    players: Mapping[int, str],
    scopes: Sequence[str] = (DAY, EVENT, ALL),
) -> list[PlayerStanding]:
    """The standings of the players, best first; somebody who has played at two seats has both."""
    sat: dict[tuple[int, int], list[Sitting]] = defaultdict(list)
    for sitting in sittings:
        sat[sitting.session_log, sitting.match].append(sitting)
    found: dict[tuple[str, str, str, int], PlayerStanding] = {}
    for each in played_matches(matches, rounds, dead_heats):
        match = each.match
        for sitting in sat[match.session_log, match.number]:
            if sitting.seat not in match.seats or sitting.player not in players:
                continue
            for scope in each.standings(scopes):
                key = (*scope, sitting.player)
                found.setdefault(key, PlayerStanding(*key)).count(each, sitting.seat)
    return sorted(found.values(), key=lambda each: (*_order(each, scopes), players[each.player]))


def _order(standing: Standing | PlayerStanding, scopes: Sequence[str]) -> tuple[int, str, str, int, int]:
    scope = scopes.index(standing.scope)
    return scope, standing.name, standing.game, -standing.wins, -standing.points
