"""What messages say of the GPIO lines of a board."""

from __future__ import annotations

from firmware_host.profile.pins import lines_of


def lines_text(board: str) -> str:
    """The range, and where it comes from."""
    first, last, why = lines_of(board)
    return f"from {first} to {last}: {why}"
