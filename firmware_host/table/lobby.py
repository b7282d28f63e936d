"""Before a match: the table attracts players, and they sit down."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_host.effects import SeatTaken
from firmware_host.errors import IllegalEvent
from firmware_host.events import Command, Pressed, StartMatch
from firmware_host.states import Phase
from firmware_host.table.phases import Transition
from firmware_host.table.room import Room

if TYPE_CHECKING:
    from firmware_host.table.session import Session


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
