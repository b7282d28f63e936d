"""What all phases have in common. The session is always in one room, which is its phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from firmware_host.games.games import Match
from firmware_host.games.phases import Transition
from firmware_host.model.effects import MatchEnded, SeatTaken
from firmware_host.model.errors import IllegalEvent
from firmware_host.model.events import (
    Command,
    Emptied,
    EndMatch,
    Filled,
    Pressed,
    Released,
    StartMatch,
    TagEvent,
)
from firmware_host.model.states import AbandonReason, Phase
from firmware_host.model.times import Stamp

if TYPE_CHECKING:
    from firmware_host.games.session import Session


class Room:
    """A phase while the table is in it. Rooms decide, and the session keeps the state.

    By default, inputs have no meaning in a room, and `expire` is called at `deadline_ns`.
    """

    phase: ClassVar[Phase]

    def __init__(self, session: Session, now_ns: int) -> None:
        self.session = session
        self.entered_ns = now_ns
        self.deadline_ns: int | None = None

    def pressed(self, event: Pressed, now_ns: int) -> None:
        """A seat's button went down."""

    def tapped(self, seat: int, now_ns: int) -> None:
        """A seat's button that was pressed in this room came up after a short press."""

    def released(self, event: Released, now_ns: int) -> None:
        """A seat's button came up after any press."""

    def called(self, event: Pressed, now_ns: int) -> None:
        """A seat's call button went down."""

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        """A tag came to a reader, or went away."""

    def held(self, seat: int, now_ns: int) -> None:
        """A seat's button that was pressed in this room has been down for a long press."""

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        """A slot changed."""

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        """The troubles of the table changed at that stamp."""

    def command(self, event: Command, now_ns: int) -> None:
        """The operator gives a command that is possible in this phase (see `phases.COMMANDS`).

        Raises IllegalEvent, and changes nothing, if it makes no sense now.
        """
        if isinstance(event, EndMatch):
            self.session.abandon(AbandonReason.OPERATOR, now_ns)

    def decide(self, known_ns: int, now_ns: int) -> None:
        """Decide what is due now that everything that happened up to `known_ns` is known."""

    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""
        return None

    def tick(self, now_ns: int) -> None:
        """Do what is due by the clock."""
        if self.deadline_ns is not None and now_ns >= self.deadline_ns:
            self.deadline_ns = None
            self.expire(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next."""
        return self.deadline_ns

    def expire(self, now_ns: int) -> None:
        """Time is up."""


class MatchRoom(Room):
    """A room in which a match is under way."""

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        assert session.match is not None
        self.match: Match = session.match


class _Lobby(Room):
    """An operator can start a match from either room."""

    def command(self, event: Command, now_ns: int) -> None:
        if not isinstance(event, StartMatch):
            super().command(event, now_ns)
            return
        session = self.session
        seats = session.table.seats
        if len(event.deal) > seats:
            raise IllegalEvent("StartMatch", self.phase.name, f"this table has {seats} seats")
        game = session.table.game
        deal = game.checked_deal(event.deal + (0,) * (seats - len(event.deal)))
        session.call_match(deal, now_ns, event.position, dealt=event.dealt)


class Attract(_Lobby):
    """Nobody plays. The first press sits down and opens the table for others."""

    phase = Phase.ATTRACT

    def pressed(self, event: Pressed, now_ns: int) -> None:
        if event.stamp.earliest_ns < self.entered_ns:
            return  # it was meant for the last phase
        if event.seat in self.session.table.closed:
            return
        self.session.seated.add(event.seat)
        self.session.follow(Transition.SEATED, now_ns)
        self.session.emit(SeatTaken(event.seat))


class Join(_Lobby):
    """A press takes a seat. Dealing begins when the table is full, by a call, or when time is up."""

    phase = Phase.JOIN

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        self.deadline_ns = now_ns + session.settings.join_ns

    def pressed(self, event: Pressed, now_ns: int) -> None:
        session = self.session
        if event.seat in session.seated or event.seat in session.table.closed:
            return
        session.seated.add(event.seat)
        session.emit(SeatTaken(event.seat))
        full = len(session.seated) == session.table.open_seats
        self.deadline_ns = now_ns + (session.settings.count_ns if full else session.settings.join_ns)

    def held(self, seat: int, now_ns: int) -> None:
        if len(self.session.seated) >= self.session.table.game.fewest_seats:
            self.expire(now_ns)

    def expire(self, now_ns: int) -> None:
        session = self.session
        if len(session.seated) < session.table.game.fewest_seats:
            session.follow(Transition.DESERTED, now_ns)
            return
        present = [seat in session.seated for seat in range(1, session.table.seats + 1)]
        agreed = session.table.deal
        fits = agreed is not None and [dice > 0 for dice in agreed] == present
        session.begin_match(agreed if agreed and fits else session.table.usual_deal(present), now_ns)
        session.follow(Transition.JOINED, now_ns)


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
