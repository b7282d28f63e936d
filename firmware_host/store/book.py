"""Reading the store: the last chapter, the rounds, the standings, the audits and the log."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from firmware_host.effect_text import parse_effect
from firmware_host.effects import Effect
from firmware_host.errors import TableError
from firmware_host.input_text import Input, parse_input
from firmware_host.store.advice import to_read
from firmware_host.store.copies import opened_to_read
from firmware_host.store.head import Head, parse_head
from firmware_host.store.identity import inside
from firmware_host.store.rows import Audit, DeadHeat, MatchRow, RoundRow
from firmware_host.store.schema import VERSION


class NoStore(TableError):
    """There is no store to be read."""


class NotWritten(TableError):
    """The store has nothing of that number."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that came in: until when the table had been advanced, when it came, and what it is."""

    advanced_ns: int
    arrived_ns: int
    seen: Input


@dataclass(frozen=True, slots=True)
class Decision:
    """An effect, its time, and with a phase what had been shown by then."""

    t_ns: int
    effect: Effect
    shown: str | None


@dataclass(frozen=True, slots=True)
class Chapter:
    """One chapter as it was written."""

    id: int
    head: Head
    entries: tuple[Entry, ...]
    decisions: tuple[Decision, ...]

    @property
    def last_ns(self) -> int:
        """The latest moment of the table that is known of."""
        times = [self.head.t_ns]
        times += [max(entry.advanced_ns, entry.arrived_ns) for entry in self.entries[-1:]]
        times += [decision.t_ns for decision in self.decisions[-1:]]
        return max(times)


