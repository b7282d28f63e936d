"""The last rounds as a list, and one round's result in words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from firmware_host.reason_text import void_words
from firmware_host.store.rows import RoundRow
from firmware_host.store.store_reader import StoreReader

WIDTH = 80
NARROW = 65
"""With fewer columns a round's result is below it."""
_HEADING, _OUTCOME = " no   round  begun             game   nr", "result"
_INDENT, _NARROW_INDENT = " " * 41, " " * 5


def list_lines(book: StoreReader, most: int, width: int = WIDTH) -> list[str]:
    """The last rounds, one a line, the last one first; long ones take several."""
    narrow = width < NARROW
    lines = [_HEADING, f"{_NARROW_INDENT}{_OUTCOME}"] if narrow else [f"{_HEADING}  {_OUTCOME}"]
    rows = {row.n: row for row in book.rounds(most)}
    for position, n in enumerate(book.round_numbers(most), start=1):
        row = rows.get(n)
        first, words = f"{position:>3}  {n:>6}  {'?':<25}  ", "can't be read"
        if row is not None:
            begun = row.begun[:16].replace("T", " ")
            first = f"{position:>3}  {row.n:>6}  {begun:<16}  {row.game:<5} {row.number:>3}  "
            words = f"{outcome(row, is_last(book, row))}{_points(row)}"
        if narrow:
            lines.append(first.rstrip())
            lines += textwrap.wrap(
                words, width, initial_indent=_NARROW_INDENT, subsequent_indent=_NARROW_INDENT
            )
        else:
            lines += textwrap.wrap(words, width, initial_indent=first, subsequent_indent=_INDENT)
    return lines


def outcome(row: RoundRow, last: bool = False) -> str:
    """How a round ended; `last` is said of the one that may still be under way."""
    match row.state:
        case "scored" if row.finisher is not None:
            return f"seat {row.finisher} ended it"
        case "scored":
            return "all were stuck"
        case "void":
            reason = row.void_reason
            return "voided" if reason is None else f"voided: {void_words(reason, row.void_seats)}"
        case "abandoned":
            return "given up"
        case "unreadable":
            return "its result can't be read"
        case _:
            return "under way" if last else "cut off"


def is_last(book: StoreReader, row: RoundRow) -> bool:
    """Whether it belongs to the session that was begun last."""
    return list(book.session_logs().values())[-1:] == [row.session_log]


def numbers(seats: Sequence[int], values: Sequence[int], sign: str = "") -> str:
    """A number for each seat: `1:+3 2:-1`."""
    return " ".join(f"{seat}:{values[seat - 1]:{sign}d}" for seat in seats)


def _points(row: RoundRow) -> str:
    return f": {numbers(row.seats, row.scores, '+')}" if row.scores else ""
