"""A session of the store lived through once more, and compared with what was decided and shown then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import click

from firmware_host import __version__
from firmware_host.cli.telling import tell_line
from firmware_host.config.files import Unreadable
from firmware_host.durations import format_seconds
from firmware_host.errors import BadSettings, DamagedRecord, TableError
from firmware_host.files.input_files import read_start
from firmware_host.runtime.recorded_sessions import first_difference, replay
from firmware_host.store.audits import Audits
from firmware_host.store.store_reader import Decision, NotWritten, SessionLog, StoreReader, reading

IDENTICAL, DIFFERENT = 0, 1
_MAGIC = b"SQLite format 3\0"


class SessionNotKept(TableError):
    """What came in and was decided in a session is not kept any more."""


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


def replay_session(path: str, chosen: Chosen, say: Callable[[Decision], None] | None) -> int:
    """Live through a session again and tell whether it came to the same; the exit code."""
    with reading(path) as book:
        number, session_log = _session_log(book, chosen)
    if not session_log.decisions:  # it began with one
        raise SessionNotKept(
            f"{path}: session {number}: what was decided in it is not kept any more, so nothing can be "
            "compared; `keep-rounds` in [store] says for how long it is"
        )
    playing = replay(session_log, Audits(_now_text), _now_text)
    lived = playing.journal.lived
    if say is not None:
        for decision in lived[: len(session_log.decisions)]:
            say(decision)
    difference = first_difference(session_log.decisions, lived)
    versions = f"; it was written by {session_log.head.version}, and this is {__version__}"
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


def tell_decision(decision: Decision) -> None:
    """One line for a decision."""
    click.echo(f"{format_seconds(decision.t_ns):>18}  {tell_line(decision.effect)}")
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
            raise DamagedRecord(f"the store does not say any more which session round {chosen.round} was in")
    if number is None:
        number = max(numbers)
    if number not in numbers:
        raise BadSettings([f"the store has no session {number}; the last one is {max(numbers)}"])
    return number, book.session_log(numbers[number])


def _now_text() -> str:
    return datetime.now().isoformat(timespec="seconds")
