"""The last session at a start: a match that is resumed, or only its last standings."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable, Collection
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from firmware_host.games.session import Session, Table
from firmware_host.model.effects import MatchEnded, PhaseEntered
from firmware_host.model.errors import TableError
from firmware_host.model.states import Phase
from firmware_host.run.recorded_sessions import RecordedSession, resume, resumes_without_progress
from firmware_host.store.audits import Audits
from firmware_host.store.head import is_of
from firmware_host.store.identity import ForeignFile, to_write
from firmware_host.store.raw_file import copied, is_damage
from firmware_host.store.schema import NewerFile, migrate
from firmware_host.store.store_lock import StoreLock, StoreTaken
from firmware_host.store.store_opening import keep_aside, open_store, refusal
from firmware_host.store.store_reader import SessionLog, StoreReader
from hw.ports import Tell

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


# What the table knew when it stopped, read from its store at a start.
#
# No fault of the file keeps a table from playing. A broken file is kept aside. One that can't be written now
# (the disk is full, or can only be read) is still read, because a match may be under way in it.


TRIES = 5
"""How often a file that is in use is tried; each try waits for seconds."""


@dataclass(slots=True)
class Recovered:
    """What the table knew when it stopped."""

    session_log: SessionLog | None = None
    choices: dict[str, str] = field(default_factory=dict)
    games: int = 0
    players: dict[int, str] = field(default_factory=dict)
    """The names of the players by their numbers."""
    next_player: int = 1
    named_seats: dict[int, int] = field(default_factory=dict)
    """The numbers of the players who sit at the table, by seat."""
    trouble: str = ""
    """Why there is less than there was, if that is so."""


def recover(lock: StoreLock, tell: Tell, now_text: Callable[[], str]) -> Recovered:
    """All that can be known; what is wrong with the file is reported, and it is made usable.

    StoreTaken if another daemon has it. From here on the lock is held if the file can be locked at all.
    """
    path = lock.path
    try:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        log.error("%s can't be made: %s; %s", path, error.strerror, to_write(path, error))
        return Recovered()
    for _ in range(TRIES):
        try:
            with closing(open_store(lock, tell)) as connection:
                return _read(connection)
        except StoreTaken:
            raise
        except (ForeignFile, NewerFile) as error:
            log.error("%s; %s", *refusal(path, error))
            return Recovered()
        except (sqlite3.Error, TableError, UnicodeDecodeError) as error:
            if is_damage(error):
                return _kept_aside(path, error, tell, now_text)
            trouble = error
            if not _is_busy(error):
                break
    log.error("%s; %s", *refusal(path, trouble))
    return _without_writing(path, str(trouble))


def _is_busy(error: Exception) -> bool:
    return getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")


def _kept_aside(path: str, error: Exception, tell: Tell, now_text: Callable[[], str]) -> Recovered:
    try:
        health = keep_aside(path, error, now_text())
    except OSError as trouble:
        log.error("%s: %s, and it can't be moved: %s", path, error, trouble.strerror)
        return Recovered(trouble=str(error))
    tell(health)
    return Recovered(trouble=health.seen)


def _without_writing(path: str, trouble: str) -> Recovered:
    """Read a copy of a file that can't be written."""
    with suppress(sqlite3.Error, OSError, TableError, UnicodeDecodeError), copied(path) as connection:
        migrate(connection)
        return _read(connection)
    return Recovered(trouble=trouble if os.path.exists(path) else "")


def _read(connection: sqlite3.Connection) -> Recovered:
    """Each part for itself: a value that makes no sense must not keep the table from starting."""
    connection.text_factory = lambda text: text.decode(errors="replace")
    book = StoreReader(connection)
    was = Recovered()
    choices, games = book.choices(), book.games
    was.choices = {name: text for name, text in choices.items() if isinstance(text, str)}
    was.games = games if isinstance(games, int) else 0
    was.players, was.next_player, was.named_seats = book.players(), book.next_player, book.named_seats()
    try:
        was.session_log = book.last_session()
    except sqlite3.Error:
        raise
    except Exception as error:  # whatever stands there
        log.error("the last session can't be read: %r", error)
        was.trouble = f"the last session can't be read: {error}"
    return was
