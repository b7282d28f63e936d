"""Stop calls: players who hold their buttons say that they have none left.

A stray slap may have taken the last die of a player, so the table's count is no proof. A call is true if it
can be: so many dice lie there without an owner, or a rival may have got them by a race against that seat.

Players also keep the button down with which they sign for their last die, until the table calls stop. So if
that slap has got nothing, its press is the stop call of somebody who has none left. What it signed for
is, in this order:

* a die that lay there when the button went down, and which nobody else has got: the press signs at once;
* a die that came down just after it: the press was an early slap, and the die is what counts;
* a die that lay there and went to a rival: the press signs at once, too.

Only dice that were fresh then count: a player who holds the button long after the last die signs for none.
Then the round has ended with the last slap of that seat if that was a moment ago, else with the press.

What happens after a press that may become a call waits until it is known whether it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

from firmware_host.games.dice.records import Place, Records, Told
from firmware_host.games.dice.slaps import BySlap
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import Stamp

EVER_NS = 1 << 62
"""Later than anything."""


class NoneLeftCall(NamedTuple):
    """A seat says that it has none left; the stamp is that of its press."""

    seat: int
    stamp: Stamp


class StopCalls:
    """Which calls can be true, when the round has ended with them, and what waits for them."""

    def __init__(self, records: Records, settings: Settings, by_slap: BySlap | None) -> None:
        """Without `by_slap` no press signs for a die, so each call ends the round with its press."""
        self._records = records
        self._by_slap = by_slap
        self._early_ns = settings.claim_early_ns
        self._late_ns = settings.claim_late_ns
        self._fresh_ns = settings.fresh_ns
        self.presses: list[NoneLeftCall] = []
        """The buttons that are down and may become stop calls."""
        self._early: set[NoneLeftCall] = set()
        """Those after which a die came down at once."""

    def drop(self, seat: int) -> None:
        """The press of that seat can't become a call any more."""
        self.presses = [press for press in self.presses if press.seat != seat]
        self._early = {press for press in self._early if press.seat != seat}

    def can_be_true(self, seat: int, press: Stamp) -> bool:
        """Whether a seat that plays and pressed then may have none left although the table counts some.

        A die may lie there without an owner, or a rival may have got it: then a slap of this seat got
        nothing, and the die is counted for that rival. A die that came down after the press proves nothing,
        nor does one that still waits for a slap if that press got another one.
        """
        records, hand = self._records, self._records.seats[seat]
        most = sum(records.heights) - records.claimed
        if hand.left > most + hand.failed + len(hand.told):
            return False  # mostly; what follows takes longer
        most += min(hand.failed_before(press), records.claimed - (hand.dealt - hand.left))
        if hand.left > most:
            return False
        got_one = any(each.won and each.stamp == press for each in hand.told)
        for place in records.places:
            if place.state is SlotState.OPEN or place.state is SlotState.LAPSED:
                assert place.since is not None
                waits_for_another = got_one and place.state is SlotState.OPEN
                most -= waits_for_another or press.surely_before(place.since)
        return hand.left <= most

    def is_true(self, seat: int, press: Stamp) -> bool:
        """Whether a call that is made now can be true.

        It is so if the press was too late for the only die that its seat has left, as will be ruled: the
        ruling may have to wait for another button that is down.
        """
        if self.can_be_true(seat, press):
            return True
        by_slap = self._by_slap
        return by_slap is not None and self._records.seats[seat].left == 1 and by_slap.is_losing(seat, press)

    def undecided_from_ns(self, coming: Sequence[Stamp]) -> int:
        """From when on all waits for a button that may become a stop call.

        A locked seat holds nobody up. `coming` are legal dice that came down and are not judged yet.
        """
        from_ns = EVER_NS
        for press in self.presses:
            if self.can_be_true(*press) and not self._records.locks.holds(*press):
                from_ns = min(from_ns, self._waits_from_ns(press, coming))
        return from_ns

    def _waits_from_ns(self, press: NoneLeftCall, coming: Sequence[Stamp]) -> int:
        """From when on all waits for that press.

        If it may have signed for the last die and one came down just after it, it may have been an early
        slap, which is judged. So are the slaps of the same seat before it: one may lock the button.
        """
        seat, stamp = press
        until_ns = stamp.latest_ns + self._early_ns
        soon = any(stamp.surely_before(die) and die.latest_ns <= until_ns for die in coming)
        if soon and self._may_have_signed(press):
            self._early.add(press)
        slaps = (each for each in self._records.slaps if each.seat == seat)
        before = [each.expiry_ns for each in slaps if each.stamp.surely_before(stamp)]
        return max(until_ns if press in self._early else stamp.latest_ns, *before, 0)

    def end_of(self, call: NoneLeftCall) -> Stamp:
        """When the round has ended if a seat that pressed then has none left.

        If that press signed for its last die, that is when. Else if its last slap was a moment ago, that is
        when, or the die that it was early for. What others have placed since has to be taken off again.
        Otherwise the round ends with the press, but not before what was counted.
        """
        seat, press = call
        if self._by_slap is None:
            return press
        places = self._records.places
        dice = [each for each in places if each.placed and each.state in (SlotState.OPEN, SlotState.COUNTED)]
        signed_at = self._signature_of(call, dice) if self._may_have_signed(call) else None
        if signed_at is not None:
            return signed_at
        # The press that became the call may have got a die, too.
        slaps = [each for each in self._told(seat) if each.won or each.stamp.surely_before(press)]
        if not slaps or press.earliest_ns - slaps[-1].stamp.latest_ns > self._late_ns:
            return max(press, self._records.last_win, key=attrgetter("latest_ns"))
        return self._first_placed_after(slaps[-1].stamp, dice) or slaps[-1].stamp

    def _told(self, seat: int) -> list[Told]:
        """The latest slaps of a seat that were judged, but for those that were excused by an illegal die."""
        return [each for each in self._records.seats[seat].told if each.won is not None]

    def _may_have_signed(self, press: NoneLeftCall) -> bool:
        """Whether that press may sign for a last die: not if the slap before it got nothing, a moment ago."""
        seat, stamp = press
        before = [each for each in self._told(seat) if each.stamp.surely_before(stamp)]
        if self._by_slap is None or not before:
            return self._by_slap is not None
        return bool(before[-1].won) or stamp.earliest_ns - before[-1].stamp.latest_ns > self._late_ns

    def _signature_of(self, call: NoneLeftCall, dice: list[Place]) -> Stamp | None:
        """When that press signed for its seat's last die; None if no die was there to be signed for."""
        seat, press = call
        dice = [die for die in dice if die.owner != seat or die.slap == press]
        lay = [
            die
            for die in dice
            if die.placed is not None
            and not press.surely_before(die.placed)
            and press.earliest_ns - die.placed.latest_ns <= self._fresh_ns
        ]
        if any(die.owner is None or die.slap == press for die in lay):
            return press
        return self._first_placed_after(press, dice) or (press if lay else None)

    def _first_placed_after(self, stamp: Stamp, dice: list[Place]) -> Stamp | None:
        """When the first of these dice came down for which a slap at that stamp may have been early."""
        after = [die.placed for die in dice if die.placed is not None and stamp.surely_before(die.placed)]
        return min(
            (each for each in after if each.latest_ns - stamp.latest_ns <= self._early_ns), default=None
        )
