"""Questions to SQLite about a file that may be damaged anywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from firmware_host.store.damage import Damaged, telling_damage
from firmware_host.store.losses import Losses

BIG = ("inputs", "effects")
"""The tables that would take long to be checked; their rows are counted instead."""
_SHARED = (
    "SELECT 'its pages are those of another table' FROM sqlite_master a, sqlite_master b "
    "WHERE a.name = ? AND b.rootpage = a.rootpage AND b.name != a.name AND b.type = 'table'"
)
"""One bit of the schema can make a table begin where another one does: it has none of its rows then."""


class Queries:
    """Answers with rows. With `losses` it names there what SQLite can't read, and answers with the rest.

    Whoever asks may name losses of its own, to see whether the answer is complete.
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
        """All rows at once: an answer that is read slowly would hold up whoever writes."""
        if self._losses is None:
            return self._cursor.execute(question, values).fetchall()
        self._check(table, self._losses)
        return self._readable(table, question, values, self._losses if losses is None else losses)

    def _check(self, table: str, losses: Losses) -> None:
        """Where the pages of a table are damaged, rows may be missing without an error."""
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
        """The rows up to the first that SQLite can't read."""
        rows: list[sqlite3.Row] = []
        try:
            with telling_damage():
                rows.extend(self._cursor.execute(question, values))
        except Damaged as error:
            losses.add(f"the table {table}, or a part of it: {error}")
        return rows


def whole_numbers(values: Iterable[object]) -> list[int]:
    """Those of them that are numbers."""
    return [value for value in values if isinstance(value, int)]


def _text_or_bytes(data: bytes) -> str | bytes:
    """A text, or bytes as they are if they are none."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data
