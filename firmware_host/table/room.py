"""What all phases have in common. The session is always in one room, which is its phase."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from firmware_host.engine.match import Match
from firmware_host.events import Command, Emptied, EndMatch, Filled, Pressed, Released, TagEvent
from firmware_host.stamps import Stamp
from firmware_host.states import AbandonReason, Phase

if TYPE_CHECKING:
    from firmware_host.table.session import Session


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
