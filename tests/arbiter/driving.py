"""Drives the arbiter as the table's loop does: edges go in when they arrive, contacts come out when due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from firmware_host.arbiter.arbiter import Arbiter
from firmware_host.arbiter.chatter_mask import CleanEvent
from firmware_host.events import Shown, Signal, Withdrawn


class Arrival(NamedTuple):
    """One edge and when it reaches the arbiter."""

    now_ns: int
    signal: Signal


class Released(NamedTuple):
    """One contact and when it left the arbiter."""

    now_ns: int
    contact: CleanEvent


def on_time(*signals: Signal) -> list[Arrival]:
    """Every edge arrives as it happens."""
    return [Arrival(signal.stamp.earliest_ns, signal) for signal in signals]


def drive(
    arbiter: Arbiter, arrivals: Iterable[Arrival], extra_ns: Sequence[int] = (), until_ns: int = 10**12
) -> list[Released]:
    """All that comes out, with its moment; the arbiter is asked when it is due, and at the extra moments."""
    released: list[Released] = []

    def advance(now_ns: int) -> None:
        while True:
            done_ns = released_by[-1]
            due_ns = arbiter.due_ns
            moments = [ns for ns in extra_ns if ns > done_ns] + ([] if due_ns is None else [due_ns])
            moment_ns = max(min(moments, default=now_ns + 1), done_ns)
            if moment_ns > now_ns:
                break
            released_by.append(moment_ns)
            released.extend(
                Released(moment_ns, contact)
                for contact in arbiter.release(moment_ns)
                if not isinstance(contact, Shown | Withdrawn)
            )

    released_by = [0]
    for now_ns, signal in sorted(arrivals, key=lambda arrival: arrival.now_ns):
        advance(now_ns - 1)
        arbiter.put(signal, now_ns)
    advance(until_ns)
    return released
