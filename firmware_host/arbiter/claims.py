"""Place and slap: which slap owns which die.

A sensor detects a die, not its owner. So one hand places the die and the other slaps the
button, and a slap claims the oldest unclaimed placement inside the claim window (a slap
may come a little early). Where several seats slap for one placement the earliest wins.

* A slap is due when all that may have come before it is known: rival slaps, and dice put
  down or lifted. It is awarded a placement then, and not earlier. Rivals whose stamps overlap
  are a dead heat.
* A slap that is due and gets nothing is judged at once if there is a reason: a rival was just
  before it, or what lies there is illegal. Each placement excuses one slap per seat, so
  hammering the button in the hope of a lucky hit never pays.
* Without a reason it waits as long as an early slap may, and is then a false claim. That
  locks its seat from the moment of the slap, so a slap that the seat made meanwhile is
  locked as well. Each slap while locked restarts the lock, and each further false claim
  of a round doubles it, up to eight times.
* If there is enough for all contenders there is no dead heat, since nobody loses anything,
  unless it decides who of several ends the round.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass, field

from firmware_host.arbiter.locks import Locks
from firmware_host.arbiter.ties import TieBreaker
from firmware_host.effects import TieBroken, Verdict
from firmware_host.places import Slot
from firmware_host.settings import Settings
from firmware_host.stamps import Stamp, contenders, margin_ns

MOST_DOUBLINGS = 3


@dataclass(slots=True, eq=False)
class Placement:
    """Something that was put on a slot, and its owner once it has one."""

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

    All that may have come before it is known from `due_ns` on. Each placement that an early slap
    may belong to is known from `expiry_ns` on.
    """

    seat: int
    stamp: Stamp
    due_ns: int
    expiry_ns: int
    lost: Placement | None = None


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """The decision on one slap. The winner of a dead heat has it in `tie`."""

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
        self._settle_ns = settings.settle_ns
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._ties = ties
        self._open: list[Placement] = []
        self._past: list[Placement] = []
        self._pending: list[Slap] = []
        self._locks = Locks(settings.lock_ns, MOST_DOUBLINGS)

    def place(self, placement: Placement) -> None:
        """Something lies on a slot: it can be claimed if it is legal, else it is remembered as illegal."""
        if placement.legal:
            insort(self._open, placement, key=_placed)
        else:
            self._past.append(placement)

    def withdraw(self, slot: Slot) -> None:
        """A die was taken off again. Nobody can claim it, and an illegal one excuses nobody any more."""
        self._open = [placement for placement in self._open if placement.slot != slot]
        self._past = [p for p in self._past if p.legal or p.slot != slot]

    def slap(self, seat: int, stamp: Stamp) -> None:
        """A seat slaps. Slaps must come in the order of their stamps."""
        due_ns = stamp.latest_ns + self._settle_ns
        self._pending.append(Slap(seat, stamp, due_ns, due_ns + self._early_ns + self._doubt_ns))

    def close(self, end: Stamp) -> list[Slap]:
        """End the round at that stamp: remove and return all slaps that are surely after it."""
        after = [slap for slap in self._pending if end.surely_before(slap.stamp)]
        self._pending = [slap for slap in self._pending if slap not in after]
        return after

    def locked_until_ns(self, seat: int) -> int:
        """When the last lock of this seat ends; 0 if it never had one."""
        return self._locks.until_ns(seat)

    def lapse(self, now_ns: int) -> list[Placement]:
        """The placements that no slap can claim any more."""
        horizon_ns = now_ns - self._lapse_ns
        lapsed = [placement for placement in self._open if placement.stamp.latest_ns < horizon_ns]
        if lapsed:
            self._open = [placement for placement in self._open if placement not in lapsed]
        return lapsed

    def next_ruling(self, now_ns: int, owed: Mapping[int, int], ended: bool = False) -> ClaimRuling | None:
        """The next decision that is due by now, or None.

        `owed` is the dice left per seat, and `ended` whether somebody has ended the round by now.
        """
        if not self._pending:
            return None
        return self._lock() or self._award(now_ns, owed, ended) or self._dismiss(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        """The next moment at which a decision may be due; those due by now have been taken."""
        due_ns: int | None = None
        if self._open:
            due_ns = self._open[0].stamp.latest_ns + self._lapse_ns + 1
        for slap in self._pending:
            t_ns = slap.due_ns if slap.due_ns > now_ns else slap.expiry_ns
            if due_ns is None or t_ns < due_ns:
                due_ns = t_ns
        return due_ns

    @property
    def _lapse_ns(self) -> int:
        return self._late_ns + self._settle_ns + self._doubt_ns

    def contest_ns(self, slap: Slap, placement: Placement | None) -> tuple[int, int]:
        """The time in which something may have happened that this slap's verdict depends on.

        A lost edge would have had a stamp with its own uncertainty, and so has the report of the loss.
        """
        if placement is not None:
            first_ns, last_ns = placement.stamp.earliest_ns - self._early_ns, slap.stamp.latest_ns
        else:
            first_ns = slap.stamp.earliest_ns - self._late_ns
            last_ns = slap.stamp.latest_ns + self._early_ns
        return first_ns - self._doubt_ns, last_ns + self._doubt_ns

    def _lock(self) -> ClaimRuling | None:
        for slap in self._pending:
            if self._locks.holds(slap.seat, slap.stamp):
                self._pending.remove(slap)
                self._locks.restart(slap.seat, slap.stamp)
                return ClaimRuling(Verdict.LOCKED, slap)
        return None

    def _award(self, now_ns: int, owed: Mapping[int, int], ended: bool) -> ClaimRuling | None:
        """Award the oldest placement whose best slap is due."""
        for placement in self._open:
            best = contenders(self._rivals(placement, owed), _stamp)
            if best and min(slap.due_ns for slap in best) <= now_ns:
                return self._award_to(placement, best, self._with_something_to_lose(best, owed, ended))
        return None

    def _award_to(self, placement: Placement, best: list[Slap], contending: list[Slap]) -> ClaimRuling:
        tie = None
        winner = best[0]
        if len(contending) > 1:
            tie = self._ties.settle(placement.slot, [slap.seat for slap in contending])
            winner = next(slap for slap in contending if slap.seat == tie.winner)
            for slap in contending:
                if slap is not winner:
                    slap.lost = placement
        placement.owner, placement.slap = winner.seat, winner.stamp
        self._open.remove(placement)
        self._past.append(placement)
        self._pending.remove(winner)
        return ClaimRuling(Verdict.DEAD_HEAT_WON if tie else Verdict.ACCEPTED, winner, placement, tie=tie)

    def _with_something_to_lose(self, best: list[Slap], owed: Mapping[int, int], ended: bool) -> list[Slap]:
        """Those of the contenders who lose something if another is first."""
        shared = sum(all(self._in_window(slap, placement) for slap in best) for placement in self._open)
        if shared < len(best):
            return best
        return [] if ended else [slap for slap in best if owed[slap.seat] == 1]

    def _rivals(self, placement: Placement, owed: Mapping[int, int]) -> list[Slap]:
        """The slaps that may claim this placement; a seat's second slap waits until its first is decided."""
        rivals: dict[int, Slap] = {}
        for slap in self._pending:
            rivals.setdefault(slap.seat, slap)
        return [slap for slap in rivals.values() if owed[slap.seat] and self._in_window(slap, placement)]

    def _in_window(self, slap: Slap, placement: Placement) -> bool:
        placed, slapped = placement.stamp, slap.stamp
        return (
            slapped.latest_ns >= placed.earliest_ns - self._early_ns
            and slapped.earliest_ns <= placed.latest_ns + self._late_ns
        )

    def _dismiss(self, now_ns: int) -> ClaimRuling | None:
        """Reject a slap that is due and gets nothing: all that it could have had is awarded."""
        seen: set[int] = set()
        for slap in self._pending:
            if slap.due_ns > now_ns or slap.seat in seen:
                continue
            seen.add(slap.seat)
            lost = slap.lost or self._just_lost(slap)
            illegal = None if lost else self._illegal(slap)
            if lost or illegal or slap.expiry_ns <= now_ns:
                self._pending.remove(slap)
                return self._rejection(slap, lost, illegal)
        return None

    def _rejection(self, slap: Slap, lost: Placement | None, illegal: Placement | None) -> ClaimRuling:
        if lost is not None:
            assert lost.slap is not None
            lost.excused.add(slap.seat)
            verdict = Verdict.DEAD_HEAT_LOST if slap.lost else Verdict.TOO_LATE
            return ClaimRuling(verdict, slap, lost, abs(margin_ns(lost.slap, slap.stamp)))
        if illegal is not None:
            illegal.excused.add(slap.seat)
            return ClaimRuling(Verdict.ILLEGAL, slap, illegal)
        self._locks.begin(slap.seat, slap.stamp)
        return ClaimRuling(Verdict.FALSE_CLAIM, slap)

    def _just_lost(self, slap: Slap) -> Placement | None:
        """The latest placement that this seat just missed, if it has had no verdict for that yet."""
        for placement in reversed(self._past):
            if placement.slap is None or placement.owner == slap.seat or slap.seat in placement.excused:
                continue
            if slap.stamp.surely_before(placement.slap) or not self._in_window(slap, placement):
                continue
            if margin_ns(placement.slap, slap.stamp) <= self._just_lost_ns:
                return placement
        return None

    def _illegal(self, slap: Slap) -> Placement | None:
        """An illegal placement that this seat may mean, if it has had no verdict for that yet."""
        for placement in self._past:
            if placement.legal or slap.seat in placement.excused:
                continue
            if not slap.stamp.surely_before(placement.stamp) and self._in_window(slap, placement):
                return placement
        return None


def _stamp(slap: Slap) -> Stamp:
    return slap.stamp


def _placed(placement: Placement) -> Stamp:
    return placement.stamp
