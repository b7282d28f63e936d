"""The only way for effects to leave the table."""

from __future__ import annotations

from firmware_host.effects import Effect


class Outbox(list[Effect]):
    """The effects in the order in which they were decided, until they are taken."""

    emit = list.append
    """Add an effect."""

    def take(self) -> list[Effect]:
        """All effects; the outbox is empty afterwards."""
        if not self:
            return []
        effects = self[:]
        self.clear()
        return effects
