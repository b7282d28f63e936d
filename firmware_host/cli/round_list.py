"""The last rounds as a list, and one round's result in words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from firmware_host.effects import RoundScored
from firmware_host.store.book import Book
from firmware_host.store.rows import RoundRow

WIDTH = 80
_HEADING = " no   round  begun             game   nr  what came of it"
_INDENT = " " * 41


def list_lines(book: Book, rounds: Sequence[RoundRow]) -> list[str]:
    """One round a line, the last one first; long ones take several."""
    lines = [_HEADING]
    for position, row in enumerate(rounds, start=1):
        begun = row.begun[:16].replace("T", " ")
        first = f"{position:>3}  {row.n:>6}  {begun}  {row.game:<5} {row.number:>3}  "
        told = f"{outcome(row, is_last(book, row))}{_points(book, row)}"
        lines += textwrap.wrap(told, WIDTH, initial_indent=first, subsequent_indent=_INDENT)
    return lines


def list_record(book: Book, rounds: Sequence[RoundRow]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [row_record(book, row) for row in rounds]


def row_record(book: Book, row: RoundRow) -> dict[str, Any]:
    """What is known of a round without its decisions."""
    chapter = next((n for n, id in book.chapters().items() if id == row.chapter), None)
    return asdict(row) | {"round": row.n, "chapter": chapter, "seats": list(seats_of(book, row))}


def outcome(row: RoundRow, last: bool = False) -> str:
    """How a round ended; `last` is said of the one that may still be under way."""
    match row.state:
        case "scored" if row.finisher is not None:
            return f"seat {row.finisher} ended it"
        case "scored":
            return "all were stuck"
        case "void":
            return "void"
        case "abandoned":
            return "given up"
        case _:
            return "under way" if last else "cut off"


def is_last(book: Book, row: RoundRow) -> bool:
    """Whether it belongs to the chapter that was begun last."""
    return list(book.chapters().values())[-1:] == [row.chapter]


def seats_of(book: Book, row: RoundRow) -> tuple[int, ...]:
    """The seats that a scored round has points for; if it isn't known any more, all seats."""
    if row.last_effect is not None:
        for decision in book.decisions(row.chapter, row.last_effect, row.last_effect):
            if isinstance(decision.effect, RoundScored):
                return decision.effect.seats
    return tuple(range(1, len(row.scores) + 1))


def numbers(seats: Sequence[int], values: Sequence[int], sign: str = "") -> str:
    """A number for each seat: `1:+3 2:-1`."""
    return " ".join(f"{seat}:{values[seat - 1]:{sign}d}" for seat in seats)


def _points(book: Book, row: RoundRow) -> str:
    return f": {numbers(seats_of(book, row), row.scores, '+')}" if row.scores else ""
