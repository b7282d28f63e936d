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
* The second slap of a hand is the same signature, not another one. If the first one got a die it takes none;
  else it takes none that lay there when the first one was made. It costs nothing.
* A slap that is due and gets nothing is judged at once if there is a reason: a rival was just
  before it, or what lies there is illegal. Each placement excuses one slap per seat, so
  hammering the button in the hope of a lucky hit never pays.
* Without a reason it waits as long as an early slap may, and is then a false claim (see Locks).
* After the end of the round a die that lay there before can still be signed for a while. Such a late
  signature takes nothing from a slap made in time, and costs nothing.
* If there is enough for all contenders there is no dead heat, since nobody loses anything,
  unless it decides who of several ends the round.

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

from dataclasses import dataclass, replace
from operator import attrgetter, itemgetter

from firmware_host.games.dice.records import Place, Reason, Records, Slap, Told
from firmware_host.model.effects import TieBroken, Verdict
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import Stamp, contenders, margin_ns
from firmware_host.timing.ties import TieBreaker

_STAMP, _LATEST, _ORDER = attrgetter("stamp"), attrgetter("latest_ns"), attrgetter("order")


@dataclass(slots=True)
class Ruling:
    """The decision on one slap, or on one die that needs none. What was missed in `depends_on` matters."""

    verdict: Verdict
    seat: int
    stamp: Stamp
    place: Place | None
    depends_on: tuple[int, int] | None = None
    rival: int | None = None
    margin_ns: int | None = None
    tie: TieBroken | None = None
    ends: Stamp | None = None
    """When the round has ended with it; None if it goes on."""


