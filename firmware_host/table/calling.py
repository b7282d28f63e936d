"""The calls that players make with their buttons while a round runs.

Dice: when all hold their buttons together nobody can place anything any more, and the round is void.

Cards: one call is stop, and one is stuck. Stop comes from the call button at the moment it goes down; or
from a long press, at the moment when it has been long enough. Stuck is called by all together, with
buttons held for longer. So where a long press may be either, it is stop as soon as somebody else's
button is up: at once, if one is, and else at the moment when the first one comes up. While all
are down it is the beginning of stuck.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.effects import Effect
from firmware_host.events import Released
from firmware_host.stamps import Stamp
from firmware_host.table.card_round import CardRound
from firmware_host.table.phases import Turn
from firmware_host.table.playing import Play

if TYPE_CHECKING:
    from firmware_host.table.session import Session


class DicePlay(Play):
    """A round of dice."""

    def held(self, seat: int, now_ns: int) -> None:
        if self.session.holding.keys() >= self.session.seated:
            self.session.turn(Turn.VOIDED, now_ns)


class CardPlay(Play):
    """A round of cards."""

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        assert isinstance(self.round, CardRound)
        self._round: CardRound = self.round
        self._long_press = not session.table.call_buttons

    def held(self, seat: int, now_ns: int) -> None:
        session = self.session
        self._round.held(seat)
        if self._long_press and seat in session.seated and not session.down >= session.seated:
            since = session.holding[seat]
            hold_ns = session.settings.hold_ns
            stamp = Stamp(since.earliest_ns + hold_ns, since.latest_ns + hold_ns)
            self._round.call_stop(seat, stamp, now_ns)

    def released(self, event: Released, now_ns: int) -> None:
        """All were down, and one is up again: those who go on holding call stop."""
        session = self.session
        self._round.held(event.seat)
        if not self._long_press or event.seat not in session.seated:
            return
        if session.down >= session.seated - {event.seat}:
            for seat in sorted(session.holding.keys() & session.seated):
                self._round.call_stop(seat, event.stamp, now_ns)

    def tick(self, now_ns: int) -> None:
        stuck_ns = self._stuck_ns()
        if stuck_ns is not None and stuck_ns <= now_ns:
            out: list[Effect] = []
            self._round.call_stuck(now_ns, out)
            self.session.emit_all(out)
            self.session.turn(Turn.STUCK, now_ns)
            return
        super().tick(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        due_ns, stuck_ns = super().due_after_ns(now_ns), self._stuck_ns()
        if stuck_ns is None or (due_ns is not None and due_ns < stuck_ns):
            return due_ns
        return stuck_ns

    def _stuck_ns(self) -> int | None:
        """When all will have held their buttons for long enough, if all do."""
        session = self.session
        if not session.holding.keys() >= session.seated:
            return None
        last_ns = max(session.holding[seat].latest_ns for seat in session.seated)
        return last_ns + session.settings.all_hold_ns + session.settings.settle_ns
