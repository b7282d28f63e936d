"""Before each round and after the match: scores, clearing the board and dealing, the standings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.effects import MatchEnded
from firmware_host.events import Emptied, Filled, TagEvent
from firmware_host.stamps import Stamp
from firmware_host.states import AbandonReason, Phase
from firmware_host.table.phases import Transition
from firmware_host.table.room import MatchRoom

if TYPE_CHECKING:
    from firmware_host.table.session import Session


class _AgreementRoom(MatchRoom):
    """A room that ends early when all seated players have pressed once whose buttons work."""

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self.agreed: set[int] = set()

    def tapped(self, seat: int, now_ns: int) -> None:
        if seat in self.session.seated:
            self.agreed.add(seat)
            if self.agreed >= self.session.able:
                self.everybody(now_ns)

    def everybody(self, now_ns: int) -> None:
        """All seated players whose buttons work have pressed."""
        self.expire(now_ns)


class Scores(_AgreementRoom):
    """The points of the round. They stand for a while, or until players begin to clear the board."""

    phase = Phase.SCORES

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self.deadline_ns = now_ns + session.settings.scores_ns

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        if isinstance(event, Emptied):
            self.expire(now_ns)

    def expire(self, now_ns: int) -> None:
        self.session.follow(Transition.SHOWN, now_ns)


class Clear(_AgreementRoom):
    """Occupied slots blink until the board is empty. Then everybody deals, and presses when ready.

    If anybody is ready when time is up, all seated players play on. If nobody is, the match is
    abandoned. After the last round it is enough that the board is empty.

    Whoever sorts cards or shows dice is still there: each tag that comes or goes restarts the timeout. A
    reader may be noisy, so together that takes no longer than a pause may.
    """

    phase = Phase.CLEAR

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        session.round = None
        self._over = self.match.over
        self._cleared = not session.occupied
        settings = session.settings
        nothing_to_do = self._over and self._cleared
        self._latest_ns = now_ns + (0 if nothing_to_do else max(settings.clear_ns, settings.paused_ns))
        self._wait(now_ns)

    def tapped(self, seat: int, now_ns: int) -> None:
        """Nobody can be ready before the board is empty: the dice have to be dealt first."""
        if not self.session.occupied:
            super().tapped(seat, now_ns)

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        self._wait(now_ns)

    def _wait(self, now_ns: int) -> None:
        """Give the players the whole time once more, as far as there is any left."""
        self.deadline_ns = min(now_ns + self.session.settings.clear_ns, self._latest_ns)

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        self._look(now_ns)

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        """A masked slot does not keep anybody from playing on."""
        if self._cleared is bool(self.session.occupied):
            self._look(now_ns)

    def _look(self, now_ns: int) -> None:
        self._cleared = not self.session.occupied
        if not self._cleared:
            self.agreed.clear()
        self.session.ask(now_ns)
        if self._over and self._cleared:
            self._finish_match(now_ns)

    def expire(self, now_ns: int) -> None:
        if self._over:
            self._finish_match(now_ns)
        elif self.agreed:
            self.session.follow(Transition.READY, now_ns)
        else:
            self.session.abandon(AbandonReason.UNREADY, now_ns)

    def _finish_match(self, now_ns: int) -> None:
        match = self.match
        self.session.follow(Transition.OVER, now_ns)
        self.session.emit(MatchEnded(match.seats, match.totals, match.winners))


class Result(_AgreementRoom):
    """The standings of the match. After that the table is free for others."""

    phase = Phase.RESULT

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self.deadline_ns = now_ns + session.settings.result_ns

    def expire(self, now_ns: int) -> None:
        self.session.follow(Transition.SHOWN, now_ns)
