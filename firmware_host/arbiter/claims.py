"""Place and slap: which slap owns which die.

A sensor feels a die, not its owner. So one hand places the die and the other slaps the
button, and a slap claims the oldest unclaimed placement inside the claim window (a slap
may come a little early). Where several seats slap for one placement the earliest wins.

* A slap is ripe when all that may have come before it is known: rival slaps, and dice put
  down or lifted. Not before that is it awarded a placement. Rivals whose stamps overlap
  are a dead heat.
* A ripe slap that gets nothing is judged at once if there is a reason: a rival was just
  before it, or what lies there is illegal. Each placement excuses one slap per seat, so
  hammering the button in the hope of a gift never pays.
* Without a reason it waits as long as an early slap may, and is then a false claim. That
  locks its seat from the moment of the slap, so a slap that the seat made meanwhile is
  locked as well; each slap while locked begins the lock anew, and each further false claim
  of a round doubles it, up to eight times.
* A dead heat in which there is enough for everybody is none, unless it decides who of
  several ends the round: else nobody loses anything by it.
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

    From `ripe_ns` on all that may have come before it is known, from `expiry_ns` on every
    placement that an early slap may belong to.
    """

    seat: int
    stamp: Stamp
    ripe_ns: int
    expiry_ns: int
    lost: Placement | None = None


