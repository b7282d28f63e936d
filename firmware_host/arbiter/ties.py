"""Dead heats are settled fairly: fewest won ties first, then a draw by lot.

Never by pin, never by arrival, never by seat number. The generator is handed in and
seeded, so that a journal can be replayed to the same verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from firmware_host.effects import TieBroken
from firmware_host.places import Card, Slot


class RandomSource(Protocol):
    """Something to draw from, such as a seeded `random.Random`."""

    def randrange(self, stop: int, /) -> int: ...


class TieBreaker:
    """Remembers how many ties each seat has won in this match."""

    def __init__(self, draws: RandomSource) -> None:
        self._draws = draws
        self._won: dict[int, int] = {}

    def settle(self, what: Slot | Card | None, seats: Sequence[int]) -> TieBroken:
        """Choose one of the contending seats and remember it."""
        contending = tuple(sorted(seats))
        won = tuple(self._won.get(seat, 0) for seat in contending)
        luckless = [s for s, w in zip(contending, won, strict=True) if w == min(won)]
        drawn = len(luckless) > 1
        winner = luckless[self._draws.randrange(len(luckless))] if drawn else luckless[0]
        self._won[winner] = self._won.get(winner, 0) + 1
        return TieBroken(what, contending, won, drawn, winner)
