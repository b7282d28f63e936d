"""Reading the store: the sessions, the rounds, the matches, the audits and the log."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from firmware_host.model.errors import DamagedRecord, TableError
from firmware_host.model.plain_text import in_a_line
from firmware_host.store import row_reading
from firmware_host.store.identity import holds_store, inside, to_read
from firmware_host.store.raw_file import Damaged, opened_to_read
from firmware_host.store.row_reading import Losses, StoredRow, each_of, whole_numbers
from firmware_host.store.rows import Audit, DeadHeat, MatchRow, RoundRow, Sitting
from firmware_host.store.schema import VERSION
from firmware_host.store.session_logs import EVERY, Decision, Entry, NotWritten, SessionLog, SessionLogs

__all__ = ["EVERY", "Decision", "Entry", "NoStore", "NotWritten", "SessionLog", "StoreReader", "reading"]


class NoStore(TableError):
    """There is no store that can be read."""


class StoreReader(SessionLogs):
    """Reads rounds, matches, audits and the log, besides the sessions."""

    # -- rounds and matches

    def round_numbers(self, most: int = EVERY) -> list[int]:
        """The numbers of the last rounds, newest first, including those that can't be read."""
        return [
            row["n"] for row in self._ask("rounds", "SELECT n FROM rounds ORDER BY n DESC LIMIT ?", (most,))
        ]

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
        rows = self._ask(
            "rounds",
            "SELECT r.n, r.chapter, r.match, r.attempt, r.number, r.begun, r.ended, r.state, r.first_effect, "
            "r.last_effect, r.finisher, r.void_reason, r.void_seats, r.seats, r.leftovers, r.scores, "
            "r.totals, m.game, m.event, m.day FROM rounds r "
            "LEFT JOIN matches m ON m.chapter = r.chapter AND m.number = r.match "
            f"WHERE {which} ORDER BY r.n DESC LIMIT ?",
            values,
            losses,
        )

        def made(row: StoredRow) -> RoundRow:
            return row_reading.round_row(row, losses)

        return each_of(rows, made, lambda row: f"round {row.shown('n')}", losses)

    def before(self, round_: RoundRow) -> int:
        """The number of the first effect after the previous round of the same session."""
        rows = self._ask(
            "rounds",
            "SELECT max(coalesce(last_effect, first_effect)) AS latest FROM rounds "
            "WHERE chapter = ? AND attempt < ? AND coalesce(last_effect, first_effect) < ?",
            (round_.session_log, round_.attempt, round_.first_effect),
        )
        return max(whole_numbers(row["latest"] for row in rows), default=-1) + 1

    def matches(self, day: str = "", event: str = "") -> list[MatchRow]:
        """The matches of that day and event (empty for any), oldest first."""
        rows = self._ask(
            "matches",
            "SELECT n, chapter, number, begun, ended, day, event, game, state, seats, totals, winners "
            "FROM matches ORDER BY n",
        )

        def made(row: StoredRow) -> MatchRow:
            return row_reading.match_row(row, self.losses)

        found = each_of(rows, made, lambda row: f"match {row.shown('n')}", self.losses)
        return [row for row in found if _is_of(row, day, event)]

    def dead_heats(self) -> list[DeadHeat]:
        """All dead heats."""
        rows = self._ask(
            "dead_heats", "SELECT chapter, n, attempt, seats, winner FROM dead_heats ORDER BY chapter, n"
        )
        return each_of(
            rows,
            row_reading.dead_heat,
            lambda row: f"the dead heat at decision {row.shown('n')}",
            self.losses,
        )

    # -- players

    def players(self) -> dict[int, str]:
        """The names of the players by their numbers."""
        rows = self._ask("players", "SELECT n, name FROM players ORDER BY n")
        return dict(
            each_of(rows, row_reading.player, lambda row: f"the name of player {row.shown('n')}", self.losses)
        )

    @property
    def next_player(self) -> int:
        """The number of the next player; that of one who was deleted is not given again."""
        rows = self._ask("players", "SELECT max(n) AS last FROM players")
        rows += self._ask("players", "SELECT seq AS last FROM sqlite_sequence WHERE name = 'players'")
        return max(whole_numbers(row["last"] for row in rows), default=0) + 1

    def named_seats(self) -> dict[int, int]:
        """The numbers of the players who sit at the table now, by seat."""
        rows = self._ask("named_seats", "SELECT seat, player FROM named_seats ORDER BY seat")
        return dict(
            each_of(rows, row_reading.named_seat, lambda row: f"who sits at {row.shown('seat')}", self.losses)
        )

    def sittings(self) -> list[Sitting]:
        """Which player sat where in which match."""
        rows = self._ask("sat", "SELECT chapter, match, seat, player FROM sat ORDER BY chapter, match, seat")
        return each_of(rows, row_reading.sitting, lambda row: f"who sat at {row.shown('seat')}", self.losses)

    # -- the table

    def audits(self) -> list[Audit]:
        """The counters."""
        games = self.games
        rows = self._ask("audits", "SELECT kind, name, count, last, game FROM audits ORDER BY kind, name")

        def made(row: StoredRow) -> Audit:
            return row_reading.audit(row, games)

        return each_of(rows, made, lambda row: f"the count of {row.shown('name')}", self.losses)

    @property
    def games(self) -> int:
        """How many matches were played to the end."""
        rows = self._ask("audits", "SELECT count FROM audits WHERE kind = 'table' AND name = 'matches'")
        found = each_of(
            rows, lambda row: row.number("count"), lambda row: "the count of 'matches'", self.losses
        )
        return found[0] if found else 0

    def log(self, most: int = 100) -> list[tuple[str, str, str]]:
        """The last events of the log as (when, kind, text), oldest first."""
        rows = self._ask("log", "SELECT n, at, kind, text FROM log ORDER BY n DESC LIMIT ?", (most,))
        return each_of(
            rows[::-1], row_reading.event, lambda row: f"event {row.shown('n')} of the log", self.losses
        )

    def choices(self) -> dict[str, str]:
        """What was chosen in service mode."""
        rows = self._ask("choices", "SELECT name, value FROM choices")
        return dict(
            each_of(rows, row_reading.choice, lambda row: f"the choice of {row.shown('name')}", self.losses)
        )


def _is_of(row: RoundRow | MatchRow, day: str, event: str) -> bool:
    """Whether a row is of that day and event; empty means any."""
    return day in ("", row.day) and event in ("", row.event)


@contextmanager
def reading(path: str) -> Iterator[StoreReader]:
    """A reader of the present state of a store, which may be in use; NoStore says why it can't be read."""
    if not Path(path).exists():
        raise NoStore(f"{path}: there is no store yet; it is made by the first `ligretto-table run`")
    try:
        with opened_to_read(path) as connection:
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
                    f"{path}: its version is {version}, and this program reads {VERSION}; "
                    "`ligretto-table run` brings an older one up to date"
                )
            yield StoreReader(connection, tolerant=True)
    except sqlite3.Error as error:
        raise NoStore(_why_not(path, error)) from None
    except UnicodeDecodeError:  # the sqlite3 module failed to decode a damaged name
        raise NoStore(_why_not(path, Damaged("the names of its tables are damaged"))) from None


def _why_not(path: str, error: sqlite3.Error) -> str:
    return in_a_line(f"{path} can't be read: {error}; {to_read(path, error)}")
