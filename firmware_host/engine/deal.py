"""How many dice each seat starts a round with."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.errors import IllegalMove

DICE = 24
FEWEST_SEATS = 2
MOST_SEATS = 4
ROUNDS_PER_SEAT = 3


def standard_deal(present: Sequence[bool]) -> tuple[int, ...]:
    """All 24 dice in equal parts over the seats that are present."""
    playing = sum(present)
    if not FEWEST_SEATS <= playing <= MOST_SEATS:
        raise IllegalMove(f"dice need {FEWEST_SEATS} to {MOST_SEATS} players, not {playing}")
    share = DICE // playing
    return tuple(share if here else 0 for here in present)


def deal_faults(deal: Sequence[int]) -> list[str]:
    """Everything wrong with a custom deal, one line each; 0 marks an empty seat."""
    faults = []
    playing = sum(1 for dice in deal if dice)
    if any(dice < 0 for dice in deal):
        faults.append(f"deal {_text(deal)}: a seat has a negative number of dice")
    if not FEWEST_SEATS <= playing <= MOST_SEATS:
        faults.append(f"deal {_text(deal)}: {playing} playing, allowed are {FEWEST_SEATS} to {MOST_SEATS}")
    if sum(deal) > DICE:
        faults.append(f"deal {_text(deal)}: {sum(deal)} dice in all, there are only {DICE}")
    return faults


def checked_deal(deal: Sequence[int]) -> tuple[int, ...]:
    """The deal as a tuple, or IllegalMove with every fault in it."""
    faults = deal_faults(deal)
    if faults:
        raise IllegalMove("; ".join(faults))
    return tuple(deal)


def _text(deal: Sequence[int]) -> str:
    return ",".join(str(dice) for dice in deal)
