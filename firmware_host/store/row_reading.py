"""The contents of rows of the store; MalformedText says what makes no sense."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from firmware_host.games.games import GAMES
from firmware_host.model.effects import MOST
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import MOST_SEATS
from firmware_host.model.plain_text import checked_name, in_a_line, shortened
from firmware_host.model.states import VoidReason
from firmware_host.store.raw_file import Damaged, telling_damage
from firmware_host.store.results import (
    MATCH_STATES,
    ROUND_STATES,
    UNREADABLE,
    Audit,
    DeadHeat,
    MatchRow,
    RoundRow,
    Sitting,
)

# The values of one row of the store, each checked for what its column should have.
#
# SQLite keeps any type in any column, and one wrong byte on the disk turns a text into another text, or into
# something that is not a text. So each value is checked: MalformedText says what is there instead.


class StoredRow:
    """The values of a row by the names of its columns."""

    def __init__(self, row: sqlite3.Row) -> None:
        self._row = row

    def is_empty(self, name: str) -> bool:
        """Whether there is no value."""
        return self._row[name] is None

    def number(self, name: str, least: int = 0) -> int:
        """A whole number that is at least `least`."""
        value = self._row[name]
        if type(value) is not int or value < least:
            raise self._wrong(name, f"a number from {least} on")
        return value

    def number_or_none(self, name: str, least: int = 0) -> int | None:
        """The same, or None where there may be nothing."""
        return None if self.is_empty(name) else self.number(name, least)

    def time_ns(self, name: str) -> int:
        """A time of the table, which may be negative."""
        return self.number(name, -MOST)

    def text(self, name: str) -> str:
        """A text."""
        value = self._row[name]
        if not isinstance(value, str):
            raise self._wrong(name, "a text")
        return value

    def text_or_none(self, name: str) -> str | None:
        """The same, or None where there may be nothing."""
        return None if self.is_empty(name) else self.text(name)

    def one_of(self, name: str, allowed: Collection[str]) -> str:
        """One of these words."""
        value = self._row[name]
        if not isinstance(value, str) or value not in allowed:
            raise self._wrong(name, f"one of {', '.join(allowed)}")
        return value

    def numbers(self, name: str) -> tuple[int, ...]:
        """A list of numbers, at most one for each seat; empty if there is no value."""
        if self.is_empty(name):
            return ()
        try:
            found = json.loads(self.text(name))
        except (ValueError, RecursionError):
            raise self._wrong(name, "a list of numbers") from None
        if not isinstance(found, list) or len(found) > MOST_SEATS or not all(map(_is_whole, found)):
            raise self._wrong(name, "a list of numbers")
        return tuple(found)

    def seats(self, name: str, most: int = MOST_SEATS) -> tuple[int, ...]:
        """A list of seats."""
        found = self.numbers(name)
        if not all(1 <= seat <= most for seat in found):
            raise self._wrong(name, f"a list of seats from 1 to {most}")
        return found

    def __getitem__(self, name: str) -> str:
        """Any value, in a few letters."""
        value = self._row[name]
        return "nothing" if value is None else shortened(repr(value))

    def _wrong(self, name: str, wanted: str) -> MalformedText:
        return MalformedText(f"{self[name]} is not {wanted} ({name.replace('_', ' ')})")


def _is_whole(value: object) -> bool:
    """Whether it is a number that a store can hold; True is not a number here."""
    return type(value) is int and abs(value) <= MOST


MOST_SHOWN = 20


class Losses:
    """All that could not be read, each once, in the order in which it was found."""

    def __init__(self) -> None:
        self._lines: dict[str, None] = {}

    def add(self, words: object) -> None:
        """Add something that can't be read: what it is, and why. Control characters are escaped."""
        self._lines[in_a_line(str(words))] = None

    def add_missing(self, what: str, of: str, there: Iterable[int], first: int, last: int | None) -> None:
        """Add the missing numbers between the first and the last (None: the highest one that is there)."""
        numbers = sorted(there)
        expected = first
        for number in [*numbers, *([] if last is None else [last + 1])]:
            if number - 1 > expected:
                self.add(f"{what}s {expected} to {number - 1} of {of} are missing")
            elif number > expected:
                self.add(f"{what} {expected} of {of} is missing")
            expected = max(expected, number + 1)

    def message(self, path: object) -> list[str]:
        """The lines of one message about all of them; empty if nothing is lost."""
        lines = [f"  {words}" for words in list(self._lines)[:MOST_SHOWN]]
        more = len(self._lines) - MOST_SHOWN
        lines += [f"  ... and {more} more"] if more > 0 else []
        return [f"{path} is damaged. This of what was asked for can't be read:", *lines] if lines else []

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)


