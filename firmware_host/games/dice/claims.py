"""Place and slap: which slap owns which die.

A sensor detects a die, not its owner. So one hand places the die and the other slaps the button: the
placement is what happens, and the slap is its signature. A slap claims the oldest unclaimed placement inside
the claim window, but fresh ones before those that have waited for long: their owners have forgotten them.
Where several seats slap for one placement the earliest wins.

* A slap is due when all that may have come before it is known: rival slaps, and dice put
  down or lifted. It is awarded a placement then, and not earlier. Rivals whose stamps overlap
  are a dead heat. `known_ns` is the moment up to which everything is known.
* A slap may come a little early, while the die is still in the air. Such a slap signs, but it does not
  overtake: it waits for a moment after the placement, and any slap made after the placement goes first.
  Slaps made after several placements take those first that nobody has signed early; an early slap signs
  the first die that comes down after it.
* A slap that came too late for one die waits for a moment: it may be an early one for the next die.
* The last counted die of a row can be taken back by its seat: lift it and slap. A wrong die is put right
  that way.
* A counted die that was lifted and set down again can be reclaimed by a seat that was robbed (reclaims.py).
* The second slap of a hand is the same signature, not another one. If the first one got a die it takes none;
  else it takes none that lay there when the first one was made. It costs nothing.
* A slap that is due and gets nothing is judged at once if there is a reason: a rival was just
  before it, or what lies there is illegal. Each placement excuses one slap per seat, so
  hammering the button in the hope of a lucky hit never pays.
* Without a reason it waits as long as an early slap may, and is then a false claim (see locks.py).
* After the end of the round a die that lay there before can still be signed for a while. Such a late
  signature takes nothing from a slap made in time, and costs nothing.
* If there is enough for all contenders there is no dead heat, since nobody loses anything,
  unless it decides who of several ends the round.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from firmware_host.games.dice.reclaims import Placement, Reclaimed, Reclaims
from firmware_host.games.locks import Locks
from firmware_host.model.effects import TieBroken, Verdict
from firmware_host.model.places import Slot
from firmware_host.model.settings import Settings
from firmware_host.model.times import Stamp, contenders, margin_ns
from firmware_host.timing.ties import TieBreaker

# The moment that a stop call by a held button stands for.
#
# Players keep the button down with which they sign for their last die, until the table calls stop. So if
# that slap has got nothing, its press is the stop call of somebody who has none left. What it signed for
# is, in this order:
#
# * a die that lay there when the button went down, and which nobody else has got: the press signs at once;
# * a die that came down just after it: the press was an early slap, and the die is what counts;
# * a die that lay there and went to a rival: the press signs at once, too.
#
# Only dice that were fresh then count: a player who holds the button long after the last die signs for none.


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


@dataclass(slots=True, eq=False)
class Slap:
    """A slap that waits for its verdict; `lost` is the dead heat it just lost, `late` means after the end.

    Everything up to `due_ns` may have come before it, and everything up to `expiry_ns` may be a placement
    that an early slap belongs to: so much has to be known.
    """

    seat: int
    stamp: Stamp
    due_ns: int
    expiry_ns: int
    late: bool = False
    lost: Placement | None = None


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """The decision on one slap. The winner of a dead heat has it in `tie`.

    `reclaimed` says from whom it has taken a die that was counted already.
    """

    verdict: Verdict
    slap: Slap
    placement: Placement | None = None
    margin_ns: int | None = None
    tie: TieBroken | None = None
    reclaimed: Reclaimed | None = None


class FirstSlap(NamedTuple):
    """The last slap of a seat that had a verdict of its own, and whether it got a die."""

    stamp: Stamp
    won: bool


class Claims:
    """The open placements and slaps of one round."""

    def __init__(self, settings: Settings, ties: TieBreaker, dealt: Mapping[int, int]) -> None:
        """Claims between seats to which so many dice were dealt."""
        self._early_ns = settings.claim_early_ns
        self._late_ns = settings.claim_late_ns
        self._early_wait_ns = settings.early_wait_ns
        self._lost_wait_ns = settings.lost_wait_ns
        self._fresh_ns = settings.fresh_ns
        self._second_ns = settings.second_slap_ns
        self._sign_late_ns = settings.sign_late_ns
        self._just_lost_ns = settings.just_lost_ns
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._ties = ties
        self._dealt = dealt
        self._open: list[Placement] = []
        self._lapsed: list[Placement] = []
        self._past: list[Placement] = []
        self._lifted: dict[Slot, Stamp] = {}
        self._reclaims = Reclaims(settings.reclaim_ns, settings.fresh_ns)
        self._pending: list[Slap] = []
        self._locks = Locks(settings.lock_ns, settings.locks)
        self._decided: dict[int, FirstSlap] = {}
        self._end: Stamp | None = None

    def place(self, placement: Placement) -> None:
        """Something lies on a slot: it can be claimed if it is legal, else it is remembered as illegal."""
        placement.since = placement.stamp
        if placement.legal:
            for lapsed in self._lapsed:
                if lapsed.slot == placement.slot:
                    placement.since = lapsed.since
                    self._lapsed.remove(lapsed)
                    break
            insort(self._open, placement, key=_placed)
        else:
            self._past.append(placement)

    def withdraw(self, slot: Slot) -> None:
        """A die was taken off again. Nobody can claim it, and an illegal one excuses nobody any more."""
        self._open = [placement for placement in self._open if placement.slot != slot]
        self._lapsed = [placement for placement in self._lapsed if placement.slot != slot]
        self._past = [p for p in self._past if p.legal or p.slot != slot]

    def lift(self, slot: Slot, stamp: Stamp, *, for_good: bool) -> None:
        """A counted die is off its place; if that may be for good, who slaps now takes it back."""
        if for_good:
            self._lifted[slot] = stamp
        self._reclaims.forget(slot)

    def put_back(self, slot: Slot, stamp: Stamp) -> None:
        """It lies there again. Nobody can take it back any more, but whoever was robbed can reclaim it."""
        self._lifted.pop(slot, None)
        counted = next((each for each in self._past if each.slot == slot and each.owner), None)
        if counted is not None:
            self._reclaims.put(counted, stamp)

    def cover(self, slot: Slot) -> None:
        """The next die of its row has come: nobody can take this one back any more."""
        self._lifted.pop(slot, None)

    def slap(self, seat: int, stamp: Stamp) -> None:
        """A seat slaps. Slaps must come in the order of their stamps."""
        expiry_ns = stamp.latest_ns + self._early_ns + self._doubt_ns
        late = self._end is not None and self._end.surely_before(stamp)
        self._pending.append(Slap(seat, stamp, stamp.latest_ns, expiry_ns, late))

    def forget(self, seat: int, stamp: Stamp) -> None:
        """The press of a seat at that stamp has become a call, so it is not judged as a slap."""
        self._pending = [slap for slap in self._pending if (slap.seat, slap.stamp) != (seat, stamp)]

    def unclaimed_after(self, stamp: Stamp) -> int:
        """How many placements that nobody has claimed are surely after that stamp."""
        return sum(stamp.surely_before(each.since) for each in (*self._open, *self._lapsed))

    def open_or_after(self, stamp: Stamp) -> int:
        """How many placements can still be claimed, or lapsed but are surely after that stamp."""
        return len(self._open) + sum(stamp.surely_before(each.since) for each in self._lapsed)

    def is_losing(self, seat: int, press: Stamp) -> bool:
        """Whether a press that is not judged yet has lost a die to a rival."""
        waiting = [each for each in self._pending if (each.seat, each.stamp) == (seat, press)]
        return any(each.lost is not None or self._just_lost(each) is not None for each in waiting)

    def open_until_ns(self, seat: int, press: Stamp) -> int:
        """Until when everything has to be known to judge the slaps of a seat before a press; else 0."""
        before = (each for each in self._pending if each.seat == seat and each.stamp.surely_before(press))
        return max((each.expiry_ns for each in before), default=0)

    def close(self, end: Stamp) -> None:
        """End the round at that stamp: slaps that are surely after it only sign what lay there before."""
        self._end = end
        for slap in self._pending:
            slap.late = end.surely_before(slap.stamp)

    def first_placed_after(self, stamp: Stamp) -> Stamp | None:
        """When the first legal die came down for which a slap at that stamp may have been early."""
        return first_placed_after(stamp, (*self._open, *self._past), self._early_ns)

    def signature_of(self, seat: int, press: Stamp) -> Stamp | None:
        """When a press that is held signed for its seat's last die; None if it did not (call_dates.py)."""
        placements = (*self._open, *self._past)
        return signature_of(seat, press, placements, fresh_ns=self._fresh_ns, early_ns=self._early_ns)

    def take_after(self, end: Stamp) -> list[Placement]:
        """Remove and return what was placed surely after that stamp, the highest of each row first."""
        placements = [each for each in (*self._open, *self._lapsed, *self._past) if each.legal]
        since = [each for each in placements if end.surely_before(each.since)]
        # What lies on a die came after it, even where their stamps leave that open.
        after = [each for each in placements if any(_is_on(each.slot, die.slot) for die in since)]
        self._open = [each for each in self._open if each not in after]
        self._lapsed = [each for each in self._lapsed if each not in after]
        self._past = [each for each in self._past if each not in after]
        for each in after:
            self._reclaims.forget(each.slot)
        return sorted(after, key=_slot, reverse=True)

    def reopen(self, without_owner: int) -> list[Slot]:
        """The round goes on after all, and the counts are right: only so many dice have no owner any more.

        Gives the places of those that have one by these counts. Nobody knows which, so it is the oldest.
        """
        self._end = None
        owned = sorted(self._lapsed, key=_placed)[: max(0, len(self._lapsed) - without_owner)]
        self._lapsed = [each for each in self._lapsed if each not in owned]
        self._past = [each for each in self._past if not each.legal]
        self._lifted.clear()
        self._reclaims.forget_all()
        return [each.slot for each in owned]

    def lock(self, seat: int, stamp: Stamp) -> None:
        """Lock a seat for something else than a slap; there is no warning."""
        self._locks.restart(seat, stamp)

    def is_locked(self, seat: int, stamp: Stamp) -> bool:
        """Whether a seat was locked at that stamp."""
        return self._locks.holds(seat, stamp)

    def locked_until_ns(self, seat: int) -> int:
        """When the last lock of this seat ends; 0 if it never had one."""
        return self._locks.until_ns(seat)

    def lapse(self, known_ns: int) -> list[Placement]:
        """The placements that no slap can claim any more."""
        horizon_ns = known_ns - self._lapse_ns
        lapsed = [placement for placement in self._open if placement.stamp.latest_ns < horizon_ns]
        if lapsed:
            self._open = [placement for placement in self._open if placement not in lapsed]
            self._lapsed += lapsed
        return lapsed

    def next_ruling(self, known_ns: int, owed: Mapping[int, int], ended: bool = False) -> ClaimRuling | None:
        """The next decision that is due now that everything up to then is known; None if there is none.

        `owed` is the dice left per seat, and `ended` whether somebody has ended the round by now.
        """
        if not self._pending:
            return None
        return self._lock() or self._award(known_ns, owed, ended) or self._dismiss(known_ns, owed)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""
        moments = [self._open[0].stamp.latest_ns + self._lapse_ns + 1] if self._open else []
        for slap in self._pending:
            moments += (slap.due_ns, slap.due_ns + self._lost_wait_ns, slap.expiry_ns)
        if self._pending:
            moments += [placement.stamp.latest_ns + self._early_wait_ns for placement in self._open]
        return min((moment for moment in moments if moment > known_ns), default=None)

    @property
    def _lapse_ns(self) -> int:
        return self._late_ns + self._doubt_ns

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
            if not slap.late and self._locks.holds(slap.seat, slap.stamp):
                self._pending.remove(slap)
                self._locks.restart(slap.seat, slap.stamp)
                return ClaimRuling(Verdict.LOCKED, slap)
        return None

    def _award(self, known_ns: int, owed: Mapping[int, int], ended: bool) -> ClaimRuling | None:
        """Award the oldest placement whose best slap is due.

        Those that somebody has signed early come last, and before them those that have waited for long.
        """
        found = [*self._open, *self._reclaims.set_down]
        for placement in sorted(found, key=lambda each: self._turn(each, owed)):
            rivals = self._rivals(placement, owed)
            if not rivals:
                continue
            if rivals[0].stamp.surely_before(placement.stamp):
                due_ns = placement.stamp.latest_ns + self._early_wait_ns
            else:
                due_ns = 0
            best = contenders(rivals, _stamp)
            if max(due_ns, min(slap.due_ns for slap in best)) <= known_ns:
                return self._award_to(
                    placement, best, self._with_something_to_lose(placement, best, owed, ended)
                )
        return None

    def _turn(self, placement: Placement, owed: Mapping[int, int]) -> tuple[bool, bool, Stamp]:
        """Placements with the lowest turn are awarded first."""
        first = min((slap.stamp for slap in self._rivals(placement, owed)), default=placement.stamp)
        has_waited = first.earliest_ns - placement.stamp.latest_ns > self._fresh_ns
        if placement.counted is not None and any(
            placement.stamp.surely_before(each.stamp) for each in self._open
        ):
            has_waited = True  # whoever slaps now rather means the die that has just come
        return self._is_signed_early(placement), has_waited, placement.stamp

    def _award_to(self, placement: Placement, best: list[Slap], contending: list[Slap]) -> ClaimRuling:
        tie = reclaimed = None
        winner = min(best, key=self._is_second)
        if len(contending) > 1:
            tie = self._ties.settle(placement.slot, [slap.seat for slap in contending])
            winner = next(slap for slap in contending if slap.seat == tie.winner)
            for slap in contending:
                if slap is not winner:
                    slap.lost = placement
        if placement.counted is not None:
            reclaimed = self._reclaims.hand_over(placement, winner.seat, winner.stamp)
        else:
            placement.owner, placement.slap = winner.seat, winner.stamp
            self._open.remove(placement)
            self._past.append(placement)
        self._take(winner, won=True)
        verdict = Verdict.DEAD_HEAT_WON if tie else Verdict.ACCEPTED
        return ClaimRuling(verdict, winner, placement, tie=tie, reclaimed=reclaimed)

    def _with_something_to_lose(
        self, placement: Placement, best: list[Slap], owed: Mapping[int, int], ended: bool
    ) -> list[Slap]:
        """Those of the contenders who lose something if another is first.

        Early slaps always do: another die that waits for them may be taken by a slap made after it.
        """
        early = any(slap.stamp.surely_before(placement.stamp) for slap in best)
        if early or placement.counted is not None:
            return best
        shared = sum(all(self._in_window(slap, each) for slap in best) for each in self._open)
        if shared < len(best):
            return best
        return [] if ended else [slap for slap in best if owed[slap.seat] == 1]

    def _rivals(self, placement: Placement, owed: Mapping[int, int]) -> list[Slap]:
        """The slaps that may claim this placement and go first; one of each seat.

        Slaps made after the placement go before early ones, and slaps made in time before late signatures.
        """
        early: dict[int, Slap] = {}
        signed: dict[int, Slap] = {}
        late: dict[int, Slap] = {}
        for slap in self._pending:
            if owed[slap.seat] and self._may_claim(slap, placement):
                is_early = slap.stamp.surely_before(placement.stamp)
                (late if slap.late else early if is_early else signed).setdefault(slap.seat, slap)
        return list((signed or early or late).values())

    def _is_signed_early(self, placement: Placement) -> bool:
        """Whether somebody has slapped for it while it was in the air: it was the first to come down then."""
        return any(
            slap.stamp.surely_before(placement.stamp)
            and self._in_window(slap, placement)
            and not self._has_come_between(slap.stamp, placement.stamp)
            for slap in self._pending
        )

    def _has_come_between(self, after: Stamp, before: Stamp) -> bool:
        return any(
            after.surely_before(each.stamp) and each.stamp.surely_before(before) for each in self._open
        )

    def _may_claim(self, slap: Slap, placement: Placement) -> bool:
        if self._is_same_signature(slap, placement):
            return False
        if placement.counted is not None and not self._may_reclaim(slap, placement):
            return False
        if not slap.late:
            return self._in_window(slap, placement)
        assert self._end is not None
        in_time = slap.stamp.earliest_ns <= self._end.latest_ns + self._sign_late_ns
        return in_time and not self._end.surely_before(placement.stamp)

    def _may_reclaim(self, slap: Slap, placement: Placement) -> bool:
        """Whether a slap in time, after a counted die was set down again, is one of a seat with a reason."""
        in_time = not slap.late and not slap.stamp.surely_before(placement.stamp)
        return in_time and self._reclaims.may_reclaim(slap.seat, placement)

    def _is_same_signature(self, slap: Slap, placement: Placement) -> bool:
        """Whether it is a second slap, and the first one got a die or could not get this one."""
        first = self._decided.get(slap.seat)
        if first is None or not self._is_second(slap):
            return False
        return first.won or placement.stamp.surely_before(first.stamp)

    def _is_second(self, slap: Slap) -> bool:
        """Whether it is the second slap of a hand."""
        first = self._decided.get(slap.seat)
        return first is not None and slap.stamp.earliest_ns - first.stamp.latest_ns < self._second_ns

    def _in_window(self, slap: Slap, placement: Placement) -> bool:
        placed, slapped = placement.stamp, slap.stamp
        return (
            slapped.latest_ns >= placed.earliest_ns - self._early_ns
            and slapped.earliest_ns <= placed.latest_ns + self._late_ns
        )

    def _dismiss(self, known_ns: int, owed: Mapping[int, int]) -> ClaimRuling | None:
        """Reject a slap that is due and gets nothing: all that it could have had is awarded."""
        seen: set[int] = set()
        for slap in self._pending:
            if slap.due_ns > known_ns or slap.seat in seen:
                continue
            seen.add(slap.seat)
            ruling = self._rejection(slap, known_ns, owed)
            if ruling is not None:
                return ruling
        return None

    def _rejection(self, slap: Slap, known_ns: int, owed: Mapping[int, int]) -> ClaimRuling | None:
        """Why a slap gets nothing; None if it may still get something."""
        if slap.late and slap.lost is None:
            self._pending.remove(slap)
            return ClaimRuling(Verdict.NOT_RUNNING, slap)
        if slap.lost is None and self._is_second(slap):
            if any(self._may_claim(slap, placement) for placement in self._open):
                return None
            self._pending.remove(slap)
            return ClaimRuling(Verdict.REPEATED, slap)
        placed = self._dealt[slap.seat] - owed[slap.seat]
        if slap.lost is None and placed:
            lifted = self._taken_back(slap, placed)
            if lifted is not None:
                self._take(slap, won=False)
                return ClaimRuling(Verdict.TAKEN_BACK, slap, lifted)
        if slap.lost is None and self._reclaims.confirm(slap.seat, slap.stamp) is not None:
            self._pending.remove(slap)
            return ClaimRuling(Verdict.REPEATED, slap)
        lost = slap.lost or self._just_lost(slap)
        if lost is not None:
            if slap.lost is None and self._may_have_another(slap, known_ns):
                return None
            assert lost.slap is not None
            lost.excused.add(slap.seat)
            self._fail(slap)
            verdict = Verdict.DEAD_HEAT_LOST if slap.lost else Verdict.TOO_LATE
            return ClaimRuling(verdict, slap, lost, abs(margin_ns(lost.slap, slap.stamp)))
        illegal = self._illegal(slap)
        if illegal is not None:
            illegal.excused.add(slap.seat)
            self._fail(slap)
            return ClaimRuling(Verdict.ILLEGAL, slap, illegal)
        if slap.expiry_ns > known_ns or any(self._in_window(slap, placement) for placement in self._open):
            return None
        self._fail(slap)
        self._locks.begin(slap.seat, slap.stamp)
        return ClaimRuling(Verdict.FALSE_CLAIM, slap)

    def _taken_back(self, slap: Slap, placed: int) -> Placement | None:
        """The die that this seat, which has placed so many, has taken back; it can only take back its own."""
        for slot, lifted in self._lifted.items():
            gap_ns = slap.stamp.earliest_ns - lifted.latest_ns
            if slap.stamp.surely_before(lifted) or gap_ns > self._late_ns:
                continue
            # One that lay there before the round, or had no owner for long, is not in the past.
            found = next((each for each in self._past if each.slot == slot), None)
            if found is not None and found.owner != slap.seat:
                continue
            if found is None and placed == sum(each.owner == slap.seat for each in self._past):
                continue  # it is known where all its dice lie
            del self._lifted[slot]
            if found is None:
                return Placement(slot, lifted, legal=True)
            self._past.remove(found)
            return found
        return None

    def _may_have_another(self, slap: Slap, known_ns: int) -> bool:
        """Whether a slap that came too late for one die may be an early one for the next."""
        if slap.stamp.latest_ns + self._lost_wait_ns > known_ns:
            return True
        return any(self._may_claim(slap, each) for each in self._open)

    def _take(self, slap: Slap, *, won: bool) -> None:
        """A slap has a verdict of its own."""
        self._pending.remove(slap)
        self._decided[slap.seat] = FirstSlap(slap.stamp, won)

    def _fail(self, slap: Slap) -> None:
        """A slap has got nothing: a rival's may have taken its die."""
        self._take(slap, won=False)
        self._reclaims.note(slap.seat, slap.stamp)

    def _just_lost(self, slap: Slap) -> Placement | None:
        """The latest placement that this seat just missed, if it has had no verdict for that yet."""
        for placement in reversed(self._past):
            if placement.slap is None or placement.owner == slap.seat or slap.seat in placement.excused:
                continue
            early = slap.stamp.surely_before(placement.stamp)
            if (slap.stamp.surely_before(placement.slap) and not early) or not self._in_window(
                slap, placement
            ):
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


def _slot(placement: Placement) -> Slot:
    return placement.slot


def _is_on(slot: Slot, die: Slot) -> bool:
    return slot.colour is die.colour and slot.number >= die.number
