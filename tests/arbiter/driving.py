"""Drives an arbiter as the table's loop does: edges go in when they arrive, changes come out when due."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from firmware_host.events import Contact, Signal


class Arrival(NamedTuple):
    """One edge and when it reaches the arbiter."""

    now_ns: int
    signal: Signal


class Released(NamedTuple):
    """One change and when it left the arbiter."""

    now_ns: int
    contact: Contact


class Ordering(Protocol):
    """A whole arbiter, or one lane of it."""

    @property
    def due_ns(self) -> int | None: ...

    def put(self, signal: Signal, now_ns: int) -> Contact | None: ...

    def release(self, now_ns: int) -> list[Contact]: ...


def drive(arbiter: Ordering, arrivals: Iterable[Arrival], until_ns: int = 10**12) -> list[Released]:
    """Everything that comes out, late changes included, with the moment of each."""
    released: list[Released] = []
    settled_ns = 0

    def advance(now_ns: int) -> None:
        nonlocal settled_ns
        while (due_ns := arbiter.due_ns) is not None and due_ns <= now_ns:
            settled_ns = max(settled_ns, due_ns)
            released.extend(Released(settled_ns, contact) for contact in arbiter.release(settled_ns))

    for now_ns, signal in sorted(arrivals, key=lambda arrival: arrival.now_ns):
        advance(now_ns - 1)
        late = arbiter.put(signal, now_ns)
        if late is not None:
            released.append(Released(now_ns, late))
    advance(until_ns)
    return released
