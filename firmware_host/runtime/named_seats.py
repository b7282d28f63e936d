"""Who sits at the table while it is played, and when a name leaves its seat.

People play several matches, and strangers follow them without a word. So a name stays for the next match. It
leaves when a match begins in which nothing is dealt to its seat, and when nobody has played for ten minutes.
In the results of a match there are the names of those who sit there at its end, so a name can be given late.
"""

from __future__ import annotations

from firmware_host.durations import S
from firmware_host.effects import PhaseEntered, RoundStarted
from firmware_host.referee.step import Step
from firmware_host.runtime.recorded_sessions import RecordedSession
from firmware_host.runtime.roster import Roster
from firmware_host.states import Phase
from firmware_host.store import player_rows
from firmware_host.store.writer import Writer

GONE_NS = 600 * S
"""After so long without a match everybody has gone."""
_OVER = (Phase.ATTRACT, Phase.JOIN)


class NamedSeats:
    """Follows one session after the other, and writes who sat where in each match."""

    def __init__(self, roster: Roster, writer: Writer) -> None:
        self.roster = roster
        self._writer = writer
        self._recorded: RecordedSession | None = None
        self._match: int | None = None
        """The number of the match that is played, in its session."""
        self._busy_ns: int | None = None
        """When somebody played last, or was named."""
        roster.on_seats = self._reseated

    def begin(self, recorded: RecordedSession) -> None:
        """From now on this session is played; a match may be under way in it."""
        self._recorded = recorded
        session, matches = recorded.shell.referee.session, recorded.journal.results.matches
        self._match = matches if matches and session.phase not in _OVER else None
        recorded.shell.onlookers.append(self._follow)
        self._write()

    def look(self, now_ns: int, idle: bool) -> None:
        """Called while time goes by; `idle` says that nobody plays."""
        if self._busy_ns is None or not idle or now_ns < self._busy_ns:
            self._busy_ns = now_ns
        elif self.roster.seats and now_ns - self._busy_ns >= GONE_NS:
            self.roster.leave(*self.roster.seats)

    def _reseated(self) -> None:
        self._busy_ns = None
        self._write()

    def _follow(self, step: Step) -> None:
        for effect in step.effects:
            if isinstance(effect, RoundStarted):
                self._round(effect)
            elif isinstance(effect, PhaseEntered) and effect.phase in _OVER and self._match is not None:
                self._match = None
                self.roster.keep()

    def _round(self, started: RoundStarted) -> None:
        """A round has started; with the first one of a match, whoever is not dealt anything has left."""
        assert self._recorded is not None
        matches = self._recorded.journal.results.matches
        if matches == self._match:
            return
        self._match = matches
        hands = started.hands
        absent = [seat for seat in self.roster.seats if seat > len(hands) or not hands[seat - 1]]
        if absent:
            self.roster.leave(*absent)  # which writes the others
        else:
            self._write()

    def _write(self) -> None:
        if self._match is not None and self._recorded is not None:
            id = self._recorded.journal.id
            self._writer.put(player_rows.seats_of_match(id, self._match, self.roster.seats))
