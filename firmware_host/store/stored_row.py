"""The values of one row of the store, each checked for what its column should have.

SQLite keeps any type in any column, and one wrong byte on the disk turns a text into another text, or into
something that is not a text. So each value is checked: MalformedText says what is there instead.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

from firmware_host.errors import MalformedText
from firmware_host.records import MOST
from firmware_host.tag_text import MOST_SEATS, shortened


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

    def shown(self, name: str) -> str:
        """Any value, in a few letters."""
        value = self._row[name]
        return "nothing" if value is None else shortened(repr(value))

    def _wrong(self, name: str, wanted: str) -> MalformedText:
        return MalformedText(f"{self.shown(name)} is not {wanted} ({name.replace('_', ' ')})")


def _is_whole(value: object) -> bool:
    """Whether it is a number that a store can hold; True is not a number here."""
    return type(value) is int and abs(value) <= MOST
