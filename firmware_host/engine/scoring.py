"""The points of a round, and the winners of a match."""

from __future__ import annotations

from collections.abc import Sequence


def dice_scores(leftovers: Sequence[int], finisher: int) -> tuple[int, ...]:
    """A point for the finisher for each die that the others have left, and they lose as many."""
    others = sum(leftovers) - leftovers[finisher - 1]
    return tuple(others if seat == finisher else -held for seat, held in enumerate(leftovers, start=1))


POINTS_LOST_A_CARD = 2


def card_scores(in_centre: Sequence[int], leftovers: Sequence[int]) -> tuple[int, ...]:
    """A point for each of a seat's cards in the centre, less two for each left in its Ligretto pile."""
    return tuple(
        played - POINTS_LOST_A_CARD * left for played, left in zip(in_centre, leftovers, strict=True)
    )


def ranking(totals: Sequence[int], playing: Sequence[bool]) -> list[tuple[int, int, int]]:
    """(rank, seat, total) of every playing seat, best first; equal totals share a rank."""
    rows = sorted(
        ((total, seat) for seat, total in enumerate(totals, start=1) if playing[seat - 1]),
        key=lambda row: (-row[0], row[1]),
    )
    ranked: list[tuple[int, int, int]] = []
    for place, (total, seat) in enumerate(rows, start=1):
        rank = ranked[-1][0] if ranked and ranked[-1][2] == total else place
        ranked.append((rank, seat, total))
    return ranked


def winners(totals: Sequence[int], playing: Sequence[bool]) -> tuple[int, ...]:
    """The seats with the best total."""
    return tuple(seat for rank, seat, _ in ranking(totals, playing) if rank == 1)
