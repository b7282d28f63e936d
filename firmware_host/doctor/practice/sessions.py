"""The last sessions of a store for a bundle: what came in, without names, and the result of a replay.

Each input is read and written again, with stand-ins in the fields that have names. All else is made of the
inputs, so whoever helps can replay it, too.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace

from firmware_host.doctor.practice.redaction import Redaction, moment
from firmware_host.errors import DamagedRecord, MalformedText
from firmware_host.events import DeviceChanged, Shown, StartMatch, Withdrawn
from firmware_host.input_text import Input
from firmware_host.places import Stranger
from firmware_host.runtime.journal import input_row, session_row
from firmware_host.runtime.recorded_sessions import first_difference, replay
from firmware_host.states import DeviceCondition
from firmware_host.store.audits import Audits
from firmware_host.store.schema import migrate
from firmware_host.store.store_reader import SessionLog, StoreReader, reading
from firmware_host.store.writer import Row

SESSIONS, LOG_LINES = 5, 1000
_AUDIT = "INSERT OR REPLACE INTO audits (kind, name, count, last, game) VALUES (?, ?, ?, ?, ?)"
_LOG = "INSERT INTO log (at, kind, text) VALUES (?, ?, ?)"


def sessions_of(path: str, redaction: Redaction) -> tuple[bytes, list[str]]:
    """A store with the last sessions, and what a replay of each has shown; TableError if there is none."""
    rows: list[Row] = []
    shown: list[str] = []
    with reading(path) as book:
        for number, id in enumerate(list(book.session_logs().values())[-SESSIONS:], start=1):
            try:
                session_log = book.session_log(id)
                rows += _session(_redacted_session(session_log, number, redaction))
                shown.append(f"session {number}: {_outcome(session_log)}")
            except (DamagedRecord, MalformedText):
                shown.append(f"session {number}: it can't be read, and is left out")
        rows += _audits(book, redaction)
        rows += [(_LOG, (moment(at), *map(redaction.text, texts))) for at, *texts in book.log(LOG_LINES)]
    return _file(rows), shown


def _redacted_session(session_log: SessionLog, number: int, redaction: Redaction) -> SessionLog:
    head = session_log.head
    named = replace(head, version=redaction.text(head.version), begun=moment(head.begun), event="")
    entries = tuple(replace(entry, seen=_nameless(entry.seen, redaction)) for entry in session_log.entries)
    return replace(session_log, id=number, head=named, entries=entries)


def _nameless(seen: Input, redaction: Redaction) -> Input:
    if isinstance(seen, DeviceChanged):
        name = redaction.name(seen.device.name)
        return replace(seen, device=DeviceCondition(name, seen.device.condition))
    if isinstance(seen, Shown | Withdrawn) and isinstance(seen.tag, Stranger):
        return replace(seen, tag=Stranger(redaction.tag(seen.tag.uid)))
    if isinstance(seen, StartMatch) and seen.position:
        raise MalformedText("no daemon begins with a position")
    return seen


def _outcome(session_log: SessionLog) -> str:
    """What has come of replaying a session as it was written."""
    try:
        again = replay(session_log, Audits(lambda: ""), lambda: "").journal.decisions
    except Exception as error:  # whatever it is, whoever gets the bundle has to know it
        return f"a replay ends in {type(error).__name__}"
    for n, decision in enumerate(session_log.decisions):
        if first_difference([decision], again[n : n + 1]):
            names = [type(each.effect).__name__ for each in (decision, *again[n : n + 1])]
            return f"a replay differs at decision {n}: {' is now '.join(names)}"
    decisions, entries = len(session_log.decisions), len(session_log.entries)
    return f"a replay is identical: {decisions} decisions from {entries} inputs"


def _session(session_log: SessionLog) -> Iterator[Row]:
    """What is to be written of a session: what came in, and what comes of it here."""
    yield session_row(session_log.id, session_log.head)
    for n, entry in enumerate(session_log.entries):
        yield input_row(session_log.id, n, entry.advanced_ns, entry.arrived_ns, entry.seen)
    with suppress(Exception):  # `_outcome` reports it; the inputs that lead to it are there
        yield from replay(session_log, Audits(lambda: ""), lambda: session_log.head.begun).journal.rows


def _audits(book: StoreReader, redaction: Redaction) -> Iterator[Row]:
    games = book.games
    for each in book.audits():
        kind, name, last = redaction.text(each.kind), redaction.name(each.name), moment(each.last)
        yield _AUDIT, (kind, name, each.count, last, games - each.games_since)


def _file(rows: Sequence[Row]) -> bytes:
    """A store with these rows and nothing else."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as store:
        migrate(store)
        for statement, values in rows:
            store.execute(statement, values)
        return store.serialize()
