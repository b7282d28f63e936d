"""The moment that a stop call by a held button stands for.

Players keep the button down with which they sign for their last die, until the table calls stop. So if that
slap has got nothing, its press is the stop call of somebody who has none left. What it signed for is, in this
order:

* a die that lay there when the button went down, and which nobody else has got: the press signs at once;
* a die that came down just after it: the press was an early slap, and the die is what counts;
* a die that lay there and went to a rival: the press signs at once, too.

Only dice that were fresh then count: a player who holds the button long after the last die signs for none.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.arbiter.reclaims import Placement
from firmware_host.stamps import Stamp


def signature_of(
    seat: int, press: Stamp, placements: Iterable[Placement], *, fresh_ns: int, early_ns: int
) -> Stamp | None:
    """When that press of a seat signed for its last die; None if no die was there to be signed for."""
    dice = [die for die in placements if die.legal and (die.owner != seat or die.slap == press)]
    lay = [
        die
        for die in dice
        if not press.surely_before(die.stamp) and press.earliest_ns - die.stamp.latest_ns <= fresh_ns
    ]
    if any(die.owner is None or die.slap == press for die in lay):
        return press
    return first_placed_after(press, dice, early_ns) or (press if lay else None)


def first_placed_after(stamp: Stamp, placements: Iterable[Placement], within_ns: int) -> Stamp | None:
    """When the first legal die came down that surely did so after that stamp, but not much later."""
    return min(
        (
            die.stamp
            for die in placements
            if die.legal
            and stamp.surely_before(die.stamp)
            and die.stamp.latest_ns - stamp.latest_ns <= within_ns
        ),
        default=None,
    )
