"""Drives the arbiter as the table's loop does: edges go in when they arrive, contacts come out when due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from firmware_host.model.events import SourceEdge, TagSeen, Withdrawn
from firmware_host.model.places import ALL_SLOTS, Source
from firmware_host.model.settings import Settings
from firmware_host.model.times import exactly
from firmware_host.timing.arbiter import Arbiter, CleanEvent


class Arrival(NamedTuple):
    """One edge and when it reaches the arbiter."""

    now_ns: int
    edge: SourceEdge


class Released(NamedTuple):
    """One contact and when it left the arbiter."""

    now_ns: int
    contact: CleanEvent


def arbiter() -> Arbiter:
    """That of a table for four, with all kinds of contacts."""
    return Arbiter(Settings(), (1, 2, 3, 4), ALL_SLOTS, calls=(1, 2, 3, 4))


def edge(source: Source, active: bool, t_ns: int, seq: int = 0) -> SourceEdge:
    """An edge whose moment is known exactly."""
    return SourceEdge(source, active, exactly(t_ns), seq)


def on_time(*edges: SourceEdge) -> list[Arrival]:
    """Every edge arrives as it happens."""
    return [Arrival(edge.stamp.earliest_ns, edge) for edge in edges]


def drive(
    table: Arbiter, arrivals: Iterable[Arrival], extra_ns: Sequence[int] = (), until_ns: int = 10**12
) -> list[Released]:
    """All that comes out, with its moment; the arbiter is asked when it is due, and at the extra moments."""
    released: list[Released] = []

    def advance(now_ns: int) -> None:
        while True:
            done_ns = released_by[-1]
            due_ns = table.due_ns
            moments = [ns for ns in extra_ns if ns > done_ns] + ([] if due_ns is None else [due_ns])
            moment_ns = max(min(moments, default=now_ns + 1), done_ns)
            if moment_ns > now_ns:
                break
            released_by.append(moment_ns)
            released.extend(
                Released(moment_ns, contact)
                for _, contact in table.release(moment_ns)
                if not isinstance(contact, TagSeen | Withdrawn)
            )

    released_by = [0]
    for now_ns, edge in sorted(arrivals, key=lambda arrival: arrival.now_ns):
        advance(now_ns - 1)
        table.put(edge, now_ns)
    advance(until_ns)
    return released
