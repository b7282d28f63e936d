"""Dead heats are settled fairly: the seat that has won the fewest ties wins, then a draw decides.

Pins, arrival and seat numbers never decide. The random source is passed in and
seeded, so that the replay of a journal gives the same verdicts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from firmware_host.model.effects import TieBroken
from firmware_host.model.places import Card, Slot


class RandomSource(Protocol):
    """What a tie-break draws with, such as a seeded `random.Random`."""

    def randrange(self, stop: int, /) -> int: ...


class TieBreaker:
    """Settles dead heats, and counts the ties that each seat has won in this match."""

    def __init__(self, draws: RandomSource) -> None:
        self._draws = draws
        self._won: dict[int, int] = {}

    def settle(self, what: Slot | Card | None, seats: Sequence[int]) -> TieBroken:
        """Choose one of the contending seats and count it as its win."""
        contending = tuple(sorted(seats))
        won = tuple(self._won.get(seat, 0) for seat in contending)
        unlucky = [s for s, w in zip(contending, won, strict=True) if w == min(won)]
        drawn = len(unlucky) > 1
        winner = unlucky[self._draws.randrange(len(unlucky))] if drawn else unlucky[0]
        self._won[winner] = self._won.get(winner, 0) + 1
        return TieBroken(what, contending, won, drawn, winner)
