"""What a reader of the feed knows, and the steps that are kept for one that comes back.

A state goes from step to step by JSON merge patches (RFC 7396): objects merge, null deletes, everything else
replaces.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Generic, TypeVar

Json = Any
State = dict[str, Json]
Told = TypeVar("Told")


def merge_patch(before: State, after: State) -> State:
    """The patch that makes `after` of `before`; empty if they are equal. Neither may contain null."""
    patch: State = {name: None for name in before if name not in after}
    for name, value in after.items():
        old = before.get(name)
        if value == old:
            continue
        patch[name] = merge_patch(old, value) if isinstance(value, dict) and isinstance(old, dict) else value
    return patch


def patched(before: State, patch: State) -> State:
    """The state after a patch; `before` stays as it is."""
    after = dict(before)
    for name, value in patch.items():
        if value is None:
            after.pop(name, None)
        elif isinstance(value, dict):
            old = after.get(name)
            after[name] = patched(old if isinstance(old, dict) else {}, value)
        else:
            after[name] = value
    return after


def names_in(state: State) -> set[str]:
    """Who sits at the table, as far as that is told."""
    return {seat["name"] for seat in state.get("seats", {}).values() if "name" in seat}


class KnownState:
    """The state of a table, its lamps and its page, as of the last message that was taken."""

    def __init__(self, session: str = "", n: int = 0) -> None:
        self.session, self.n = session, n
        self.t_ns = 0
        self.state: State = {}
        self.lamps = ""
        self.page: tuple[str, ...] = ()

    def take(self, told: dict[str, Any]) -> None:
        """Take a message; those that are neither a snapshot nor a step change nothing."""
        kind = told["is"]
        if kind == "snapshot":
            state = told["state"]
        elif kind == "step":
            state = patched(self.state, told.get("state", {}))
        else:
            return
        self.session, self.n, self.t_ns = str(told["session"]), int(told["n"]), int(told["t_ns"])
        self.state = state
        self.lamps = str(told.get("lamps", self.lamps))
        self.page = tuple(told.get("page", self.page))


KEPT = 500
"""So many steps are kept for readers that come back."""


class Backlog(Generic[Told]):
    """The last steps of a session, each with its number."""

    def __init__(self) -> None:
        self.first: int | None = None
        """Whoever knows all up to this number, or a later one, can be told what is missing.

        Not with the number of a snapshot: what is in it without a decision has no number of its own. None
        while no state was told.
        """
        self._kept: deque[tuple[int, bool, Told]] = deque(maxlen=KEPT)

    def begin(self, n: int) -> None:
        """The state under that number is known; of what came before it nobody is told any more."""
        self.first = n + 1
        self._kept.clear()

    def end(self) -> None:
        """No state is known."""
        self.first = None
        self._kept.clear()

    def add(self, n: int, decided: bool, told: Told) -> None:
        """The next step: its number, whether it has decisions, and what was told."""
        if len(self._kept) == self._kept.maxlen:
            self.first = self._kept[0][0] + 1
        self._kept.append((n, decided, told))

    def since(self, n: int, last: int) -> list[Told] | None:
        """What one lacks who knows all up to `n`, of `last`; None if it is not all kept.

        Changes without decisions that were told under that number are among it: it does no harm to hear
        them twice.
        """
        if self.first is None or not self.first <= n <= last:
            return None
        return [told for number, decided, told in self._kept if number > n or (number == n and not decided)]
