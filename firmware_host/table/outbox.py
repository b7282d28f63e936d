"""The one way out of the table."""

from __future__ import annotations

from firmware_host.effects import Effect


class Outbox(list[Effect]):
    """What was decided, in that order, until it is taken."""

    emit = list.append
    """Let the world know of an effect."""

    def take(self) -> list[Effect]:
        """All of it; the outbox is empty then."""
        effects = self[:]
        self.clear()
        return effects
