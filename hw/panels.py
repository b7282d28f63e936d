"""Lamps on several chips as one panel, and devices for tables that lack one."""

from __future__ import annotations

from collections.abc import Sequence

from hw.ports import LedPanel


class Panels:
    """Shows each frame on all its panels; each of them takes the lamps that it has."""

    def __init__(self, panels: Sequence[LedPanel]) -> None:
        self._panels = tuple(panels)

    def show(self, frame: bytes) -> None:
        for panel in self._panels:
            panel.show(frame)

    def close(self) -> None:
        for panel in self._panels:
            panel.close()


class NoScoreboard:
    """A scoreboard that shows nothing, for a table without one."""

    def __init__(self, columns: int) -> None:
        self.columns = columns

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""
