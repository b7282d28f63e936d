"""Reading the store: the sessions, the rounds, the matches, the audits and the log.

Everything is checked: what makes no sense is left out, and added to `losses`.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from firmware_host.model.effects import KINDS, Effect, parse_effect
from firmware_host.model.errors import DamagedRecord, MalformedText, TableError
from firmware_host.model.events import Input, SourceEdge, parse_input
from firmware_host.model.places import Button, Call
from firmware_host.model.plain_text import in_a_line
from firmware_host.store.head import Head, check_effect, check_head, check_input, parse_head
from firmware_host.store.raw_file import (
    Damaged,
    copied,
    holds_store,
    inside,
    is_damage,
    is_own,
    opened_to_read,
    owner_of,
)
from firmware_host.store.results import Audit, DeadHeat, MatchRow, RoundRow, Sitting
from firmware_host.store.row_reading import (
    Losses,
    Queries,
    StoredRow,
    audit,
    dead_heat,
    each_of,
    match_row,
    named_seat,
    player,
    round_row,
    sitting,
    whole_numbers,
)
from firmware_host.store.schema import VERSION, migrate

T = TypeVar("T")
EVERY = 2**62
"""A number higher than any in a store."""
_BEFORE = len('{"is":"')


class NoStore(TableError):
    """There is no store that can be read."""


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


class StoreReader:
    """Reads sessions, rounds, matches, players, audits and the log.

    `losses` has what could not be read of all that was asked for. If the reader is `tolerant`, that includes
    what SQLite can't read; otherwise that is a sqlite3.Error.
    """

    def __init__(self, connection: sqlite3.Connection, *, tolerant: bool = False) -> None:
        self.losses = Losses()
        self._ask = Queries(connection, self.losses if tolerant else None).ask

    def _each(
        self,
        question: str,
        values: Sequence[object],
        make: Callable[[StoredRow], T],
        place: str,
        losses: Losses | None = None,
    ) -> list[T]:
        """What is made of each row; `place` says where a row is, with the names of its columns in braces."""
        lost = self.losses if losses is None else losses
        return each_of(self._ask(_table_of(question), question, values, lost), make, place, lost)

    # -- sessions

    def session_ids(self) -> dict[int, int]:
        """The ids of the sessions by their numbers, oldest first; people use the number, the store the id."""
        question = "SELECT n, id FROM sessions ORDER BY n"
        return dict(self._each(question, (), lambda row: (row.number("n"), row.number("id")), "session {n}"))

    def last_session(self) -> SessionLog | None:
        """The last session; DamagedRecord if it makes no sense."""
        rows = self._ask("sessions", "SELECT n, id FROM sessions ORDER BY n DESC LIMIT 1")
        try:
            return self.session_log(StoredRow(rows[0]).number("id")) if rows else None
        except MalformedText as error:
            raise DamagedRecord(f"session {rows[0]['n']}: {error}") from None

    def session_log(self, id: int) -> SessionLog:
        """One session, with all inputs and effects; DamagedRecord if any of them is lost."""
        head, lost = self.head(id), Losses()
        entries = self._entries(id, head, lost)
        decisions = tuple(decision for _, decision in self.numbered(id, lost=lost))
        for words in lost:
            raise DamagedRecord(words if len(lost) == 1 else f"{words}; and {len(lost) - 1} more")
        return SessionLog(id, head, entries, decisions)

    def head(self, session: int) -> Head:
        """The head of a session; DamagedRecord if it makes no sense."""
        lost = Losses()
        rows = self._ask("sessions", "SELECT n, head FROM sessions WHERE id = ?", (session,), lost)
        if not rows:
            for words in lost:
                raise DamagedRecord(words)
            raise NotWritten(f"the store has no session {session}")
        try:
            return check_head(parse_head(StoredRow(rows[0]).text("head")))
        except MalformedText as error:
            raise DamagedRecord(f"session {rows[0]['n']}: {error}") from None

    def has_inputs(self, session: int) -> bool:
        """Whether its inputs are still kept."""
        return bool(self._ask("inputs", "SELECT 1 FROM inputs WHERE session = ? LIMIT 1", (session,)))

    def arrivals(self, session: int, from_ns: int, to_ns: int) -> dict[tuple[int, int], int]:
        """The place in the order of arrival of each press whose stamp begins in that time, by seat and stamp.

        It is empty if the inputs are not kept any more.
        """
        found = self._each(
            "SELECT n, text FROM inputs WHERE session = ? AND arrived_ns >= ? AND text LIKE ? ORDER BY n",
            (session, from_ns, "% edge on %"),
            lambda row: (parse_input(row.text("text")), row.number("n")),
            f"input {{n}} of {self._called(session)}",
        )
        return {
            (seen.source.seat, seen.stamp.earliest_ns): n
            for seen, n in found
            if isinstance(seen, SourceEdge)
            and isinstance(seen.source, Button | Call)
            and from_ns <= seen.stamp.earliest_ns <= to_ns
        }

    def _entries(self, id: int, head: Head, losses: Losses) -> tuple[Entry, ...]:
        """The inputs of a session."""
        question = "SELECT n, advanced_ns, arrived_ns, text FROM inputs WHERE session = ? ORDER BY n"
        rows = self._ask("inputs", question, (id,), losses)
        called = self._called(id)

        def entry(row: StoredRow) -> Entry:
            seen = check_input(parse_input(row.text("text")), head.table)
            return Entry(row.time_ns("advanced_ns"), row.time_ns("arrived_ns"), seen)

        losses.add_missing("input", called, whole_numbers(row["n"] for row in rows), 0, None)
        return tuple(each_of(rows, entry, f"input {{n}} of {called}", losses))

    def _called(self, session: object) -> str:
        """The name of a session for people."""
        rows = self._ask("sessions", "SELECT n FROM sessions WHERE id = ?", (session,))
        return f"session {rows[0]['n']}" if rows else "a session that is not listed"

    # -- decisions

    def decisions(self, session: int, first: int = 0, last: int | None = None) -> tuple[Decision, ...]:
        """The effects of a session between these numbers."""
        return tuple(decision for _, decision in self.numbered(session, first, last))

    def numbered(
        self, session: int, first: int = 0, last: int | None = None, lost: Losses | None = None
    ) -> tuple[tuple[int, Decision], ...]:
        """The same with their numbers, so that a lost one does not change those of the others."""
        losses = self.losses if lost is None else lost
        question = (
            "SELECT n, t_ns, text, shown FROM effects WHERE session = ? AND n BETWEEN ? AND ? ORDER BY n"
        )
        rows = self._ask("effects", question, (session, first, EVERY if last is None else last), losses)
        called = self._called(session)

        def numbered(row: StoredRow) -> tuple[int, Decision]:
            return row.number("n"), Decision(row.time_ns("t_ns"), _effect(row), row.text_or_none("shown"))

        if rows:  # if there are none, they are not kept any more
            losses.add_missing("decision", called, whole_numbers(row["n"] for row in rows), first, last)
        return tuple(each_of(rows, numbered, f"decision {{n}} of {called}", losses))

    def decided(self, kinds: tuple[type[Effect], ...]) -> Iterator[tuple[int, int, int, Effect]]:
        """The effects of these kinds as (session, number in it, time, effect), session by session."""
        self._look_for_gaps()
        # All except those known to be of another kind: a damaged one may be of any kind.
        others = [f'{{"is":"{name}"' for name, kind in KINDS.items() if kind not in kinds]
        found = self._each(
            "SELECT c.n AS called, e.session, e.n, e.t_ns, e.text "
            "FROM effects e LEFT JOIN sessions c ON c.id = e.session WHERE "
            f"coalesce(substr(e.text, 1, instr(substr(e.text, {_BEFORE + 1}), '\"') + {_BEFORE}), '') "
            f"NOT IN ({', '.join('?' * len(others))}) ORDER BY c.n, e.n",
            others,
            lambda row: (row.number("session"), row.number("n"), row.time_ns("t_ns"), _effect(row)),
            "decision {n} of session {called}",
        )
        return (each for each in found if isinstance(each[-1], kinds))

    def _look_for_gaps(self) -> None:
        """Note how many effects are missing in sessions of which some are kept."""
        rows = self._ask(
            "effects",
            "SELECT e.session, count(*) AS count, max(e.n) AS last, (SELECT max(r.last_effect) FROM rounds r "
            "WHERE r.session = e.session) AS known FROM effects e GROUP BY e.session",
        )
        for row in rows:
            missing = max(whole_numbers((row["last"], row["known"])), default=0) + 1 - row["count"]
            if missing > 0:
                what = "decision is" if missing == 1 else "decisions are"
                self.losses.add(f"{missing} {what} missing in {self._called(row['session'])}")

    # -- rounds and matches

    def round_numbers(self, most: int = EVERY) -> list[int]:
        """The numbers of the last rounds, newest first, including those that can't be read."""
        rows = self._ask("rounds", "SELECT n FROM rounds ORDER BY n DESC LIMIT ?", (most,))
        return [row["n"] for row in rows]

    def rounds(self, most: int = 10, day: str = "", event: str = "") -> list[RoundRow]:
        """The last rounds of that day and event (empty for any), newest first."""
        some = bool(day or event)  # their days are known when they are read
        rows = self._rounds("r.n > ?", (0, EVERY if some else most), self.losses)
        return [row for row in rows if _is_of(row, day, event)][:most]

    def round(self, n: int) -> RoundRow:
        """The round with that number; NotWritten if there is none, DamagedRecord if it makes no sense."""
        if n not in self.round_numbers():
            raise NotWritten(f"the store has no round {n}{self._there_are()}")
        lost = Losses()
        found = self._rounds("r.n = ?", (n, 1), lost)
        if not found:
            raise DamagedRecord(next(iter(lost), f"round {n} is listed, and can't be found by its number"))
        for words in lost:
            self.losses.add(words)
        return found[0]

    def _there_are(self) -> str:
        numbers = self.round_numbers()
        if not numbers:
            return ": no round can be read" if self.losses else ": no round was played yet"
        there = f"rounds are {numbers[-1]} to {numbers[0]}" if numbers[1:] else f"only round is {numbers[0]}"
        return f"; its {there}, and `ligretto-table recall` lists the last ones"

    def _rounds(self, which: str, values: Sequence[object], losses: Losses) -> list[RoundRow]:
        return self._each(
            "SELECT r.n, r.session, r.match, r.attempt, r.number, r.begun, r.ended, r.state, r.first_effect, "
            "r.last_effect, r.finisher, r.void_reason, r.void_seats, r.seats, r.leftovers, r.scores, "
            "r.totals, m.game, m.event, m.day FROM rounds r "
            "LEFT JOIN matches m ON m.session = r.session AND m.number = r.match "
            f"WHERE {which} ORDER BY r.n DESC LIMIT ?",
            values,
            lambda row: round_row(row, losses),
            "round {n}",
            losses,
        )

    def before(self, round_: RoundRow) -> int:
        """The number of the first effect after the previous round of the same session."""
        rows = self._ask(
            "rounds",
            "SELECT max(coalesce(last_effect, first_effect)) AS latest FROM rounds "
            "WHERE session = ? AND attempt < ? AND coalesce(last_effect, first_effect) < ?",
            (round_.session, round_.attempt, round_.first_effect),
        )
        return max(whole_numbers(row["latest"] for row in rows), default=-1) + 1

    def matches(self, day: str = "", event: str = "") -> list[MatchRow]:
        """The matches of that day and event (empty for any), oldest first."""
        question = (
            "SELECT n, session, number, begun, ended, day, event, game, state, seats, totals, winners "
            "FROM matches ORDER BY n"
        )
        found = self._each(question, (), lambda row: match_row(row, self.losses), "match {n}")
        return [row for row in found if _is_of(row, day, event)]

    def dead_heats(self) -> list[DeadHeat]:
        """All dead heats."""
        question = "SELECT session, n, attempt, seats, winner FROM dead_heats ORDER BY session, n"
        return self._each(question, (), dead_heat, "the dead heat at decision {n}")

    # -- players

    def players(self) -> dict[int, str]:
        """The names of the players by their numbers."""
        question = "SELECT n, name FROM players ORDER BY n"
        return dict(self._each(question, (), player, "the name of player {n}"))

    @property
    def next_player(self) -> int:
        """The number of the next player; that of one who was deleted is not given again."""
        rows = self._ask("players", "SELECT max(n) AS last FROM players")
        rows += self._ask("players", "SELECT seq AS last FROM sqlite_sequence WHERE name = 'players'")
        return max(whole_numbers(row["last"] for row in rows), default=0) + 1

    def named_seats(self) -> dict[int, int]:
        """The numbers of the players who sit at the table now, by seat."""
        question = "SELECT seat, player FROM named_seats ORDER BY seat"
        return dict(self._each(question, (), named_seat, "who sits at {seat}"))

    def sittings(self) -> list[Sitting]:
        """Which player sat where in which match."""
        question = "SELECT session, match, seat, player FROM sat ORDER BY session, match, seat"
        return self._each(question, (), sitting, "who sat at {seat}")

    # -- the table

    def audits(self) -> list[Audit]:
        """The counters."""
        games = self.games
        question = "SELECT kind, name, count, last, game FROM audits ORDER BY kind, name"
        return self._each(question, (), lambda row: audit(row, games), "the count of {name}")

    @property
    def games(self) -> int:
        """How many matches were played to the end."""
        question = "SELECT name, count FROM audits WHERE kind = 'table' AND name = 'matches'"
        found = self._each(question, (), lambda row: row.number("count"), "the count of {name}")
        return found[0] if found else 0

    def log(self, most: int = 100) -> list[tuple[str, str, str]]:
        """The last events of the log as (when, kind, text), oldest first."""

        def event(row: StoredRow) -> tuple[str, str, str]:
            return row.text("at"), row.text("kind"), row.text("text")

        rows = self._ask("log", "SELECT n, at, kind, text FROM log ORDER BY n DESC LIMIT ?", (most,))
        return each_of(rows[::-1], event, "event {n} of the log", self.losses)

    def choices(self) -> dict[str, str]:
        """What was chosen in service mode."""

        def choice(row: StoredRow) -> tuple[str, str]:
            return row.text("name"), row.text("value")

        return dict(self._each("SELECT name, value FROM choices", (), choice, "the choice of {name}"))


