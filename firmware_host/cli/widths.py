"""How wide what a command prints may be."""

from __future__ import annotations

import shutil

NARROWEST = 40
"""Nothing is laid out for less; a terminal that is narrower breaks lines itself."""


def columns_for(usual: int) -> int:
    """As many columns as usual, or fewer if the terminal has fewer; files and pipes have what is usual."""
    return max(NARROWEST, min(usual, shutil.get_terminal_size((usual, 24)).columns))
