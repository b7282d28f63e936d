"""Reading sessions: how each began, its inputs, and its effects.

Everything is checked: what makes no sense is left out, and added to `losses`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from firmware_host.model.effects import KINDS, Effect, parse_effect
from firmware_host.model.errors import DamagedRecord, MalformedText, TableError
from firmware_host.model.events import Input, SourceEdge, parse_input
from firmware_host.model.places import Button, Call
from firmware_host.store import row_reading
from firmware_host.store.head import Head, check_effect, check_head, check_input, parse_head
from firmware_host.store.row_reading import Losses, Queries, StoredRow, each_of, whole_numbers

EVERY = 2**62
"""A number higher than any in a store."""
_BEFORE = len('{"is":"')


class NotWritten(TableError):
    """The store has nothing with that number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An input: the time to which the table had been advanced, when it arrived, and what it is."""

    advanced_ns: int
    arrived_ns: int
    seen: Input


@dataclass(frozen=True, slots=True)
class Decision:
    """An effect, its time, and (with a phase) what had been shown by then."""

    t_ns: int
    effect: Effect
    shown: str | None


@dataclass(frozen=True, slots=True)
class SessionLog:
    """One session."""

    id: int
    head: Head
    entries: tuple[Entry, ...]
    decisions: tuple[Decision, ...]

    @property
    def last_ns(self) -> int:
        """The latest time of the table in it."""
        times = [self.head.t_ns]
        times += [max(entry.advanced_ns, entry.arrived_ns) for entry in self.entries[-1:]]
        times += [decision.t_ns for decision in self.decisions[-1:]]
        return max(times)


class SessionLogs:
    """Reads sessions.

    `losses` has what could not be read of all that was asked for. If the reader is `tolerant`, that includes
    what SQLite can't read; otherwise that is a sqlite3.Error.
    """

    def __init__(self, connection: sqlite3.Connection, *, tolerant: bool = False) -> None:
        self.losses = Losses()
        self._ask = Queries(connection, self.losses if tolerant else None).ask

    def session_logs(self) -> dict[int, int]:
        """The ids of the sessions by their numbers, oldest first; people use the number, the store the id."""
        rows = self._ask("chapters", "SELECT n, id FROM chapters ORDER BY n")
        return dict(
            each_of(rows, row_reading.session_log, lambda row: f"session {row.shown('n')}", self.losses)
        )

    def last_session(self) -> SessionLog | None:
        """The last session; DamagedRecord if it makes no sense."""
        rows = self._ask("chapters", "SELECT n, id FROM chapters ORDER BY n DESC LIMIT 1")
        try:
            return self.session_log(StoredRow(rows[0]).number("id")) if rows else None
        except MalformedText as error:
            raise DamagedRecord(f"session {rows[0]['n']}: {error}") from None

    def session_log(self, id: int) -> SessionLog:
        """One session, with all inputs and effects; DamagedRecord if any of them is lost."""
        head, lost = self.head(id), Losses()
        entries = self._entries(id, head, lost)
        decisions = tuple(decision for _, decision in self._numbered(id, 0, None, lost))
        for words in lost:
            raise DamagedRecord(words if len(lost) == 1 else f"{words}; and {len(lost) - 1} more")
        return SessionLog(id, head, entries, decisions)

    def head(self, session_log: int) -> Head:
        """The head of a session; DamagedRecord if it makes no sense."""
        lost = Losses()
        rows = self._ask("chapters", "SELECT n, head FROM chapters WHERE id = ?", (session_log,), lost)
        if not rows:
            for words in lost:
                raise DamagedRecord(words)
            raise NotWritten(f"the store has no session {session_log}")
        try:
            return check_head(parse_head(StoredRow(rows[0]).text("head")))
        except MalformedText as error:
            raise DamagedRecord(f"session {rows[0]['n']}: {error}") from None

    def has_inputs(self, session_log: int) -> bool:
        """Whether its inputs are still kept."""
        return bool(self._ask("inputs", "SELECT 1 FROM inputs WHERE chapter = ? LIMIT 1", (session_log,)))

    def arrivals(self, session_log: int, from_ns: int, to_ns: int) -> dict[tuple[int, int], int]:
        """The place in the order of arrival of each press whose stamp begins in that time, by seat and stamp.

        It is empty if the inputs are not kept any more.
        """
        rows = self._ask(
            "inputs",
            "SELECT n, text FROM inputs WHERE chapter = ? AND arrived_ns >= ? AND text LIKE ? ORDER BY n",
            (session_log, from_ns, "% edge on %"),
        )

        def press(row: StoredRow) -> tuple[Input, int]:
            return parse_input(row.text("text")), row.number("n")

        called = self._called(session_log)
        found = each_of(rows, press, lambda row: f"input {row.shown('n')} of {called}", self.losses)
        return {
            (seen.source.seat, seen.stamp.earliest_ns): n
            for seen, n in found
            if isinstance(seen, SourceEdge)
            and isinstance(seen.source, Button | Call)
            and from_ns <= seen.stamp.earliest_ns <= to_ns
        }

    def _entries(self, id: int, head: Head, losses: Losses) -> tuple[Entry, ...]:
        """The inputs of a session."""
        rows = self._ask(
            "inputs",
            "SELECT n, advanced_ns, arrived_ns, text FROM inputs WHERE chapter = ? ORDER BY n",
            (id,),
            losses,
        )
        called = self._called(id)

        def entry(row: StoredRow) -> Entry:
            seen = check_input(parse_input(row.text("text")), head.table)
            return Entry(row.time_ns("advanced_ns"), row.time_ns("arrived_ns"), seen)

        losses.add_missing("input", called, whole_numbers(row["n"] for row in rows), 0, None)
        return tuple(each_of(rows, entry, lambda row: f"input {row.shown('n')} of {called}", losses))

    def _called(self, session_log: object) -> str:
        """The name of a session for people."""
        rows = self._ask("chapters", "SELECT n FROM chapters WHERE id = ?", (session_log,))
        return f"session {rows[0]['n']}" if rows else "a session that is not listed"

    # -- decisions

    def decisions(self, session_log: int, first: int = 0, last: int | None = None) -> tuple[Decision, ...]:
        """The effects of a session between these numbers."""
        return tuple(decision for _, decision in self.numbered(session_log, first, last))

    def numbered(
        self, session_log: int, first: int = 0, last: int | None = None
    ) -> tuple[tuple[int, Decision], ...]:
        """The same with their numbers, so that a lost one does not change those of the others."""
        return self._numbered(session_log, first, last, self.losses)

    def _numbered(
        self, session_log: int, first: int, last: int | None, losses: Losses
    ) -> tuple[tuple[int, Decision], ...]:
        rows = self._ask(
            "effects",
            "SELECT n, t_ns, text, shown FROM effects WHERE chapter = ? AND n >= ? AND n <= ? ORDER BY n",
            (session_log, first, EVERY if last is None else last),
            losses,
        )
        called = self._called(session_log)

        def numbered(row: StoredRow) -> tuple[int, Decision]:
            decision = Decision(row.time_ns("t_ns"), _effect(row), row.text_or_none("shown"))
            return row.number("n"), decision

        if rows:  # if there are none, they are not kept any more
            losses.add_missing("decision", called, whole_numbers(row["n"] for row in rows), first, last)
        return tuple(each_of(rows, numbered, lambda row: f"decision {row.shown('n')} of {called}", losses))

    def decided(self, kinds: tuple[type[Effect], ...]) -> Iterator[tuple[int, int, int, Effect]]:
        """The effects of these kinds as (session, number in it, time, effect), session by session."""
        self._look_for_gaps()
        # All except those known to be of another kind: a damaged one may be of any kind.
        others = [f'{{"is":"{name}"' for name, kind in KINDS.items() if kind not in kinds]
        rows = self._ask(
            "effects",
            "SELECT c.n AS called, e.chapter, e.n, e.t_ns, e.text "
            "FROM effects e LEFT JOIN chapters c ON c.id = e.chapter WHERE "
            f"coalesce(substr(e.text, 1, instr(substr(e.text, {_BEFORE + 1}), '\"') + {_BEFORE}), '') "
            f"NOT IN ({', '.join('?' * len(others))}) ORDER BY c.n, e.n",
            others,
        )

        def numbered(row: StoredRow) -> tuple[int, int, int, Effect]:
            return row.number("chapter"), row.number("n"), row.time_ns("t_ns"), _effect(row)

        def place(row: StoredRow) -> str:
            return f"decision {row.shown('n')} of session {row.shown('called')}"

        for found in each_of(rows, numbered, place, self.losses):
            if isinstance(found[-1], kinds):
                yield found

    def _look_for_gaps(self) -> None:
        """Note how many effects are missing in sessions of which some are kept."""
        rows = self._ask(
            "effects",
            "SELECT e.chapter, count(*) AS count, max(e.n) AS last, (SELECT max(r.last_effect) FROM rounds r "
            "WHERE r.chapter = e.chapter) AS known FROM effects e GROUP BY e.chapter",
        )
        for row in rows:
            missing = max(whole_numbers((row["last"], row["known"])), default=0) + 1 - row["count"]
            if missing > 0:
                what = "decision is" if missing == 1 else "decisions are"
                self.losses.add(f"{missing} {what} missing in {self._called(row['chapter'])}")


def _effect(row: StoredRow) -> Effect:
    return check_effect(parse_effect(row.text("text")))
