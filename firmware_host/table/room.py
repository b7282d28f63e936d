"""What every phase has in common: a room that the session is in."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from firmware_host.engine.match import Match
from firmware_host.events import Command, Emptied, EndMatch, Filled, Pressed, Released, TagEvent
from firmware_host.stamps import Stamp
from firmware_host.states import AbandonReason, Phase

if TYPE_CHECKING:
    from firmware_host.table.session import Session


class Room:
    """One phase while the table is in it. Rooms decide; the session remembers.

    Unless a room says otherwise, hands have no meaning in it, and `expire` is called when
    `deadline_ns` is reached.
    """

    phase: ClassVar[Phase]

    def __init__(self, session: Session, now_ns: int) -> None:
        self.session = session
        self.entered_ns = now_ns
        self.deadline_ns: int | None = None

    def pressed(self, event: Pressed, now_ns: int) -> None:
        """A seat's button went down."""

    def tapped(self, seat: int, now_ns: int) -> None:
        """A seat's button, pressed while in this room, came up again soon."""

    def released(self, event: Released, now_ns: int) -> None:
        """A seat's button came up, whatever it was pressed for."""

    def called(self, event: Pressed, now_ns: int) -> None:
        """A seat's call button went down."""

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        """A tag came to a reader, or went away."""

    def held(self, seat: int, now_ns: int) -> None:
        """A seat's button, pressed while in this room, has been down as long as a call takes."""

    def landed(self, event: Filled | Emptied, now_ns: int) -> None:
        """A slot changed."""

    def troubled(self, stamp: Stamp, now_ns: int) -> None:
        """What is wrong with the table has changed at that stamp."""

    def command(self, event: Command, now_ns: int) -> None:
        """The operator commands what is possible in this phase (see `phases.COMMANDS`).

        Raises IllegalEvent, and changes nothing, where it makes no sense all the same.
        """
        if isinstance(event, EndMatch):
            self.session.abandon(AbandonReason.OPERATOR, now_ns)

    def tick(self, now_ns: int) -> None:
        """Time has come to where `due_after_ns` pointed."""
        if self.deadline_ns is not None and now_ns >= self.deadline_ns:
            self.deadline_ns = None
            self.expire(now_ns)

    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next."""
        return self.deadline_ns

    def expire(self, now_ns: int) -> None:
        """The way out by time."""


class MatchRoom(Room):
    """A room in which a match is under way."""

    def __init__(self, session: Session, now_ns: int) -> None:
        super().__init__(session, now_ns)
        assert session.match is not None
        self.match: Match = session.match
