"""What the terminal can do that a command prints to."""

from __future__ import annotations

import os
from typing import IO

_DUMB = ("", "dumb", "unknown")


def can_draw(stream: IO[str]) -> bool:
    """Whether a picture can be redrawn there: on a terminal that can move its cursor."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in _DUMB
