"""Place and slap: which slap owns which die.

A sensor feels a die, not its owner. So one hand places the die and the other slaps the
button, and a slap claims the oldest unclaimed placement inside the claim window (a slap
may come a little early). Where several seats slap for one placement the earliest wins.
Everything here hangs on one care: nothing is decided before all that could change it
is known.

* A placement is awarded when its best slap is settled: then every rival slap that might
  have come before is on the table too. Rivals whose stamps overlap are a dead heat.
* A slap without a placement is judged only when every placement it could belong to
  has settled: to "too late" or to "illegal" if there is a reason, else to a false claim.
* A false claim locks its seat from the moment of the slap, so a slap that the seat made
  meanwhile is locked as well. Each lost placement excuses one slap per seat: hammering
  the button in the hope of a gift never pays.
* A dead heat in which there is enough for everybody is none: nobody loses anything
  by it, and it does not count in the tie-break.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.arbiter.ties import TieBreaker
from firmware_host.effects import TieBroken, Verdict
from firmware_host.places import Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, contenders, margin_ns


@dataclass(slots=True, eq=False)
class Placement:
    """Something put on a slot, and who owns it by now."""

    slot: Slot
    stamp: Stamp
    legal: bool
    doubtful: bool = False
    owner: int | None = None
    slap: Stamp | None = None
    excused: set[int] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class Slap:
    """A slap that waits for its verdict; `lost` is the dead heat it just lost.

    From `ripe_ns` on every slap that may have come before it is known, from `lost_ns` on
    every placement made before it, and from `expiry_ns` on every one it might belong to.
    """

    seat: int
    stamp: Stamp
    ripe_ns: int
    lost_ns: int
    expiry_ns: int
    lost: Placement | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """One slap is decided; `tie` tells of the dead heat behind it, on the winner's ruling."""

    verdict: Verdict
    slap: Slap
    placement: Placement | None = None
    margin_ns: int | None = None
    tie: TieBroken | None = None


