"""The one way out of the table."""

from __future__ import annotations

from firmware_host.effects import Effect


class Outbox:
    """What was decided, in that order, until it is taken."""

    def __init__(self) -> None:
        self._effects: list[Effect] = []

    def emit(self, effect: Effect) -> None:
        """Let the world know."""
        self._effects.append(effect)

    @property
    def mark(self) -> int:
        """How far it is filled now, for `since`."""
        return len(self._effects)

    def since(self, mark: int) -> list[Effect]:
        """What was put in after that mark; it stays there."""
        return self._effects[mark:]

    def take(self) -> list[Effect]:
        """All of it; the outbox is empty then."""
        effects = self._effects
        if effects:
            self._effects = []
        return effects
