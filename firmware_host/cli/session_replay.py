"""A recorded session, replayed and compared with what was decided and shown then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import click

from firmware_host import __version__
from firmware_host.config.files import Unreadable
from firmware_host.durations import format_seconds
from firmware_host.errors import BadSettings, DamagedRecord, TableError
from firmware_host.feed.sockets import FEED_SOCKET
from firmware_host.files.input_files import read_start
from firmware_host.runtime.feed_outlet import FeedOutlet
from firmware_host.runtime.playback import Playback
from firmware_host.runtime.recorded_sessions import RecordedSession, first_difference
from firmware_host.runtime.recorded_sessions import replay as replayed_session
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.store.audits import Audits
from firmware_host.store.store_reader import Decision, NotWritten, SessionLog, StoreReader, reading

IDENTICAL, DIFFERENT = 0, 1
_MAGIC = b"SQLite format 3\0"


class SessionNotKept(TableError):
    """The inputs and decisions of a session are not kept any more."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which session: by its number, by one of its rounds, or the last one."""

    session_log: int | None = None
    round: int | None = None


def is_store(path: Path) -> bool:
    """Whether this file is a store and no text."""
    try:
        return read_start(path, len(_MAGIC)) == _MAGIC
    except Unreadable:
        return False


@dataclass(frozen=True, slots=True)
class Showing:
    """Where a feed is to tell of the replay, and at how many times the real pace."""

    folder: Path
    speed: float


def replay_session(
    path: str, chosen: Chosen, on_decision: Callable[[Decision], None] | None, showing: Showing | None = None
) -> int:
    """The exit code; replays a session and prints whether it came to the same."""
    with reading(path) as book:
        number, session_log = _session_log(book, chosen)
        first = book.round(chosen.round).first_effect if chosen.round is not None else 0
    if not session_log.decisions:  # it began with one
        raise SessionNotKept(
            f"{path}: session {number}: its decisions are not kept any more, so there is nothing to "
            "compare; `keep-rounds` in [store] sets how long they are kept"
        )
    if showing is None:
        recorded = replayed_session(session_log, Audits(_now_text), _now_text)
    else:
        recorded = _show(session_log, showing, session_log.decisions[first].t_ns)
    replayed = recorded.journal.decisions
    if on_decision is not None:
        for decision in replayed[: len(session_log.decisions)]:
            on_decision(decision)
    difference = first_difference(session_log.decisions, replayed)
    versions = f"; it was recorded by {session_log.head.version}, and this is {__version__}"
    other = versions if session_log.head.version != __version__ else ""
    if difference:
        click.echo(f"{path}: session {number}: {difference}{other}", err=True)
        return DIFFERENT
    digests = sum(decision.shown is not None for decision in session_log.decisions)
    click.echo(
        f"{path}: session {number}: identical: {len(session_log.decisions)} decisions from "
        f"{len(session_log.entries)} inputs, {digests} digests of frames and pages"
    )
    return IDENTICAL


def _show(session_log: SessionLog, showing: Showing, from_ns: int) -> RecordedSession:
    """The session replayed for the readers of a feed."""
    outlet = FeedOutlet(showing.folder)
    click.echo(f"the feed: {showing.folder / FEED_SOCKET} (Ctrl-C ends)", err=True)
    with closing(outlet):
        playback = Playback(outlet, showing.speed)
        return playback.play(session_log, Audits(_now_text), _now_text, from_ns)


def print_decision(decision: Decision) -> None:
    """Print a decision."""
    click.echo(f"{format_seconds(decision.t_ns):>18}  {effect_sentence(decision.effect)}")
    if decision.shown is not None:
        click.echo(f"{'':>18}  shown by then: {decision.shown}")


def _session_log(book: StoreReader, chosen: Chosen) -> tuple[int, SessionLog]:
    numbers = book.session_logs()
    if not numbers:
        for words in book.losses:
            raise DamagedRecord(words)
        raise NotWritten("the store is empty: nothing was played yet")
    number = chosen.session_log
    if chosen.round is not None:
        of_round = book.round(chosen.round).session_log
        number = next((n for n, id in numbers.items() if id == of_round), None)
        if number is None:
            raise DamagedRecord(f"the store no longer says which session round {chosen.round} was in")
    if number is None:
        number = max(numbers)
    if number not in numbers:
        raise BadSettings([f"the store has no session {number}; the last one is {max(numbers)}"])
    return number, book.session_log(numbers[number])


def _now_text() -> str:
    return datetime.now().isoformat(timespec="seconds")
