"""How often each part of the table was used, and which parts need a look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from firmware_host.games.session import Table
from firmware_host.model.errors import DamagedRecord
from firmware_host.model.places import ALL_SLOTS, Button, Call, Pad
from firmware_host.model.plain_text import whole_number
from firmware_host.store.rows import PARTS, Audit
from firmware_host.store.store_reader import StoreReader

IDLE_GAMES = 5
"""A part that was not used in more games than that, while others of its kind were, needs a look."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A count, and whether the part needs a look."""

    audit: Audit
    idle: bool


def checked(book: StoreReader) -> list[Checked]:
    """All counts, and those of the parts that were never used at all."""
    counted = book.audits()
    numbers = book.session_logs()
    if numbers:
        known = {(audit.kind, audit.name) for audit in counted}
        built = _built(book, numbers[max(numbers)])
        counted += [Audit(kind, name, 0, "", book.games) for kind, name in built if (kind, name) not in known]
    return [Checked(audit, _is_idle(audit, counted)) for audit in sorted(counted, key=_order)]


def _order(audit: Audit) -> tuple[str, list[tuple[int, str]]]:
    """By kind and name; seat 10 comes after seat 2."""
    return audit.kind, [(whole_number(word) or 0, word) for word in audit.name.split()]


def _built(book: StoreReader, session_log: int) -> list[tuple[str, str]]:
    """The parts of the table as it was in that session; none if that can't be read."""
    try:
        return _parts(book.head(session_log).table)
    except DamagedRecord as error:
        book.losses.add(error)
        return []


def _parts(table: Table) -> list[tuple[str, str]]:
    """What everybody at such a table uses in every match."""
    seats = [seat for seat in range(1, table.seats + 1) if seat not in table.closed]
    parts = [("button", str(Button(seat))) for seat in seats]
    parts += [("call", str(Call(seat))) for seat in seats if table.call_buttons]
    parts += [("slot", str(slot)) for slot in ALL_SLOTS if not table.piles]
    parts += [("reader", str(Pad(seat))) for seat in seats if table.pads]
    parts += [("reader", str(slot)) for slot in ALL_SLOTS if table.identified]
    return parts


def _is_idle(audit: Audit, counted: Sequence[Audit]) -> bool:
    """Whether it was not used for long while others of its kind were."""
    if audit.kind not in PARTS or audit.games_since <= IDLE_GAMES or audit.name.startswith("pile "):
        return False  # few games need all piles
    return any(each.kind == audit.kind and each.games_since <= IDLE_GAMES for each in counted)


def audits_record(found: Sequence[Checked], games: int) -> dict[str, Any]:
    """All counts, for programs."""
    return {"games": games, "audits": [asdict(each.audit) | {"idle": each.idle} for each in found]}
