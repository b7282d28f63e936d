"""The calls that players make with their buttons while a round runs.

Dice: when all hold their buttons together, nobody can place anything any more, and the round is void.

Cards: there are two calls, stop and stuck. Stop is called with the call button, at the moment it goes down,
or with a long press, at the moment when it has been long enough. Stuck is called by all seats together, with
a longer press. So where a long press may be either, it is stop as soon as the button of another seat is up:
at once if one is up already, else when the first one comes up. While all buttons are down nobody can slap,
so it does not matter how long that takes. It would matter where cards are laid on piles: there nothing
counts any more from when the first press has been long enough, whichever call it is.

A seat with a masked button can't hold it, and nobody waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.events import Released
from firmware_host.stamps import Stamp, exactly
from firmware_host.states import VoidReason
from firmware_host.table.card_round import CardRound, StopCall
from firmware_host.table.phases import Transition
from firmware_host.table.playing import Play

if TYPE_CHECKING:
    from firmware_host.table.session import Session


class DicePlay(Play):
    """A round of dice."""

    def held(self, seat: int, now_ns: int) -> None:
        if self.session.holding.keys() >= self.session.able:
            self.void(VoidReason.STUCK, now_ns, self.session.holding)


class CardPlay(Play):
    """A round of cards."""

    round: CardRound

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self._long_press = not session.table.call_buttons
        self._undecided: StopCall | None = None  # on a table of piles, while all are down

    def held(self, seat: int, now_ns: int) -> None:
        session = self.session
        self.round.was_long_press(seat)
        if not self._long_press or seat not in session.able:
            return
        since = session.holding[seat]
        hold_ns = session.settings.hold_ns
        stamp = Stamp(since.earliest_ns + hold_ns, since.latest_ns + hold_ns)
        if not session.down >= session.able:
            self.round.call_stop(seat, stamp, now_ns)
        elif not session.table.pads and self._undecided is None:
            self._undecided = StopCall(seat, stamp)
            self.round.stop(stamp.latest_ns)

    def released(self, event: Released, now_ns: int) -> None:
        """All buttons were down and one has come up: those that are still held call stop."""
        session = self.session
        self.round.was_long_press(event.seat)
        if not self._long_press or event.seat not in session.able:
            return
        if self._undecided is not None:
            self.round.call_stop(*self._undecided, now_ns)
        elif session.down >= session.able - {event.seat}:
            for seat in sorted(session.holding.keys() & session.able):
                self.round.call_stop(seat, event.stamp, now_ns)

    def tick(self, now_ns: int) -> None:
        stuck_ns = self._stuck_ns()
        if stuck_ns is not None and stuck_ns <= now_ns:
            stamp = exactly(now_ns) if self._undecided is None else self._undecided.stamp
            self.round.call_stuck(stamp, now_ns)
            self.session.follow(Transition.STUCK, now_ns)
        else:
            super().tick(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        due_ns, stuck_ns = super().due_after_ns(now_ns), self._stuck_ns()
        if stuck_ns is None or (due_ns is not None and due_ns < stuck_ns):
            return due_ns
        return stuck_ns

    def _stuck_ns(self) -> int | None:
        """When all will have held their buttons long enough for stuck; None if not all hold them."""
        session = self.session
        able = session.able
        if not able or not session.holding.keys() >= able:
            return None
        last_ns = max(session.holding[seat].latest_ns for seat in able)
        return last_ns + session.settings.all_hold_ns + session.settings.settle_ns
