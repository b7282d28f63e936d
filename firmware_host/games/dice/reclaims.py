"""Dice that went to the wrong seat, and how their owners get them back.

Two seats may sign for one die, and the first press has it. If that was a stray slap, the player whose die it
is knows it. That player lifts the die, sets it down again and slaps: then it counts for that seat, and the
other one has one more again.

* Only a slap made after the die was set down again reclaims it.
* Only a seat that has a reason can do so: a slap that got nothing, or a die that was reclaimed from it, not
  long ago. Each reason is good for one die. So slapping alone reclaims nothing, however often.
* The die is signed for by that slap which got nothing, not by the one that reclaims it: this is when its
  owner had slapped.
* An owner who slaps for a die that is counted already has done nothing.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware_host.model.places import Slot
from firmware_host.model.times import Stamp


@dataclass(slots=True, eq=False)
class Placement:
    """Something that was put on a slot, and its owner once it has one.

    `counted` is the die that this one is if it was counted already, and was lifted and set down again.
    `since` is when it came to its place: before `stamp` if it had lapsed below others and was set down again.
    """

    slot: Slot
    stamp: Stamp
    legal: bool
    doubtful: bool = False
    owner: int | None = None
    slap: Stamp | None = None
    excused: set[int] = field(default_factory=set)
    counted: Placement | None = None
    since: Stamp = field(init=False)

    def __post_init__(self) -> None:
        self.since = self.stamp


class Reclaimed(NamedTuple):
    """A die has changed its owner."""

    loser: int
    taken: Stamp
    """The slap by which the loser had got it."""
    slap: Stamp
    """The slap of its owner that had got nothing."""
    signed: Stamp
    """When it was signed for: by that slap, but not before it lay there."""


class Reason(NamedTuple):
    """Why a seat may reclaim a die: a slap of it that has got nothing, known since that stamp."""

    slap: Stamp
    since: Stamp


class Reclaims:
    """The dice that were set down again, and the seats that may reclaim one."""

    def __init__(self, reclaim_ns: int, soon_ns: int) -> None:
        """A reason is good for `reclaim_ns`; who slaps so soon after a die was set down means that die."""
        self._reclaim_ns = reclaim_ns
        self._soon_ns = soon_ns
        self._reasons: dict[int, list[Reason]] = {}
        self.set_down: list[Placement] = []
        """Counted dice that were lifted and lie on their places again, in the order of their stamps."""

    def put(self, counted: Placement, stamp: Stamp) -> None:
        """A counted die lies there again."""
        insort(self.set_down, Placement(counted.slot, stamp, legal=True, counted=counted), key=_placed)

    def forget(self, slot: Slot) -> None:
        """The die of a slot can't be reclaimed: it is off its place, or counts for nobody."""
        self.set_down = [each for each in self.set_down if each.slot != slot]

    def forget_all(self) -> None:
        """All dice belong to whom they are counted for."""
        self.set_down.clear()
        self._reasons.clear()

    def note(self, seat: int, slap: Stamp, since: Stamp | None = None) -> None:
        """A slap of that seat has got nothing, as is known since then; else since it was made."""
        self._reasons.setdefault(seat, []).append(Reason(slap, slap if since is None else since))

    def may_reclaim(self, seat: int, placement: Placement) -> bool:
        """Whether that die may belong to that seat."""
        assert placement.counted is not None
        return placement.counted.owner != seat and self._reason(seat, placement) is not None

    def hand_over(self, placement: Placement, seat: int, slap: Stamp) -> Reclaimed:
        """The die belongs to that seat, which has reclaimed it with that slap."""
        counted, reason = placement.counted, self._reason(seat, placement)
        assert counted is not None and counted.owner is not None and counted.slap is not None
        assert reason is not None
        self._reasons[seat].remove(reason)
        self.set_down.remove(placement)
        self.note(counted.owner, counted.slap, slap)
        signed = max(reason.slap, counted.since, key=lambda stamp: stamp.latest_ns)
        reclaimed = Reclaimed(counted.owner, counted.slap, reason.slap, signed)
        placement.owner = counted.owner = seat
        placement.slap, counted.slap = slap, reason.slap
        return reclaimed

    def confirm(self, seat: int, stamp: Stamp) -> Placement | None:
        """The die of that seat which was set down before that slap; it needed none, and needs no other."""
        for placement in self.set_down:
            assert placement.counted is not None
            soon = stamp.earliest_ns - placement.stamp.latest_ns <= self._soon_ns
            if placement.counted.owner == seat and soon and not stamp.surely_before(placement.stamp):
                self.set_down.remove(placement)
                return placement
        return None

    def _reason(self, seat: int, placement: Placement) -> Reason | None:
        for reason in self._reasons.get(seat, ()):
            if placement.stamp.earliest_ns - reason.since.latest_ns <= self._reclaim_ns:
                return reason
        return None


def _placed(placement: Placement) -> Stamp:
    return placement.stamp
