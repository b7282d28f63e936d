"""A list that is ticked off: which part is asked for, and which came instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

P = TypeVar("P")


class Checklist(Generic[P]):
    """Parts in the order in which they are asked for."""

    def __init__(self, parts: Iterable[P]) -> None:
        self._parts = tuple(parts)
        self._came: set[P] = set()
        self._instead: dict[P, P] = {}

    @property
    def parts(self) -> tuple[P, ...]:
        return self._parts

    @property
    def asked(self) -> P | None:
        """The part that is asked for; None when all have come."""
        return next((part for part in self._parts if part not in self._came), None)

    def has(self, part: P) -> bool:
        """Whether it has come."""
        return part in self._came

    def tick(self, part: P) -> bool:
        """A part has come; whether that is the one that was asked for, or none was."""
        asked = self.asked
        wanted = asked is None or part == asked
        if asked is not None and not wanted and part not in self._came:
            self._instead[part] = asked
        self._came.add(part)
        return wanted

    def instead_of(self, part: P) -> P | None:
        """Which other part was asked for when this one came for the first time, and came later itself.

        One that never came is missing, and says nothing of those that did.
        """
        asked = self._instead.get(part)
        return asked if asked in self._came else None

    def count(self) -> str:
        """How many have come."""
        return f"{sum(map(self.has, self._parts))} of {len(self._parts)}"

    def mark(self, part: P) -> str:
        """A box, ticked or not."""
        return "[x]" if part in self._came else "[ ]"
