"""Queries of a file that may be damaged anywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from firmware_host.store.damage import Damaged, telling_damage
from firmware_host.store.losses import Losses

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
