"""The last session at a start: a match that is resumed, or only its last standings."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from dataclasses import replace

from firmware_host.effects import MatchEnded, PhaseEntered
from firmware_host.errors import TableError
from firmware_host.runtime.recorded_sessions import RecordedSession, resume, resumes_without_progress
from firmware_host.states import Phase
from firmware_host.store.audits import Audits
from firmware_host.store.plausibility import is_of
from firmware_host.store.store_reader import SessionLog
from firmware_host.table.session import Session, Table

WIRED_OTHERWISE = "the wiring of the table has changed"

MOST_RESUMES = 8
"""After so many starts with nothing played in between, it may be the match itself that ends the daemon."""

log = logging.getLogger(__name__)


def resumed(
    session_log: SessionLog,
    table: Table,
    audits: Audits,
    now_text: Callable[[], str],
    refuse: Callable[[str], None],
    people: frozenset[int] | None = None,
) -> RecordedSession | None:
    """The session as it was when the table stopped, if something was going on; `refuse` gets why not.

    `people` are the seats that can play now, where that is known: without the others no round could end.
    """
    try:
        if last_phase(session_log) is Phase.ATTRACT:
            return None
        if not fits(session_log, table):
            refuse(WIRED_OTHERWISE)
            return None
        if resumes_without_progress(session_log) >= MOST_RESUMES:
            refuse(f"it was resumed {MOST_RESUMES} times, and nothing was played")
            return None
        recorded = resume(session_log, audits, now_text)
    except TableError as error:
        refuse(str(error))
        return None
    except Exception as error:  # a mistake that ended the daemon must not do so at each start again
        log.exception("the last match can't be resumed")
        refuse(f"internal error: {error!r}")
        return None
    session = recorded.shell.referee.session
    if session.phase is Phase.ATTRACT:
        return None
    if people is not None and not _can_play_on(session, people):
        refuse(f"it began with {_listed(session.seated)}, and now {_listed(people)} play")
        return None
    return recorded


def _can_play_on(session: Session, people: frozenset[int]) -> bool:
    """Whether these people are those of the match; as long as people join, more may come."""
    return session.seated <= people if session.phase is Phase.JOIN else session.seated == people


def _listed(seats: Collection[int]) -> str:
    return f"seat{'s' * (len(seats) > 1)} {', '.join(map(str, sorted(seats)))}"


def standings(session_log: SessionLog, table: Table) -> MatchEnded | None:
    """The last match that was played to its end, if it was at a table like this one."""
    if not fits(session_log, table):
        return None
    ended = [each.effect for each in session_log.decisions if isinstance(each.effect, MatchEnded)]
    last = ended[-1] if ended else session_log.head.last_match
    return last if last is not None and is_of(last, table) else None


def was_cut_off(session_log: SessionLog) -> bool:
    """Whether it ends in the middle of something."""
    return last_phase(session_log) is not Phase.ATTRACT


def last_phase(session_log: SessionLog) -> Phase:
    """What the table did when the session was cut off, as far as people can have seen it."""
    entered = [each.effect.phase for each in session_log.decisions if isinstance(each.effect, PhaseEntered)]
    return entered[-1] if entered else Phase.ATTRACT


def fits(session_log: SessionLog, table: Table) -> bool:
    """Whether that session was played at a table that is built like this one."""
    return _built_like(session_log.head.table) == _built_like(table)


def _built_like(table: Table) -> Table:
    """The table without what may differ from match to match."""
    return replace(table, rounds=None, deal=None, handicap=(), closed=frozenset())