class BySlap:
    """Gives each die to the seat that slaps for it."""

    def __init__(self, records: Records, settings: Settings, ties: TieBreaker) -> None:
        self._records = records
        self._ties = ties
        self._early_ns = settings.claim_early_ns
        self._late_ns = settings.claim_late_ns
        self._early_wait_ns = settings.early_wait_ns
        self._lost_wait_ns = settings.lost_wait_ns
        self._fresh_ns = settings.fresh_ns
        self._second_ns = settings.second_slap_ns
        self._sign_late_ns = settings.sign_late_ns
        self._just_lost_ns = settings.just_lost_ns
        self._reclaim_ns = settings.reclaim_ns
        self._doubt_ns = 2 * settings.stamp_uncertainty_ns
        self._kept_ns = settings.reclaim_ns + settings.claim_late_ns + settings.claim_early_ns

    def slapped(self, seat: int, stamp: Stamp) -> None:
        """A seat slaps. Slaps come in the order of their stamps."""
        end = self._records.end
        expiry_ns = stamp.latest_ns + self._early_ns + self._doubt_ns
        late = end is not None and end.surely_before(stamp)
        self._records.slaps.append(Slap(seat, stamp, expiry_ns, late))

    def ruling(self, known_ns: int) -> Ruling | None:
        """The next decision that is due now that everything up to then is known; None if there is none."""
        records = self._records
        if not records.slaps:
            return None
        for slap in records.slaps:
            if not slap.late and records.locks.holds(slap.seat, slap.stamp):
                records.locks.restart(slap.seat, slap.stamp)
                return self._answer(slap, Verdict.LOCKED)
        return self._award(known_ns) or self._dismiss(known_ns)

    def lapse(self, known_ns: int) -> list[Place]:
        """The places whose dice no slap can claim any more."""
        waiting, horizon_ns = self._records.waiting, known_ns - self._late_ns - self._doubt_ns
        lapsed = [place for place in waiting if place.came.latest_ns < horizon_ns]
        for place in lapsed:
            waiting.remove(place)
            place.state = SlotState.LAPSED
        return lapsed

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""
        waiting, slaps = self._records.waiting, self._records.slaps
        if not waiting and not slaps:
            return None
        moments = [waiting[0].came.latest_ns + self._late_ns + self._doubt_ns + 1] if waiting else []
        if slaps:
            moments += [place.came.latest_ns + self._early_wait_ns for place in waiting]
            for slap in slaps:
                due_ns = slap.stamp.latest_ns
                moments += (due_ns, due_ns + self._lost_wait_ns, slap.expiry_ns)
        return min([moment for moment in moments if moment > known_ns], default=None)

    def is_losing(self, seat: int, press: Stamp) -> bool:
        """Whether a press that is not judged yet has lost a die to a rival."""
        waiting = [each for each in self._records.slaps if (each.seat, each.stamp) == (seat, press)]
        return any(each.lost is not None or self._just_lost(each) is not None for each in waiting)

    # -- a slap gets a die

    def _award(self, known_ns: int) -> Ruling | None:
        """Award the oldest die whose best slap is due.

        Those that somebody has signed early come last, and before them those that have waited for long.
        """
        found = []
        for place in (*self._records.waiting, *self._records.set_down):
            rivals = self._rivals(place)
            if rivals:
                found.append((self._turn(place, rivals), rivals, place))
        for _, rivals, place in sorted(found, key=itemgetter(0)):
            best = contenders(rivals, _STAMP)
            due_ns = min(slap.stamp.latest_ns for slap in best)
            if rivals[0].stamp.surely_before(place.came):
                due_ns = max(due_ns, place.came.latest_ns + self._early_wait_ns)
            if due_ns <= known_ns:
                return self._award_to(place, best)
        return None

    def _rivals(self, place: Place) -> list[Slap]:
        """The slaps that may claim this die and go first; one of each seat.

        Slaps made after the placement go before early ones, and slaps made in time before late signatures.
        """
        early: dict[int, Slap] = {}
        signed: dict[int, Slap] = {}
        late: dict[int, Slap] = {}
        for slap in self._records.slaps:
            if self._records.seats[slap.seat].left and self._may_claim(slap, place):
                is_early = slap.stamp.surely_before(place.came)
                (late if slap.late else early if is_early else signed).setdefault(slap.seat, slap)
        return list((signed or early or late).values())

    def _turn(self, place: Place, rivals: list[Slap]) -> tuple[bool, bool, Stamp]:
        """Dice with the lowest turn are awarded first."""
        came, open_ = place.came, self._records.waiting
        has_waited = min(map(_STAMP, rivals)).earliest_ns - came.latest_ns > self._fresh_ns
        if place.set_down is not None and any(came.surely_before(each.came) for each in open_):
            has_waited = True  # whoever slaps now rather means the die that has just come
        signed_early = any(
            slap.stamp.surely_before(came)
            and self._in_window(slap, came)
            and not any(slap.stamp.surely_before(o.came) and o.came.surely_before(came) for o in open_)
            for slap in self._records.slaps
        )
        return signed_early, has_waited, came

    def _award_to(self, place: Place, best: list[Slap]) -> Ruling:
        """Give a die to the best of its slaps; a tie-break chooses if others lose something by it."""
        records, tie = self._records, None
        winner = min(best, key=self._is_second)
        contending = self._with_something_to_lose(place, best)
        if len(contending) > 1:
            tie = self._ties.settle(place.slot, [slap.seat for slap in contending])
            winner = next(slap for slap in contending if slap.seat == tie.winner)
        seat, stamp, loser, end = records.seats[winner.seat], winner.stamp, place.owner, records.end
        if place.set_down is None:
            records.waiting.remove(place)
            place.state, place.owner, place.slap = SlotState.COUNTED, winner.seat, stamp
            place.order = records.next_order()
            seat.tell(Told(stamp, True), self._kept_ns)
            # An early slap finishes nothing before its die lies there ...
            signed = max(stamp, place.came, key=_LATEST)
            # ... and it ends no round before what was counted meanwhile.
            ends = max(signed, records.last_win, key=_LATEST) if end is None else None
            records.last_win = max(stamp, records.last_win, key=_LATEST)
        else:
            again = replace(
                place, placed=place.came, owner=winner.seat, slap=stamp, doubtful=False, told=set()
            )
            ends = signed = self._hand_over(place, winner)
            place = again
        for slap in contending:
            if tie and slap is not winner:
                slap.lost = place
        seat.last, seat.last_won = stamp, True
        ruling = self._answer(winner, Verdict.DEAD_HEAT_WON if tie else Verdict.ACCEPTED, place)
        ruling.tie, ruling.rival = tie, loser
        if records.claim(winner.seat):
            seat.out_at, ruling.ends = signed, ends
        return ruling

    def _with_something_to_lose(self, place: Place, best: list[Slap]) -> list[Slap]:
        """Those of the contenders who lose something if another is first.

        Early slaps always do: another die that waits for them may be taken by a slap made after it.
        """
        records = self._records
        if place.set_down is not None or any(slap.stamp.surely_before(place.came) for slap in best):
            return best
        shared = sum(all(self._in_window(slap, each.came) for slap in best) for each in records.waiting)
        if shared < len(best):
            return best
        return [slap for slap in best if records.seats[slap.seat].left == 1] if records.end is None else []

    def _may_claim(self, slap: Slap, place: Place) -> bool:
        stamp, came, seat = slap.stamp, place.came, self._records.seats[slap.seat]
        if self._is_second(slap) and (seat.last_won or came.surely_before(seat.last)):
            return False  # the first slap of that hand got a die, or could not get this one
        if place.set_down is not None:
            in_time = not slap.late and not stamp.surely_before(came)
            if not in_time or place.owner == slap.seat or self._reason(slap.seat, came) is None:
                return False
        if not slap.late:
            return self._in_window(slap, came)
        end = self._records.end
        assert end is not None
        return stamp.earliest_ns <= end.latest_ns + self._sign_late_ns and not end.surely_before(came)

    def _is_second(self, slap: Slap) -> bool:
        """Whether it is the second slap of a hand."""
        return slap.stamp.earliest_ns - self._records.seats[slap.seat].last.latest_ns < self._second_ns

    def _in_window(self, slap: Slap, came: Stamp) -> bool:
        return (
            slap.stamp.latest_ns >= came.earliest_ns - self._early_ns
            and slap.stamp.earliest_ns <= came.latest_ns + self._late_ns
        )

    # -- a slap gets nothing

    def _dismiss(self, known_ns: int) -> Ruling | None:
        """Reject a slap that is due and gets nothing: all that it could have had is awarded."""
        seen: set[int] = set()
        for slap in self._records.slaps:
            if slap.stamp.latest_ns <= known_ns and slap.seat not in seen:
                seen.add(slap.seat)
                ruling = self._rejection(slap, known_ns)
                if ruling is not None:
                    return ruling
        return None

    def _rejection(self, slap: Slap, known_ns: int) -> Ruling | None:
        """Why a slap gets nothing; None if it may still get something."""
        lost, waiting = slap.lost, self._records.waiting
        if lost is not None:
            return self._fail(slap, Verdict.DEAD_HEAT_LOST, lost)
        if slap.late:
            return self._answer(slap, Verdict.NOT_RUNNING)
        if self._is_second(slap):
            may_claim = any(self._may_claim(slap, place) for place in waiting)
            return None if may_claim else self._answer(slap, Verdict.REPEATED)
        lifted = self._taken_back(slap)
        if lifted is not None:
            return self._take_back(slap, lifted)
        if self._confirms(slap):
            return self._answer(slap, Verdict.REPEATED)
        lost = self._just_lost(slap)
        if lost is not None:
            may_be_early = slap.stamp.latest_ns + self._lost_wait_ns > known_ns
            if may_be_early or any(self._may_claim(slap, place) for place in waiting):
                return None
            return self._fail(slap, Verdict.TOO_LATE, lost)
        illegal = self._illegal(slap)
        if illegal is not None:
            return self._fail(slap, Verdict.ILLEGAL, illegal)
        if slap.expiry_ns > known_ns or any(self._in_window(slap, place.came) for place in waiting):
            return None
        self._records.locks.begin(slap.seat, slap.stamp)
        return self._fail(slap, Verdict.FALSE_CLAIM)

    def _fail(self, slap: Slap, verdict: Verdict, place: Place | None = None) -> Ruling:
        """A slap has got nothing: a rival's may have taken its die."""
        seat, stamp = self._records.seats[slap.seat], slap.stamp
        ruling = self._answer(slap, verdict, place)
        if place is not None:
            place.told.add(slap.seat)
            if place.slap is not None:
                ruling.margin_ns = abs(margin_ns(place.slap, stamp))
        won = None if verdict is Verdict.ILLEGAL else False
        seat.tell(Told(stamp, won, too_late=ruling.margin_ns is not None), self._kept_ns)
        seat.reasons.append(Reason(stamp, stamp))
        seat.last, seat.last_won = stamp, False
        return ruling

    def _just_lost(self, slap: Slap) -> Place | None:
        """The die awarded last that this seat just missed, if it has had no verdict for that yet."""
        stamp, found = slap.stamp, None
        for place in self._records.places:
            placed, won = place.placed, place.slap
            if placed is None or won is None or place.owner == slap.seat or slap.seat in place.told:
                continue
            in_time = stamp.surely_before(placed) or not stamp.surely_before(won)
            if in_time and self._in_window(slap, placed) and margin_ns(won, stamp) <= self._just_lost_ns:
                found = max(found or place, place, key=_ORDER)
        return found

    def _illegal(self, slap: Slap) -> Place | None:
        """The first illegal die that this seat may mean, if it has had no verdict for that yet."""
        return min(
            (
                place
                for place in self._records.places
                if place.state is SlotState.ILLEGAL
                and place.placed is not None
                and slap.seat not in place.told
                and not slap.stamp.surely_before(place.placed)
                and self._in_window(slap, place.placed)
            ),
            key=_ORDER,
            default=None,
        )

    def _answer(self, slap: Slap, verdict: Verdict, place: Place | None = None) -> Ruling:
        """The verdict on a slap, and the time in which something may have happened that it depends on.

        A lost edge would have had a stamp with its own uncertainty, and so has the report of the loss.
        """
        self._records.slaps.remove(slap)
        stamp, doubt_ns, rival = slap.stamp, self._doubt_ns, None
        first_ns, last_ns = stamp.earliest_ns - self._late_ns, stamp.latest_ns + self._early_ns
        if place is not None:
            assert place.placed is not None
            first_ns, last_ns = place.placed.earliest_ns - self._early_ns, stamp.latest_ns
            rival = place.owner
        return Ruling(verdict, slap.seat, stamp, place, (first_ns - doubt_ns, last_ns + doubt_ns), rival)

    # -- a die that was counted

    def _taken_back(self, slap: Slap) -> Place | None:
        """The lifted die that this seat takes back; it can only take back its own."""
        stamp, seat, places = slap.stamp, self._records.seats[slap.seat], self._records.places
        for place in sorted((each for each in places if each.lifted), key=attrgetter("moved")):
            assert place.lifted is not None
            if (
                stamp.surely_before(place.lifted)
                or stamp.earliest_ns - place.lifted.latest_ns > self._late_ns
            ):
                continue
            if place.owner == slap.seat:
                return place
            # One that lay there before the round, or had no owner for long, may be its own
            # unless it is known where all its dice lie.
            known = sum(each.owner == slap.seat for each in places)
            if place.owner is None and seat.dealt - seat.left != known:
                return place
        return None

    def _take_back(self, slap: Slap, place: Place) -> Ruling:
        records, seat = self._records, self._records.seats[slap.seat]
        place.placed = place.placed or place.lifted
        records.give_back(slap.seat)
        seat.last, seat.last_won = slap.stamp, False
        records.heights[place.slot.colour] -= 1
        records.clear(place)
        return self._answer(slap, Verdict.TAKEN_BACK, place)

    def _confirms(self, slap: Slap) -> bool:
        """Whether its seat has just set down a die that it owned; that needed no slap, and needs no other."""
        for place in self._records.set_down:
            soon = slap.stamp.earliest_ns - place.came.latest_ns <= self._fresh_ns
            if place.owner == slap.seat and soon and not slap.stamp.surely_before(place.came):
                place.set_down = None
                return True
        return False

    def _reason(self, seat: int, set_down: Stamp) -> Reason | None:
        """Why a seat may reclaim a counted die that was set down again then."""
        for reason in self._records.seats[seat].reasons:
            if set_down.earliest_ns - reason.since.latest_ns <= self._reclaim_ns:
                return reason
        return None

    def _hand_over(self, place: Place, slap: Slap) -> Stamp:
        """A counted die belongs to the seat that has reclaimed it with that slap; when that had signed."""
        seat, reason = self._records.seats[slap.seat], self._reason(slap.seat, place.came)
        assert reason and place.owner and place.slap and place.since
        loser = self._records.seats[place.owner]
        self._records.give_back(place.owner)
        loser.reasons.append(Reason(place.slap, slap.stamp))
        loser.tell_again(place.slap, won=False)
        seat.reasons.remove(reason)
        seat.tell_again(reason.slap, won=True)
        place.owner, place.slap, place.set_down = slap.seat, reason.slap, None
        return max(reason.slap, place.since, key=_LATEST)
