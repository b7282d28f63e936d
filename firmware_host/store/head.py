"""The head of a session: all that its referee began with, so that it can be replayed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any

from firmware_host.games.games import GAMES, Table
from firmware_host.model.effects import (
    Effect,
    MatchEnded,
    RoundScored,
    RoundStarted,
    RoundVoided,
    TieBroken,
    format_effect,
    from_record,
    parse_effect,
)
from firmware_host.model.errors import MalformedText
from firmware_host.model.events import Input, SourceEdge, TagSeen, Withdrawn, parse_source
from firmware_host.model.places import MOST_SEATS, Button, Call, Pad, Pile, Source, Spot
from firmware_host.model.settings import CHOICES, TIMINGS, Settings, contradictions, time_of
from firmware_host.model.times import US


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """How a session began. `t_ns` is in the time of the table, `begun` is for people."""

    version: str
    begun: str
    event: str
    table: Table
    settings: Settings
    columns: int
    seed: int
    t_ns: int
    active: tuple[Source, ...] = ()
    last_match: MatchEnded | None = None


def format_head(head: Head) -> str:
    """The text of a head."""
    table: dict[str, Any] = {each.name: getattr(head.table, each.name) for each in fields(head.table)}
    table["game"] = head.table.game.name
    table["closed"] = sorted(head.table.closed)
    return json.dumps(
        {
            "version": head.version,
            "begun": head.begun,
            "event": head.event,
            "table": table,
            "settings": asdict(head.settings),
            "columns": head.columns,
            "seed": head.seed,
            "t_ns": head.t_ns,
            "active": [str(source) for source in head.active],
            "last_match": format_effect(head.last_match) if head.last_match else None,
        }
    )


def parse_head(text: str) -> Head:
    """The head that `format_head` wrote; MalformedText if it can't have written that."""
    try:
        record = json.loads(text)
        last = parse_effect(record["last_match"]) if record["last_match"] else None
        read = {
            "table": _table(record["table"]),
            "settings": from_record(Settings, record["settings"]),
            "active": tuple(parse_source(source.split()) for source in record["active"]),
            "last_match": last if isinstance(last, MatchEnded) else None,
        }
        return from_record(Head, record | read)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MalformedText(f"the head of a session can't be read: {error!r}") from None


def _table(record: dict[str, Any]) -> Table:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in record.items()
    }
    values |= {"game": GAMES[record["game"]], "closed": frozenset(record["closed"])}
    return from_record(Table, values)


# Checks whether what a store says can have happened at a table; a well-formed text may still be impossible.
#
# A wrong digit on the disk turns seat 2 into seat 92. That is found here, so the readers of a session do not
# have to expect it.


LEAST_NS = 100 * US
"""No version has allowed shorter times where zero is not allowed; the present ranges are narrower."""
MOST_COLUMNS = 200
"""More than any scoreboard has."""
_ONE_SEAT = ("seat", "rival", "finisher", "winner")
_SEATS = ("seats", "winners")


def check_effect(effect: Effect) -> Effect:
    """The same effect; MalformedText if no table can have decided it."""
    for each in fields(effect):
        value = getattr(effect, each.name)
        if each.name in _ONE_SEAT and value is not None:
            _check_seats([value])
        elif each.name in _SEATS:
            _check_seats(value)
    fault = _fault(effect)
    if fault:
        raise MalformedText(fault)
    return effect


def _check_seats(seats: Iterable[int], most: int = MOST_SEATS) -> None:
    for seat in seats:
        if not 1 <= seat <= most:
            raise MalformedText(f"there is no seat {seat}; there are {most}")


def _fault(effect: Effect) -> str:
    """What is wrong with an effect; empty if nothing is."""
    match effect:
        case RoundScored():
            _check_points(effect.seats, effect.leftovers, effect.scores, effect.totals)
        case MatchEnded():
            _check_points(effect.seats + effect.winners, effect.totals)
        case RoundStarted() if len(effect.hands) > MOST_SEATS:
            return f"{len(effect.hands)} hands are dealt, and there are {MOST_SEATS} seats"
        case TieBroken() if len(effect.won_before) != len(effect.seats):
            return f"{len(effect.seats)} seats tie, and {len(effect.won_before)} are counted"
        case RoundVoided() if effect.held and len(effect.held) != len(effect.seats):
            return f"{len(effect.seats)} seats held their buttons, and {len(effect.held)} presses are stamped"
        case _:
            pass
    return ""


def _check_points(seats: tuple[int, ...], *points: tuple[int, ...]) -> None:
    """Check that each of these lists has an entry for each of these seats."""
    lengths = {len(each) for each in points}
    if len(lengths) > 1 or max(lengths) > MOST_SEATS:
        raise MalformedText(f"the numbers of the seats are {' and '.join(map(str, points))}")
    _check_seats(seats, max(lengths))


def check_input(seen: Input, table: Table) -> Input:
    """The same input; MalformedText if this table can't have had it."""
    place: Source | Spot | None = seen.source if isinstance(seen, SourceEdge) else None
    if isinstance(seen, TagSeen | Withdrawn):
        place = seen.at
    _check_place(place, table)
    return seen


def _check_place(place: Source | Spot | None, table: Table) -> None:
    if isinstance(place, Button | Call | Pad):
        _check_seats([place.seat], table.seats)
    elif isinstance(place, Pile) and place.number > table.piles:
        raise MalformedText(f"there is no {place}; there are {table.piles}")


def check_head(head: Head) -> Head:
    """The same head; MalformedText if there can be no such table."""
    fault = _table_fault(head.table) or _settings_fault(head.settings)
    for source in head.active:
        _check_place(source, head.table)
    if not fault and head.last_match is not None and not is_of(head.last_match, head.table):
        fault = "the last match can't have been played at this table"
    if not fault and not 0 <= head.columns <= MOST_COLUMNS:
        fault = f"no scoreboard has {head.columns} columns"
    if fault:
        raise MalformedText(fault)
    return head


def is_of(match: MatchEnded, table: Table) -> bool:
    """Whether a match can have been played at that table."""
    seats = set(range(1, table.seats + 1))
    return len(match.totals) == table.seats and seats >= set(match.seats) >= set(match.winners)


def _table_fault(table: Table) -> str:
    game, seats = table.game, table.seats
    if not game.fewest_seats <= seats <= game.most_seats:
        return f"{game.name} can't be played at {seats} seats"
    if not table.closed <= set(range(1, seats + 1)) or table.open_seats < game.fewest_seats:
        return f"the seats {', '.join(map(str, sorted(table.closed)))} of {seats} can't be closed"
    if table.rounds is not None and table.rounds < 1:
        return f"a match can't have {table.rounds} rounds"
    if table.deal is not None and (len(table.deal) != seats or game.deal_faults(table.deal)):
        return f"{', '.join(map(str, table.deal))} can't be dealt at {seats} seats"
    return ""


def _settings_fault(settings: Settings) -> str:
    """What is wrong with settings that would stop the time of the table in a replay."""
    for name, allowed in CHOICES.items():
        if getattr(settings, name) not in allowed:
            return f"{name} '{getattr(settings, name)}' is unknown"
    too_short = [
        f"{name} is {time_of(settings, name)} ns"
        for name, timing in TIMINGS.items()
        if time_of(settings, name) < min(timing.least_ns, LEAST_NS)
    ]
    return "; ".join(too_short or map(str, contradictions(settings)))
