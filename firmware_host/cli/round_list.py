"""The last rounds as a list, and one round's result in words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from firmware_host.effects import RoundScored, RoundVoided
from firmware_host.store.book import Book
from firmware_host.store.rows import RoundRow

WIDTH = 80
NARROW = 65
"""With fewer columns what came of a round stands below it."""
_HEADING, _OUTCOME = " no   round  begun             game   nr", "what came of it"
_VOID = {
    "stuck": "nobody could go on",
    "interrupted": "not gone on with",
    "unsettled": "the counts were unclear",
    "operator": "by the operator",
}
"""Why a round does not count, in short."""
_INDENT, _NARROW_INDENT = " " * 41, " " * 5


def list_lines(book: Book, rounds: Sequence[RoundRow], width: int = WIDTH) -> list[str]:
    """One round a line, the last one first; long ones take several."""
    narrow = width < NARROW
    lines = [_HEADING, f"{_NARROW_INDENT}{_OUTCOME}"] if narrow else [f"{_HEADING}  {_OUTCOME}"]
    for position, row in enumerate(rounds, start=1):
        begun = row.begun[:16].replace("T", " ")
        first = f"{position:>3}  {row.n:>6}  {begun}  {row.game:<5} {row.number:>3}  "
        told = f"{outcome(row, is_last(book, row), voided_of(book, row))}{_points(book, row)}"
        if narrow:
            lines.append(first.rstrip())
            lines += textwrap.wrap(
                told, width, initial_indent=_NARROW_INDENT, subsequent_indent=_NARROW_INDENT
            )
        else:
            lines += textwrap.wrap(told, width, initial_indent=first, subsequent_indent=_INDENT)
    return lines


def list_record(book: Book, rounds: Sequence[RoundRow]) -> list[dict[str, Any]]:
    """The same for programs."""
    return [row_record(book, row) for row in rounds]


def row_record(book: Book, row: RoundRow) -> dict[str, Any]:
    """What is known of a round without its decisions."""
    chapter = next((n for n, id in book.chapters().items() if id == row.chapter), None)
    voided = voided_of(book, row)
    why = None if voided is None else {"reason": voided.reason, "seats": list(voided.seats)}
    seats = list(seats_of(book, row))
    return asdict(row) | {"round": row.n, "chapter": chapter, "seats": seats, "voided": why}


def outcome(row: RoundRow, last: bool = False, voided: RoundVoided | None = None) -> str:
    """How a round ended; `last` is said of the one that may still be under way, `voided` of a void one."""
    match row.state:
        case "scored" if row.finisher is not None:
            return f"seat {row.finisher} ended it"
        case "scored":
            return "all were stuck"
        case "void" if voided is not None:
            seats = ", ".join(map(str, voided.seats))
            said = f", say seats {seats}" if seats else ""
            return f"void ({_VOID[voided.reason]}{said})"
        case "void":
            return "void"
        case "abandoned":
            return "given up"
        case _:
            return "under way" if last else "cut off"


def voided_of(book: Book, row: RoundRow) -> RoundVoided | None:
    """Why a round does not count; None if it does, or if that is not known any more."""
    if row.state != "void":
        return None
    decided = (each.effect for each in book.decisions(row.chapter, row.first_effect, row.last_effect))
    return next((effect for effect in decided if isinstance(effect, RoundVoided)), None)


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