def _table_of(question: str) -> str:
    """The table that a question is about: the first one after FROM."""
    return question.partition(" FROM ")[2].split()[0]


def _effect(row: StoredRow) -> Effect:
    return check_effect(parse_effect(row.text("text")))


def _is_of(row: RoundRow | MatchRow, day: str, event: str) -> bool:
    """Whether a row is of that day and event; empty means any."""
    return day in ("", row.day) and event in ("", row.event)


@contextmanager
def reading(path: str) -> Iterator[StoreReader]:
    """A reader of the present state of a store, which may be in use; NoStore says why it can't be read."""
    if not Path(path).exists():
        raise NoStore(f"{path}: there is no store yet; it is made by the first `ligretto-table run`")
    try:
        with _opened_as_now(path) as connection:
            connection.execute("BEGIN")  # so that all answers are from the same moment
            found = inside(connection)
            if found.is_foreign:
                raise NoStore(f"{path} is no store: it belongs to another program")
            version = found.version
            if version == 0 and found.tables:
                raise Damaged("its tables have lost their version")
            if version == 0 and holds_store(path):
                raise Damaged("its beginning is missing")
            if version == 0:
                raise NoStore(f"{path}: there is nothing in it yet; `ligretto-table run` makes a store of it")
            if version != VERSION:
                raise NoStore(
                    f"{path}: its version is {version}, and this program reads {VERSION}: "
                    "install a newer ligretto-table"
                )
            yield StoreReader(connection, tolerant=True)
    except sqlite3.Error as error:
        raise NoStore(_why_not(path, error)) from None
    except UnicodeDecodeError:  # the sqlite3 module failed to decode a damaged name
        raise NoStore(_why_not(path, Damaged("the names of its tables are damaged"))) from None


