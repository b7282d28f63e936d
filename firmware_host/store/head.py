"""The head of a session: all that its referee began with, so that it can be replayed."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from firmware_host.effect_text import format_effect, parse_effect
from firmware_host.effects import MatchEnded
from firmware_host.engine.games import GAMES
from firmware_host.errors import MalformedText
from firmware_host.event_text import parse_source
from firmware_host.places import Source
from firmware_host.records import from_record
from firmware_host.settings import Settings
from firmware_host.table.session import Table


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