T = TypeVar("T")


def each_of(
    rows: Sequence[sqlite3.Row], make: Callable[[StoredRow], T], place: str, losses: Losses
) -> list[T]:
    """The contents of each row; one that makes no sense is left out and added to the losses.

    `place` says where a row is, with the names of its columns in braces.
    """
    found = []
    for row in rows:
        cells = StoredRow(row)
        try:
            found.append(make(cells))
        except MalformedText as error:
            losses.add(f"{place.format_map(cells)}: {error}")
    return found


def round_row(cells: StoredRow, losses: Losses) -> RoundRow:
    """A round. If only its result can't be read, its state says so and the rest is still there."""
    first = cells.number("first_effect")
    known: dict[str, Any] = {
        **{name: cells.number(name, 1) for name in ("n", "match", "attempt", "number")},
        "session": cells.number("session"),
        "first_effect": first,
        "last_effect": cells.number_or_none("last_effect", first),
        "begun": cells.text("begun"),
        "game": cells.one_of("game", GAMES),
        "event": cells.text("event"),
        "day": cells.text("day"),
    }
    try:
        return RoundRow(**known, **_result(cells))
    except MalformedText as error:
        losses.add(f"what came of round {known['n']}: {error}")
        return RoundRow(**known, **_NOTHING)


_NOTHING: dict[str, Any] = {
    "state": UNREADABLE,
    **dict.fromkeys(("ended", "finisher", "void_reason")),
    **dict.fromkeys(("seats", "leftovers", "scores", "totals", "void_seats"), ()),
}
"""The fields of a round with a result that can't be read."""


def _result(cells: StoredRow) -> dict[str, Any]:
    """The fields with the result of a round."""
    state = cells.one_of("state", ROUND_STATES)
    lists = {name: cells.numbers(name) for name in ("scores", "leftovers", "totals")}
    lengths = {len(each) for each in lists.values()}
    seats = cells.seats("seats", max(lengths) or MOST_SEATS)
    if state == "scored" and (len(lengths) > 1 or not seats):
        raise MalformedText("the scores, the totals and the seats don't fit together")
    finisher = cells.number_or_none("finisher", 1)
    if finisher is not None and finisher not in seats:
        raise MalformedText(f"its finisher is seat {finisher}, and seats {_listed(seats)} played")
    if cells.is_empty("void_reason"):
        reason = None
    else:
        reason = VoidReason(cells.one_of("void_reason", tuple(VoidReason)))
    return {
        "state": state,
        "ended": cells.text_or_none("ended"),
        "finisher": finisher,
        "void_reason": reason,
        "void_seats": cells.seats("void_seats"),
        "seats": seats,
        **lists,
    }


def match_row(cells: StoredRow, losses: Losses) -> MatchRow:
    """A match. If only its result can't be read, its state says so and the rest is still there."""
    known: dict[str, Any] = {
        **{name: cells.number(name, 1) for name in ("n", "number")},
        "session": cells.number("session"),
        "begun": cells.text("begun"),
        "day": cells.text("day"),
        "event": cells.text("event"),
        "game": cells.one_of("game", GAMES),
    }
    try:
        return MatchRow(**known, **_standings(cells))
    except MalformedText as error:
        losses.add(f"what came of match {known['n']}: {error}")
        return MatchRow(**known, ended=None, state=UNREADABLE, seats=(), totals=(), winners=())