@contextmanager
def _opened_as_now(path: str) -> Iterator[sqlite3.Connection]:
    """A connection to the store; to a copy of this version if it is of an older one."""
    with opened_to_read(path) as connection:
        found = inside(connection)
        if not found.is_store or not 0 < found.version < VERSION:
            yield connection
            return
    with copied(path) as connection:
        migrate(connection)
        yield connection


def _why_not(path: str, error: sqlite3.Error) -> str:
    return in_a_line(f"{path} can't be read: {error}; {to_read(path, error)}")


def to_read(path: str, error: Exception) -> str:
    """How this user can read a store that could not be read."""
    if os.path.isdir(path):
        return f"it is a folder: the store is a file in it, such as {os.path.join(path, 'table.db')}"
    kind = getattr(error, "sqlite_errorname", "")
    if kind == "SQLITE_NOTADB":
        return "it is no store: --store is for the store itself, and --config for a table.toml"
    if not os.access(path, os.R_OK, effective_ids=True):
        if is_own(path):
            return f"nobody may read it, not even its owner: chmod u+r {path}"
        return f"it belongs to {owner_of(path)}: sudo -u {owner_of(path)} ligretto-table ..."
    if is_damage(error) or kind == "SQLITE_ERROR":  # damage may have changed a name
        return "the daemon keeps it aside when it starts: sudo systemctl restart ligretto-table"
    return "try again; if it stays so, check the disk"
