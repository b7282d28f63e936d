"""The contents of rows of the store; MalformedText says what makes no sense."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from firmware_host.engine.games import GAMES
from firmware_host.errors import MalformedText
from firmware_host.player_name import checked_name
from firmware_host.states import VoidReason
from firmware_host.store.losses import Losses
from firmware_host.store.rows import (
    MATCH_STATES,
    ROUND_STATES,
    UNREADABLE,
    Audit,
    DeadHeat,
    MatchRow,
    RoundRow,
    Sitting,
)
from firmware_host.store.stored_row import StoredRow
from firmware_host.tag_text import MOST_SEATS

T = TypeVar("T")


def each_of(
    rows: Sequence[sqlite3.Row],
    make: Callable[[StoredRow], T],
    place: Callable[[StoredRow], str],
    losses: Losses,
) -> list[T]:
    """The contents of each row; one that makes no sense is left out and added to the losses."""
    found = []
    for row in rows:
        cells = StoredRow(row)
        try:
            found.append(make(cells))
        except MalformedText as error:
            losses.add(f"{place(cells)}: {error}")
    return found


def session_log(cells: StoredRow) -> tuple[int, int]:
    """The number of a session, and its id."""
    return cells.number("n"), cells.number("id")


def round_row(cells: StoredRow, losses: Losses) -> RoundRow:
    """A round. If only its result can't be read, its state says so and the rest is still there."""
    first = cells.number("first_effect")
    known: dict[str, Any] = {
        **{name: cells.number(name, 1) for name in ("n", "match", "attempt", "number")},
        "session_log": cells.number("chapter"),
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
        "session_log": cells.number("chapter"),
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
        cells.number("chapter"), cells.number("attempt", 1), cells.seats("seats"), cells.number("winner", 1)
    )


def player(cells: StoredRow) -> tuple[int, str]:
    """The number of a player, and the name."""
    return cells.number("n", 1), checked_name(cells.text("name"))


def named_seat(cells: StoredRow) -> tuple[int, int]:
    """A seat, and the number of the player who sits there."""
    return cells.number("seat", 1), cells.number("player", 1)


def sitting(cells: StoredRow) -> Sitting:
    """Who sat at a seat in a match."""
    return Sitting(cells.number("chapter"), cells.number("match", 1), *named_seat(cells))


def audit(cells: StoredRow, games: int) -> Audit:
    """The counter of a part of the table."""
    kind, name, last = (cells.text(each) for each in ("kind", "name", "last"))
    return Audit(kind, name, cells.number("count"), last, max(0, games - cells.number("game")))


def event(cells: StoredRow) -> tuple[str, str, str]:
    """An event of the log: when, its kind, and its text."""
    return cells.text("at"), cells.text("kind"), cells.text("text")


def choice(cells: StoredRow) -> tuple[str, str]:
    """A choice made in service mode: its name and its value."""
    return cells.text("name"), cells.text("value")


def _listed(seats: Sequence[int]) -> str:
    return ", ".join(map(str, seats)) or "none"