def _standings(cells: StoredRow) -> dict[str, Any]:
    """The fields with the result of a match."""
    state, totals = cells.one_of("state", MATCH_STATES), cells.numbers("totals")
    seats, winners = cells.seats("seats", len(totals)), cells.seats("winners")
    if not set(winners) <= set(seats) or (state == "finished" and not winners):
        raise MalformedText(f"its winners are seats {_listed(winners)}, and seats {_listed(seats)} played")
    ended = cells.text_or_none("ended")
    return {"state": state, "ended": ended, "totals": totals, "seats": seats, "winners": winners}


def dead_heat(cells: StoredRow) -> DeadHeat:
    """A dead heat and its winner."""
    return DeadHeat(
        cells.number("session"), cells.number("attempt", 1), cells.seats("seats"), cells.number("winner", 1)
    )


def player(cells: StoredRow) -> tuple[int, str]:
    """The number of a player, and the name."""
    return cells.number("n", 1), checked_name(cells.text("name"))


def named_seat(cells: StoredRow) -> tuple[int, int]:
    """A seat, and the number of the player who sits there."""
    return cells.number("seat", 1), cells.number("player", 1)


def sitting(cells: StoredRow) -> Sitting:
    """Who sat at a seat in a match."""
    return Sitting(cells.number("session"), cells.number("match", 1), *named_seat(cells))


def audit(cells: StoredRow, games: int) -> Audit:
    """The counter of a part of the table."""
    kind, name, last = (cells.text(each) for each in ("kind", "name", "last"))
    return Audit(kind, name, cells.number("count"), last, max(0, games - cells.number("game")))


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats)) or "none"


BIG = ("inputs", "effects")
"""It would take long to check these tables; their rows are counted instead."""

_SHARED = (
    "SELECT 'its pages are those of another table' FROM sqlite_master a, sqlite_master b "
    "WHERE a.name = ? AND b.rootpage = a.rootpage AND b.name != a.name AND b.type = 'table'"
)
"""One wrong bit in the schema can make a table begin where another one does: then its rows are missing."""


class Queries:
    """Gives the rows of a query. With `losses`, what SQLite can't read is added there and left out.

    A query may have losses of its own, to show whether its answer is complete.
    """

    def __init__(self, connection: sqlite3.Connection, losses: Losses | None) -> None:
        connection.text_factory = _text_or_bytes
        self._cursor = connection.cursor()
        self._cursor.row_factory = sqlite3.Row
        self._losses = losses
        self._checked: set[str] = set()

    def ask(
        self, table: str, question: str, values: Sequence[object] = (), losses: Losses | None = None
    ) -> list[sqlite3.Row]:
        """All rows at once, since an answer that is read slowly would keep others from writing."""
        if self._losses is None:
            return self._cursor.execute(question, values).fetchall()
        self._check(table, self._losses)
        return self._readable(table, question, values, self._losses if losses is None else losses)

    def _check(self, table: str, losses: Losses) -> None:
        """Note damaged pages of a table: rows may be missing from it without an error."""
        if table in self._checked:
            return
        self._checked.add(table)
        question, values = (_SHARED, (table,)) if table in BIG else (f"PRAGMA quick_check({table})", ())
        verdicts = [str(row[0]) for row in self._readable(table, question, values, losses)]
        wrong = [each for each in verdicts if each != "ok" and not each.startswith("NULL value in")]
        if wrong:
            losses.add(f"the table {table}, or a part of it: {wrong[0].splitlines()[0]}")

    def _readable(
        self, table: str, question: str, values: Sequence[object], losses: Losses
    ) -> list[sqlite3.Row]:
        """The rows before the first that SQLite can't read."""
        rows: list[sqlite3.Row] = []
        try:
            with telling_damage(lambda new: new.execute(question, values)):
                rows.extend(self._cursor.execute(question, values))
        except Damaged as error:
            losses.add(f"the table {table}, or a part of it: {error}")
        return rows


def whole_numbers(values: Iterable[object]) -> list[int]:
    """The values that are whole numbers."""
    return [value for value in values if isinstance(value, int)]


def _text_or_bytes(data: bytes) -> str | bytes:
    """The text; the bytes themselves if they are not a text."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