class Book:
    """Answers questions about what is written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def last_chapter(self) -> Chapter | None:
        """The chapter that was begun last; MalformedText if it can't be read."""
        rows = self._all("SELECT id FROM chapters ORDER BY n DESC LIMIT 1")
        return self.chapter(rows[0][0]) if rows else None

    def chapter(self, id: int) -> Chapter:
        """One chapter, with all that came in and all that was decided."""
        head = self.head(id)
        inputs = self._all(
            "SELECT advanced_ns, arrived_ns, text FROM inputs WHERE chapter = ? ORDER BY n", (id,)
        )
        entries = tuple(Entry(advanced, arrived, parse_input(text)) for advanced, arrived, text in inputs)
        return Chapter(id, head, entries, self.decisions(id))

    def decisions(self, chapter: int, first: int = 0, last: int | None = None) -> tuple[Decision, ...]:
        """What was decided in a chapter, from the effect of that number to that one."""
        rows = self._all(
            "SELECT t_ns, text, shown FROM effects WHERE chapter = ? AND n >= ? AND n <= ? ORDER BY n",
            (chapter, first, 2**62 if last is None else last),
        )
        return tuple(Decision(t_ns, parse_effect(text), shown) for t_ns, text, shown in rows)

    def decided(self, kinds: Sequence[type[Effect]]) -> Iterator[tuple[int, int, int, Effect]]:
        """All effects of these kinds as (chapter, number in it, time, effect), chapter by chapter."""
        wanted = " OR ".join(["e.text LIKE ?"] * len(kinds))
        rows = self._all(
            "SELECT e.chapter, e.n, e.t_ns, e.text FROM effects e JOIN chapters c ON c.id = e.chapter "
            f"WHERE {wanted} ORDER BY c.n, e.n",
            [f'{{"is":"{kind.__name__}"%' for kind in kinds],
        )
        for chapter, n, t_ns, text in rows:
            yield chapter, n, t_ns, parse_effect(text)

    def head(self, chapter: int) -> Head:
        """The head of a chapter."""
        rows = self._all("SELECT head FROM chapters WHERE id = ?", (chapter,))
        if not rows:
            raise NotWritten(f"the store has no chapter {chapter}")
        return parse_head(rows[0][0])

    def chapters(self) -> dict[int, int]:
        """The chapters by their numbers, the oldest first; people count them, `id` is for the store."""
        return dict(self._all("SELECT n, id FROM chapters ORDER BY n"))

    def has_inputs(self, chapter: int) -> bool:
        """Whether it is still known what came in."""
        return bool(self._all("SELECT 1 FROM inputs WHERE chapter = ? LIMIT 1", (chapter,)))

    def rounds(self, most: int = 10, day: str = "", event: str = "") -> list[RoundRow]:
        """The last rounds of that day and event, or of all, the newest first."""
        return self._rounds(
            "(? = '' OR m.day = ?) AND (? = '' OR m.event = ?)", (day, day, event, event, most)
        )

    def round(self, n: int) -> RoundRow:
        """The round of that number; NotWritten if there is none."""
        found = self._rounds("r.n = ?", (n, 1))
        if not found:
            raise NotWritten(f"the store has no round {n}; `ligretto-table recall` lists the last ones")
        return found[0]

    def _rounds(self, which: str, values: Sequence[object]) -> list[RoundRow]:
        rows = self._all(
            "SELECT r.n, r.chapter, r.match, r.attempt, r.number, r.begun, r.ended, r.state, r.first_effect, "
            "r.last_effect, r.finisher, r.void_reason, r.seats, r.leftovers, r.scores, r.totals, "
            "r.void_seats, m.game, m.event, m.day "
            f"FROM rounds r JOIN matches m ON m.chapter = r.chapter AND m.number = r.match WHERE {which} "
            "ORDER BY r.n DESC LIMIT ?",
            values,
        )
        return [RoundRow(*row[:12], *map(_numbers, row[12:17]), *row[17:]) for row in rows]

    def before(self, round_: RoundRow) -> int:
        """The number of the first effect after the round before this one in its chapter."""
        (latest,) = self._all(
            "SELECT max(coalesce(last_effect, first_effect)) FROM rounds WHERE chapter = ? AND attempt < ?",
            (round_.chapter, round_.attempt),
        )[0]
        return 0 if latest is None else latest + 1

    def matches(self, day: str = "", event: str = "") -> list[MatchRow]:
        """All matches of that day and event, or of all, the oldest first."""
        rows = self._all(
            "SELECT n, chapter, number, begun, ended, day, event, game, state, seats, totals, winners "
            "FROM matches WHERE (? = '' OR day = ?) AND (? = '' OR event = ?) ORDER BY n",
            (day, day, event, event),
        )
        return [MatchRow(*row[:9], *map(_numbers, row[9:])) for row in rows]

    def dead_heats(self) -> list[DeadHeat]:
        """All dead heats."""
        rows = self._all("SELECT chapter, attempt, seats, winner FROM dead_heats ORDER BY chapter, n")
        return [
            DeadHeat(chapter, attempt, _numbers(seats), winner) for chapter, attempt, seats, winner in rows
        ]

    def audits(self) -> list[Audit]:
        """All that was counted."""
        games = self.games
        rows = self._all("SELECT kind, name, count, last, game FROM audits ORDER BY kind, name")
        return [
            Audit(kind, name, count, last, max(0, games - game)) for kind, name, count, last, game in rows
        ]

    @property
    def games(self) -> int:
        """How many games were played to the end."""
        rows = self._all("SELECT count FROM audits WHERE kind = 'table' AND name = 'matches'")
        return rows[0][0] if rows else 0

    def log(self, most: int = 100) -> list[tuple[str, str, str]]:
        """The last events of the log as (when, kind, text), the oldest first."""
        return self._all("SELECT at, kind, text FROM log ORDER BY n DESC LIMIT ?", (most,))[::-1]

    def choices(self) -> dict[str, str]:
        """What was chosen at the table itself."""
        return dict(self._all("SELECT name, value FROM choices"))

    def _all(self, question: str, values: Sequence[object] = ()) -> list[Any]:
        """All rows at once: an answer that is read slowly would hold up whoever writes."""
        return self._connection.execute(question, values).fetchall()


def _numbers(text: str | None) -> tuple[int, ...]:
    return tuple(json.loads(text)) if text else ()


@contextmanager
def reading(path: str) -> Iterator[Book]:
    """The book of a store that may be in use, as it is now; NoStore says why it can't be read."""
    if not Path(path).exists():
        raise NoStore(f"{path}: there is no store yet; it is made by the first `ligretto-table run`")
    try:
        with opened_to_read(path) as connection:
            connection.execute("BEGIN")  # whatever is asked, all answers are of the same moment
            if inside(connection).is_foreign:
                raise NoStore(f"{path} is no store: it belongs to another program")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                raise NoStore(
                    f"{path}: its version is {version}, and this program reads {VERSION}; "
                    "`ligretto-table run` brings an older one up to date"
                )
            yield Book(connection)
    except sqlite3.Error as error:
        raise NoStore(f"{path} can't be read: {error}; {to_read(path, error)}") from None
