"""The calls that players make with their buttons while a round runs.

Dice: when all hold their buttons together, nobody can place anything any more, and the round is void. One
seat that holds its button says that it has none left: a stray slap may have taken its last die. That is a
stop call if it can be true. It counts from when the button went down, or from the last slap before that, or
from the die that one of these was early for. So slaps made after the press wait until it is known whether
the button comes up.

Cards: there are two calls, stop and stuck. Stop is called with the call button or with a long press, and is
dated by the moment at which the button went down (see card_round.py). Stuck is called by all seats
together, with a longer press. So where a long press may be either, it is stop as soon as the button of
another seat is up: at once if one is up already, else when the first one comes up. While all buttons are
down nobody can slap. Cards that are laid on piles meanwhile wait for the decision; if it is stuck, they
count up to when the first press was long enough.

A seat with a masked button can't hold it, and nobody waits for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.events import Released
from firmware_host.stamps import Stamp, exactly
from firmware_host.states import VoidReason
from firmware_host.table.card_round import CardRound
from firmware_host.table.dice_round import DiceRound, NoneLeftCall
from firmware_host.table.phases import Transition
from firmware_host.table.playing import Play

if TYPE_CHECKING:
    from firmware_host.table.session import Session


class DicePlay(Play):
    """A round of dice."""

    round: DiceRound

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self._calls: list[NoneLeftCall] = []
        self._called: set[NoneLeftCall] = set()
        """Each press calls once; if that can't be true, it does not become so later."""

    def held(self, seat: int, now_ns: int) -> None:
        session = self.session
        if session.holding.keys() >= session.able:
            self.void(VoidReason.STUCK, now_ns, session.holding)
        elif not session.down >= session.able:
            self._call(seat)

    def released(self, event: Released, now_ns: int) -> None:
        """All buttons were down and one has come up: who still holds one has none left."""
        session = self.session
        if session.down >= session.able - {event.seat}:
            for seat in session.holding:
                self._call(seat)

    def decide(self, known_ns: int, now_ns: int) -> None:
        """Slaps that were made after a press that may become a stop call wait until it is known."""
        session, round_ = self.session, self.round
        if self._calls:
            round_.say_none_left(self._calls, now_ns)
            self._calls = []
        round_.presses = [
            NoneLeftCall(*press) for press in session.pressing.items() if press[0] in session.able
        ]
        super().decide(known_ns, now_ns)

    def _call(self, seat: int) -> None:
        session = self.session
        call = NoneLeftCall(seat, session.holding[seat])
        if seat in session.able and call not in self._called:
            self._called.add(call)
            self._calls.append(call)


class CardPlay(Play):
    """A round of cards."""

    round: CardRound

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self._long_press = not session.table.call_buttons
        self._undecided: Stamp | None = None
        """When the first press was long enough on a table of piles, while all are down."""

    def held(self, seat: int, now_ns: int) -> None:
        session = self.session
        self.round.was_long_press(seat)
        if not self._long_press or seat not in session.able:
            return
        since = session.holding[seat]
        hold_ns = session.settings.hold_ns
        stamp = Stamp(since.earliest_ns + hold_ns, since.latest_ns + hold_ns)
        if not session.down >= session.able:
            self.round.call_with_press(seat, stamp, session.known_ns)
        elif not session.table.pads and self._undecided is None and self.round.may_call(seat):
            self._undecided = stamp

    def released(self, event: Released, now_ns: int) -> None:
        """All buttons were down and one has come up: those that are still held, and may, call stop."""
        session = self.session
        self.round.judge_press(event.seat)
        if not self._long_press or event.seat not in session.able:
            return
        self._undecided = None
        if session.down >= session.able - {event.seat}:
            for seat in sorted(session.holding.keys() & session.able):
                if self.round.may_call(seat):
                    self.round.call_with_press(seat, event.stamp, session.known_ns)

    def decide(self, known_ns: int, now_ns: int) -> None:
        stuck_ns = self._stuck_ns()
        if stuck_ns is not None and stuck_ns <= known_ns:
            stamp = exactly(stuck_ns) if self._undecided is None else self._undecided
            self.round.call_stuck(stamp, now_ns)
            self.session.follow(Transition.STUCK, now_ns)
        else:
            super().decide(known_ns, now_ns)

    def awaits_after_ns(self, known_ns: int) -> int | None:
        awaits_ns, stuck_ns = super().awaits_after_ns(known_ns), self._stuck_ns()
        if stuck_ns is None or (awaits_ns is not None and awaits_ns < stuck_ns):
            return awaits_ns
        return stuck_ns

    def _stuck_ns(self) -> int | None:
        """When all will have held their buttons long enough for stuck; None if not all hold them."""
        session = self.session
        able = session.able
        if not able or not session.holding.keys() >= able:
            return None
        last_ns = max(session.holding[seat].latest_ns for seat in able)
        return last_ns + session.settings.all_hold_ns