class Claims:
    """The open placements and slaps of one round."""

    def __init__(self, settings: Settings, ties: TieBreaker) -> None:
        self._early_ns = settings.claim_early_ns
        self._late_ns = settings.claim_late_ns
        self._just_lost_ns = settings.just_lost_ns
        self._lock_ns = settings.lock_ns
        self._slap_settle_ns = settings.buttons.settle_ns
        self._known_ns = max(settings.buttons.settle_ns, settings.slots.settle_ns)
        self._ties = ties
        self._open: list[Placement] = []
        self._past: list[Placement] = []
        self._waiting: list[Slap] = []
        self._locked_until_ns: dict[int, int] = {}

    def place(self, placement: Placement) -> None:
        """Something lies on a slot: open to claims if legal, else remembered as illegal."""
        (self._open if placement.legal else self._past).append(placement)

    def withdraw(self, slot: Slot) -> None:
        """An unclaimed die was taken off again."""
        self._open = [placement for placement in self._open if placement.slot != slot]

    def slap(self, seat: int, stamp: Stamp) -> None:
        """A seat slaps. Slaps must come in the order of their stamps."""
        latest_ns = stamp.latest_ns
        known_ns = latest_ns + self._known_ns
        self._waiting.append(
            Slap(seat, stamp, latest_ns + self._slap_settle_ns, known_ns, known_ns + self._early_ns)
        )

    def close(self, end: Stamp) -> list[Slap]:
        """The round ended at that stamp: take back and return all slaps surely after it."""
        after = [slap for slap in self._waiting if end.surely_before(slap.stamp)]
        self._waiting = [slap for slap in self._waiting if slap not in after]
        return after

    def locked_until_ns(self, seat: int) -> int:
        """Until when this seat is locked; 0 if it never was."""
        return self._locked_until_ns.get(seat, 0)

    def lapse(self, now_ns: int) -> list[Placement]:
        """The placements that no slap can claim any more."""
        horizon_ns = now_ns - self._late_ns - self._known_ns
        lapsed = [p for p in self._open if p.stamp.latest_ns < horizon_ns]
        if lapsed:
            self._open = [p for p in self._open if p not in lapsed]
        return lapsed

    def next_ruling(self, now_ns: int, owed: Mapping[int, int]) -> Ruling | None:
        """The next decision that is ripe by now, or None. `owed` is the dice left per seat."""
        if not self._waiting:
            return None
        return self._lock() or self._award(now_ns, owed) or self._dismiss(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        """The next such moment after now; what was ripe by now is decided already."""
        due_ns: int | None = None
        for placement in self._open:
            t_ns = placement.stamp.latest_ns + self._late_ns + self._known_ns + 1
            if t_ns > now_ns and (due_ns is None or t_ns < due_ns):
                due_ns = t_ns
        for slap in self._waiting:
            for t_ns in (slap.ripe_ns, slap.lost_ns, slap.expiry_ns):
                if t_ns > now_ns:
                    if due_ns is None or t_ns < due_ns:
                        due_ns = t_ns
                    break
        return due_ns

    def _lock(self) -> Ruling | None:
        for slap in self._waiting:
            if slap.stamp.earliest_ns < self._locked_until_ns.get(slap.seat, 0):
                self._waiting.remove(slap)
                return Ruling(Verdict.LOCKED, slap)
        return None

    def _award(self, now_ns: int, owed: Mapping[int, int]) -> Ruling | None:
        """Give the oldest placement that has a ripe best slap to that slap."""
        for placement in self._open:
            rivals = self._rivals(placement, owed)
            best = contenders(rivals, _stamp)
            if not best or min(slap.ripe_ns for slap in best) > now_ns:
                continue
            return self._award_to(placement, best, owed)
        return None

    def _award_to(self, placement: Placement, best: list[Slap], owed: Mapping[int, int]) -> Ruling:
        tie = None
        winner = best[0]
        if len(best) > 1 and self._somebody_loses(best, owed):
            tie = self._ties.settle(placement.slot, [slap.seat for slap in best])
            winner = next(slap for slap in best if slap.seat == tie.winner)
            for slap in best:
                if slap is not winner:
                    slap.lost = placement
        placement.owner, placement.slap = winner.seat, winner.stamp
        self._open.remove(placement)
        self._past.append(placement)
        self._waiting.remove(winner)
        return Ruling(Verdict.DEAD_HEAT_WON if tie else Verdict.ACCEPTED, winner, placement, tie=tie)

    def _somebody_loses(self, best: list[Slap], owed: Mapping[int, int]) -> bool:
        """Whether it matters who of them gets this one: not enough for all, or it ends the round."""
        if any(owed[slap.seat] == 1 for slap in best):
            return True
        shared = sum(all(self._in_window(slap, p) for slap in best) for p in self._open)
        return shared < len(best)

    def _rivals(self, placement: Placement, owed: Mapping[int, int]) -> list[Slap]:
        """The first slap of each seat that may claim this placement."""
        rivals: dict[int, Slap] = {}
        for slap in self._waiting:
            if slap.seat not in rivals and owed[slap.seat] and self._in_window(slap, placement):
                rivals[slap.seat] = slap
        return list(rivals.values())

    def _in_window(self, slap: Slap, placement: Placement) -> bool:
        placed, slapped = placement.stamp, slap.stamp
        return (
            slapped.latest_ns >= placed.earliest_ns - self._early_ns
            and slapped.earliest_ns <= placed.latest_ns + self._late_ns
        )

    def _dismiss(self, now_ns: int) -> Ruling | None:
        """Turn away a slap that gets nothing: whatever it could have been awarded is awarded."""
        for slap in self._waiting:
            if slap.lost_ns > now_ns:
                continue
            lost = slap.lost or self._just_lost(slap)
            if lost is None and slap.expiry_ns > now_ns:
                continue
            self._waiting.remove(slap)
            return self._lost_ruling(slap, lost) if lost else self._unfounded(slap)
        return None

    def _just_lost(self, slap: Slap) -> Placement | None:
        """The latest placement that this seat missed by a moment, if it has not been told yet."""
        for placement in reversed(self._past):
            if placement.slap is None or placement.owner == slap.seat or slap.seat in placement.excused:
                continue
            behind_ns = margin_ns(placement.slap, slap.stamp)
            if 0 <= behind_ns <= self._just_lost_ns and self._in_window(slap, placement):
                return placement
        return None

    def _lost_ruling(self, slap: Slap, placement: Placement) -> Ruling:
        assert placement.slap is not None
        placement.excused.add(slap.seat)
        verdict = Verdict.DEAD_HEAT_LOST if slap.lost else Verdict.TOO_LATE
        return Ruling(verdict, slap, placement, margin_ns(placement.slap, slap.stamp))

    def _unfounded(self, slap: Slap) -> Ruling:
        for placement in self._past:
            if placement.legal or slap.seat in placement.excused:
                continue
            if self._in_window(slap, placement):
                placement.excused.add(slap.seat)
                return Ruling(Verdict.ILLEGAL, slap, placement)
        self._locked_until_ns[slap.seat] = slap.stamp.latest_ns + self._lock_ns
        return Ruling(Verdict.FALSE_CLAIM, slap)


def _stamp(slap: Slap) -> Stamp:
    return slap.stamp
