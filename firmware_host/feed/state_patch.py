"""JSON merge patches (RFC 7396): objects merge, null deletes, everything else replaces."""

from __future__ import annotations

from typing import Any

Json = Any
State = dict[str, Json]


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
