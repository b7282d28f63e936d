"""The last sessions of a store for a bundle: what came in, without names, and what comes of it again.

Nothing is copied. Each input is read and written again, with stand-ins in the fields that have names; all
else is made of them by a replay. So whoever helps can replay it, too.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

from firmware_host.doctor.practice.stand_ins import StandIns
from firmware_host.doctor.practice.wordings import MOMENT, OUT, is_harmless, wording
from firmware_host.engine.games import Game
from firmware_host.errors import DamagedRecord, MalformedText
from firmware_host.events import DeviceChanged, Shown, StartMatch, Withdrawn
from firmware_host.input_text import Input
from firmware_host.places import Stranger
from firmware_host.runtime.chapters import replay
from firmware_host.runtime.journal import chapter_row, input_row
from firmware_host.settings import LANGUAGES
from firmware_host.store.audits import Audits
from firmware_host.store.book import Book, Chapter, Entry, reading
from firmware_host.store.head import Head
from firmware_host.store.schema import connect, migrate
from firmware_host.store.writer import Row

SESSIONS, LOG_LINES = 5, 1000
_AUDIT = "INSERT OR REPLACE INTO audits (kind, name, count, last, game) VALUES (?, ?, ?, ?, ?)"
_LOG = "INSERT INTO log (at, kind, text) VALUES (?, ?, ?)"


def sessions_of(path: str, stand_ins: StandIns) -> tuple[bytes, list[str]]:
    """A store with the last sessions, and what a replay of each has shown; TableError if there is none."""
    rows: list[Row] = []
    told: list[str] = []
    with reading(path) as book:
        for id in list(book.chapters().values())[-SESSIONS:]:
            number = len(told) + 1
            try:
                chapter = book.chapter(id)
                masked = replace(
                    chapter, id=number, head=_head(chapter.head), entries=_entries(chapter, stand_ins)
                )
            except (DamagedRecord, MalformedText):
                told.append(f"session {number}: it can't be read, and is left out")
                continue
            told.append(f"session {number}: {_outcome(chapter)}")
            rows += _rows(masked)
        rows += _audits(book, stand_ins)
        rows += [(_LOG, (moment(at), wording(kind), wording(text))) for at, kind, text in book.log(LOG_LINES)]
    return _file(rows), told


def moment(text: str) -> str:
    """A time of day, and nothing else."""
    return text if MOMENT.fullmatch(text) else ""


def _head(head: Head) -> Head:
    """The head of a session without the event; MalformedText if it has texts where there should be none."""
    if not all(
        map(_is_plain, (head.table, head.settings, head.columns, head.seed, head.t_ns, head.last_match))
    ):
        raise MalformedText("the head of a session has a text where a number should be")
    version = head.version if is_harmless(head.version) else ""
    return replace(head, version=version, begun=moment(head.begun), event="")


def _is_plain(value: object) -> bool:
    """Whether this is made of numbers, but for what can be one of a few words only."""
    if is_dataclass(value) and not isinstance(value, Game):
        return all(_is_plain(getattr(value, each.name)) for each in fields(value))
    if isinstance(value, tuple | frozenset):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, int | Game) or value in LANGUAGES


def _entries(chapter: Chapter, stand_ins: StandIns) -> tuple[Entry, ...]:
    """All that came in, without names."""
    entries = tuple(replace(entry, seen=_masked(entry.seen, stand_ins)) for entry in chapter.entries)
    if not all(isinstance(ns, int) for entry in entries for ns in (entry.advanced_ns, entry.arrived_ns)):
        raise MalformedText("an input has a text for a time")
    return entries


def _masked(seen: Input, stand_ins: StandIns) -> Input:
    if isinstance(seen, DeviceChanged):
        return replace(seen, device=stand_ins.device(seen.device), words="")
    if isinstance(seen, Shown | Withdrawn) and isinstance(seen.tag, Stranger):
        return replace(seen, tag=Stranger(stand_ins.tag(seen.tag.uid)))
    if isinstance(seen, StartMatch) and seen.position:
        raise MalformedText("no daemon begins with a position")
    return seen


def _outcome(chapter: Chapter) -> str:
    """What has come of replaying a session as it was written."""
    try:
        again = replay(chapter, Audits(lambda: ""), lambda: "").journal.lived
    except Exception as error:  # whatever it is, whoever gets the bundle has to know it
        return f"a replay ends in {type(error).__name__}"
    for n, decision in enumerate(chapter.decisions):
        if again[n : n + 1] != [decision]:
            names = [type(each.effect).__name__ for each in (decision, *again[n : n + 1])]
            return f"a replay differs at decision {n}: {' is now '.join(names)}"
    return f"a replay is identical: {len(chapter.decisions)} decisions from {len(chapter.entries)} inputs"


def _rows(masked: Chapter) -> list[Row]:
    """What is to be written of a session: what came in, and what comes of it here."""
    rows: list[Row] = [chapter_row(masked.id, masked.head)]
    rows += (
        input_row(masked.id, n, entry.advanced_ns, entry.arrived_ns, entry.seen)
        for n, entry in enumerate(masked.entries)
    )
    with suppress(Exception):  # `_outcome` has told it; the inputs that lead to it are there
        rows += replay(masked, Audits(lambda: ""), lambda: masked.head.begun).journal.rows
    return rows


def _audits(book: Book, stand_ins: StandIns) -> Iterator[Row]:
    games = book.games
    for each in book.audits():
        name = wording(each.name)
        name = stand_ins.device(each.name) if name == OUT else name
        numbers = (each.count, each.games_since)
        if all(isinstance(number, int) for number in numbers):
            kind, last = wording(each.kind), moment(each.last)
            yield _AUDIT, (kind, name, each.count, last, games - each.games_since)


def _file(rows: list[Row]) -> bytes:
    """A store with these rows and nothing else."""
    with tempfile.TemporaryDirectory(prefix="ligretto-table-") as folder:
        path = Path(folder) / "store.db"
        with closing(connect(str(path))) as store:
            migrate(store)
            store.execute("BEGIN")
            for statement, values in rows:
                store.execute(statement, values)
            store.execute("COMMIT")
            store.execute("PRAGMA journal_mode = DELETE")
        return path.read_bytes()
