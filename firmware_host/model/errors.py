"""The errors that this package raises on purpose; all share one root."""

from __future__ import annotations

from collections.abc import Iterable


class TableError(Exception):
    """The root of all of them."""


class MalformedText(TableError, ValueError):
    """A text that does not parse: what was found, and what would be right."""


class DamagedRecord(TableError):
    """Something in a store can't be read: what it is, and why. The rest may be sound."""


class IllegalMove(TableError, ValueError):
    """A move that the rules forbid: the event and the state. Nothing has changed."""


class IllegalEvent(TableError, KeyError):
    """An event that is not possible in the present phase. Nothing has changed."""

    def __init__(self, event: str, state: str, why: str = "") -> None:
        self.event, self.state = event, state
        super().__init__(f"{event} is not possible in {state}" + (f": {why}" if why else ""))

    def __str__(self) -> str:
        return str(self.args[0])


MOST_FAULTS = 30
"""Of more faults of a file only this many are shown; nobody reads on."""


def fault_messages(name: str, faults: Iterable[tuple[int, str]]) -> list[str]:
    """The messages for the faults of a file, in the order of their lines; only the first of many."""
    ordered = sorted(faults, key=lambda fault: fault[0])
    messages = [f"{name}:{line}: {words}" for line, words in ordered[:MOST_FAULTS]]
    rest = len(ordered) - MOST_FAULTS
    if rest > 0:
        messages.append(f"{name}:{ordered[MOST_FAULTS][0]}: {rest} more faults from here on are not shown")
    return messages


class BadSettings(TableError, ValueError):
    """Settings or a profile with faults; `faults` has one line for each."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("\n".join(faults))
