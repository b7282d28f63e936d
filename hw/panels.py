"""Lamps on several chips as one panel, and devices for tables that lack one."""

from __future__ import annotations

from collections.abc import Sequence

from hw.ports import LedPanel


class Panels:
    """Shows each frame on all its panels; every one of them takes the lamps that it has."""

    def __init__(self, panels: Sequence[LedPanel]) -> None:
        self._panels = tuple(panels)

    def show(self, frame: bytes) -> None:
        for panel in self._panels:
            panel.show(frame)

    def close(self) -> None:
        for panel in self._panels:
            panel.close()


class NoScoreboard:
    """A table without a scoreboard plays all the same."""

    def __init__(self, columns: int) -> None:
        self.columns = columns

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        """Nobody reads it."""

    def close(self) -> None:
        """There is nothing to blank."""
