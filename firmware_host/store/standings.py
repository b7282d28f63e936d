"""Standings of the seats for each day, for each event, and for all time.

Only matches that were played to the end count, and only their scored rounds. Points of the two games can't
be compared, so each game has its own standings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firmware_host.store.rows import DeadHeat, MatchRow, RoundRow

DAY, EVENT, ALL = "day", "event", "all"


@dataclass(slots=True)
class Standing:
    """A seat's standing in one game, for a day, for an event (by its name) or for all time."""

    scope: str
    name: str
    game: str
    seat: int
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


def standings(
    matches: Iterable[MatchRow],
    rounds: Iterable[RoundRow],
    dead_heats: Iterable[DeadHeat],
    scopes: Sequence[str] = (DAY, EVENT, ALL),
) -> list[Standing]:
    """The standings, best first in each of days, events and all time."""
    scored: dict[tuple[int, int], list[RoundRow]] = defaultdict(list)
    for each in rounds:
        if each.state == "scored":
            scored[each.session_log, each.match].append(each)
    tied: dict[tuple[int, int], list[DeadHeat]] = defaultdict(list)
    for heat in dead_heats:
        tied[heat.session_log, heat.attempt].append(heat)
    found: dict[tuple[str, str, str, int], Standing] = {}
    for match in matches:
        if match.state != "finished":
            continue
        played = scored[match.session_log, match.number]
        heats = [heat for each in played for heat in tied[each.session_log, each.attempt]]
        names = {DAY: match.day, EVENT: match.event, ALL: ""}
        for scope in scopes:
            if scope == EVENT and not match.event:
                continue
            for seat in match.seats:
                key = (scope, names[scope], match.game, seat)
                _count(found.setdefault(key, Standing(*key)), match, played, heats)
    return sorted(found.values(), key=lambda each: _order(each, scopes))


def _count(standing: Standing, match: MatchRow, played: Sequence[RoundRow], heats: list[DeadHeat]) -> None:
    seat = standing.seat
    standing.matches += 1
    standing.wins += seat in match.winners
    standing.points += match.totals[seat - 1]
    for each in played:
        if seat > len(each.scores):
            continue  # in a damaged file the seats of a round may differ from those of its match
        score = each.scores[seat - 1]
        standing.rounds += 1
        standing.rounds_ended += each.finisher == seat
        if standing.best_round is None or score > standing.best_round:
            standing.best_round = score
    standing.dead_heats += sum(seat in heat.seats for heat in heats)
    standing.dead_heats_won += sum(heat.winner == seat for heat in heats)


def _order(standing: Standing, scopes: Sequence[str]) -> tuple[int, str, str, int, int, int]:
    scope = scopes.index(standing.scope)
    return scope, standing.name, standing.game, -standing.wins, -standing.points, standing.seat
