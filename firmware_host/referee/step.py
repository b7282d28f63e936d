"""What the referee yields: all that follows at one moment."""

from __future__ import annotations

from typing import NamedTuple

from firmware_host.effects import Effect
from firmware_host.show.pages import ScoreboardPage


class Step(NamedTuple):
    """All that was decided at one moment, and what the table shows from then on.

    It has to be written before it is shown.
    """

    t_ns: int
    effects: tuple[Effect, ...]
    frame: bytes | None
    """The lamps, one byte each; None if they have not changed."""
    page: ScoreboardPage | None
    """The lines of the scoreboard; None if they have not changed."""