@dataclass(frozen=True, slots=True)
class ClaimRuling:
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
        self._settle_ns = settings.settle_ns
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._ties = ties
        self._open: list[Placement] = []
        self._past: list[Placement] = []
        self._waiting: list[Slap] = []
        self._locks = Locks(settings.lock_ns, MOST_DOUBLINGS)

    def place(self, placement: Placement) -> None:
        """Something lies on a slot: open to claims if legal, else remembered as illegal."""
        if placement.legal:
            insort(self._open, placement, key=_placed)
        else:
            self._past.append(placement)

    def withdraw(self, slot: Slot) -> None:
        """A die was taken off again: nobody can claim it, and it excuses nobody if it was illegal."""
        self._open = [placement for placement in self._open if placement.slot != slot]
        self._past = [p for p in self._past if p.legal or p.slot != slot]

    def slap(self, seat: int, stamp: Stamp) -> None:
        """A seat slaps. Slaps must come in the order of their stamps."""
        ripe_ns = stamp.latest_ns + self._settle_ns
        self._waiting.append(Slap(seat, stamp, ripe_ns, ripe_ns + self._early_ns + self._doubt_ns))

    def close(self, end: Stamp) -> list[Slap]:
        """The round ended at that stamp: take back and return all slaps surely after it."""
        after = [slap for slap in self._waiting if end.surely_before(slap.stamp)]
        self._waiting = [slap for slap in self._waiting if slap not in after]
        return after

    def locked_until_ns(self, seat: int) -> int:
        """Until when this seat is locked; 0 if it never was."""
        return self._locks.until_ns(seat)

    def lapse(self, now_ns: int) -> list[Placement]:
        """The placements that no slap can claim any more."""
        horizon_ns = now_ns - self._lapse_ns
        lapsed = [placement for placement in self._open if placement.stamp.latest_ns < horizon_ns]
        if lapsed:
            self._open = [placement for placement in self._open if placement not in lapsed]
        return lapsed

    def next_ruling(self, now_ns: int, owed: Mapping[int, int], ended: bool = False) -> ClaimRuling | None:
        """The next decision that is ripe by now, or None.

        `owed` is the dice left per seat, and `ended` whether somebody has ended the round by now.
        """
        if not self._waiting:
            return None
        return self._lock() or self._award(now_ns, owed, ended) or self._dismiss(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        """The next moment at which something may become ripe; what was ripe by now is decided."""
        due_ns: int | None = None
        if self._open:
            due_ns = self._open[0].stamp.latest_ns + self._lapse_ns + 1
        for slap in self._waiting:
            t_ns = slap.ripe_ns if slap.ripe_ns > now_ns else slap.expiry_ns
            if due_ns is None or t_ns < due_ns:
                due_ns = t_ns
        return due_ns

    @property
    def _lapse_ns(self) -> int:
        return self._late_ns + self._settle_ns + self._doubt_ns

    def contest_ns(self, slap: Slap, placement: Placement | None) -> tuple[int, int]:
        """From when to when something may have happened that this slap's verdict hangs on.

        What nobody has seen would have had a stamp with its own doubt, and so has the word of it.
        """
        if placement is not None:
            first_ns, last_ns = placement.stamp.earliest_ns - self._early_ns, slap.stamp.latest_ns
        else:
            first_ns = slap.stamp.earliest_ns - self._late_ns
            last_ns = slap.stamp.latest_ns + self._early_ns
        return first_ns - self._doubt_ns, last_ns + self._doubt_ns

    def _lock(self) -> ClaimRuling | None:
        for slap in self._waiting:
            if self._locks.holds(slap.seat, slap.stamp):
                self._waiting.remove(slap)
                self._locks.begin_anew(slap.seat, slap.stamp)
                return ClaimRuling(Verdict.LOCKED, slap)
        return None

    def _award(self, now_ns: int, owed: Mapping[int, int], ended: bool) -> ClaimRuling | None:
        """Give the oldest placement that has a ripe best slap to that slap."""
        for placement in self._open:
            best = contenders(self._rivals(placement, owed), _stamp)
            if best and min(slap.ripe_ns for slap in best) <= now_ns:
                return self._award_to(placement, best, self._losing(best, owed, ended))
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
        self._waiting.remove(winner)
        return ClaimRuling(Verdict.DEAD_HEAT_WON if tie else Verdict.ACCEPTED, winner, placement, tie=tie)

    def _losing(self, best: list[Slap], owed: Mapping[int, int], ended: bool) -> list[Slap]:
        """Those of them who stand to lose something if another is first."""
        shared = sum(all(self._in_window(slap, placement) for slap in best) for placement in self._open)
        if shared < len(best):
            return best
        return [] if ended else [slap for slap in best if owed[slap.seat] == 1]

    def _rivals(self, placement: Placement, owed: Mapping[int, int]) -> list[Slap]:
        """Whose slap may claim this placement; a seat's second slap waits until its first is decided."""
        rivals: dict[int, Slap] = {}
        for slap in self._waiting:
            rivals.setdefault(slap.seat, slap)
        return [slap for slap in rivals.values() if owed[slap.seat] and self._in_window(slap, placement)]

    def _in_window(self, slap: Slap, placement: Placement) -> bool:
        placed, slapped = placement.stamp, slap.stamp
        return (
            slapped.latest_ns >= placed.earliest_ns - self._early_ns
            and slapped.earliest_ns <= placed.latest_ns + self._late_ns
        )

    def _dismiss(self, now_ns: int) -> ClaimRuling | None:
        """Turn away a ripe slap that gets nothing: whatever it could have had is awarded."""
        seen: set[int] = set()
        for slap in self._waiting:
            if slap.ripe_ns > now_ns or slap.seat in seen:
                continue
            seen.add(slap.seat)
            lost = slap.lost or self._just_lost(slap)
            illegal = None if lost else self._illegal(slap)
            if lost or illegal or slap.expiry_ns <= now_ns:
                self._waiting.remove(slap)
                return self._turned_away(slap, lost, illegal)
        return None

    def _turned_away(self, slap: Slap, lost: Placement | None, illegal: Placement | None) -> ClaimRuling:
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
        """The latest placement that this seat missed by a moment, if it has not been told yet."""
        for placement in reversed(self._past):
            if placement.slap is None or placement.owner == slap.seat or slap.seat in placement.excused:
                continue
            if slap.stamp.surely_before(placement.slap) or not self._in_window(slap, placement):
                continue
            if margin_ns(placement.slap, slap.stamp) <= self._just_lost_ns:
                return placement
        return None

    def _illegal(self, slap: Slap) -> Placement | None:
        """An illegal placement that this seat may mean, if it has not been told yet."""
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
