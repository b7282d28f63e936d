"""A match: rounds of one game between the same seats."""

from __future__ import annotations

from dataclasses import dataclass, replace

from firmware_host.engine.games import Game
from firmware_host.engine.scoring import ranking, winners
from firmware_host.errors import IllegalMove


@dataclass(frozen=True, slots=True)
class Match:
    """The deal of every round, the number of rounds, and the scores so far."""

    deal: tuple[int, ...]
    rounds: int
    scores: tuple[tuple[int, ...], ...] = ()

    @property
    def playing(self) -> tuple[bool, ...]:
        return tuple(count > 0 for count in self.deal)

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of the seats that play."""
        return tuple(seat for seat, count in enumerate(self.deal, start=1) if count)

    @property
    def round_number(self) -> int:
        """The number of the present round, or of the last one."""
        return min(len(self.scores) + 1, self.rounds)

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(sum(scores[i] for scores in self.scores) for i in range(len(self.deal)))

    @property
    def over(self) -> bool:
        return len(self.scores) >= self.rounds

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the best total; none before the match is over."""
        return winners(self.totals, self.playing) if self.over else ()

    @property
    def ranking(self) -> list[tuple[int, int, int]]:
        """(rank, seat, total), best first."""
        return ranking(self.totals, self.playing)

    def scored(self, points: tuple[int, ...]) -> Match:
        """The match with one more round settled."""
        if self.over:
            raise IllegalMove(f"score a round: all {self.rounds} rounds are played")
        return replace(self, scores=(*self.scores, points))


def new_match(game: Game, deal: tuple[int, ...], rounds: int | None = None) -> Match:
    """A match of as many rounds as were agreed, or as are usual for the game."""
    dealt = game.checked_deal(deal)
    if rounds is not None and rounds < 1:
        raise IllegalMove(f"start a match of {rounds} rounds: it needs at least one")
    playing = sum(1 for count in dealt if count)
    return Match(dealt, game.usual_rounds(playing) if rounds is None else rounds)
