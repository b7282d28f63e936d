"""The code with which phones may sit down at a simulated table: who sees one of its screens may."""

from __future__ import annotations

import secrets

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that looks like another one."""
LENGTH = 8


def new_join_code() -> str:
    """A code that nobody knows yet."""
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
