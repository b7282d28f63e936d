"""One narrow port per kind of device, and the raw records that pass through.

Every driver of a port, real or simulated, behaves alike: it never blocks the caller,
it stamps at the source, and `close` may be called any number of times.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol


class Edge(NamedTuple):
    """One change of a line's level, stamped in CLOCK_MONOTONIC nanoseconds by its source."""

    line: int
    high: bool
    t_ns: int
    seq: int


class EdgeSource(Protocol):
    """Lines that report edges."""

    @property
    def uncertainty_ns(self) -> int:
        """How far a stamp of this driver may be from the truth, either way."""

    def read(self) -> list[Edge]:
        """The edges that arrived since the last call, in the order of their arrival."""

    def levels(self) -> dict[int, bool]:
        """The level of each line now."""

    def fileno(self) -> int:
        """A descriptor that is readable while `read` has something."""

    def close(self) -> None:
        """Let go of the lines."""


class LedPanel(Protocol):
    """All lamps of the table as one frame."""

    def show(self, frame: bytes) -> None:
        """Burn like this from now on: a byte a lamp; bit 2 is red, bit 1 green, bit 0 blue."""

    def close(self) -> None:
        """All lamps off."""


class Scoreboard(Protocol):
    """A display for a few short lines."""

    @property
    def columns(self) -> int:
        """How many characters fit in a line."""

    def show(self, lines: tuple[str, ...]) -> None:
        """Say this from now on."""

    def close(self) -> None:
        """Leave a blank display behind."""
