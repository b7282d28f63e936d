"""The names of players in the state of a table. They are personal data."""

from __future__ import annotations

from firmware_host.feed.merge_patch import State


def names_in(state: State) -> set[str]:
    """Who sits at the table, as far as that is told."""
    return {seat["name"] for seat in state.get("seats", {}).values() if "name" in seat}
