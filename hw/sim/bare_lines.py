"""Simulated lines without a chip: they behave like the lines of an expander, without the expander."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hw.sim.scripted_lines import ScriptedLines


class BareLines(ScriptedLines):
    """Lines whose ends can be driven, and that report each change at once."""

    def __init__(self, lines: Iterable[int], now_ns: Callable[[], int], uncertainty_ns: int) -> None:
        super().__init__(dict.fromkeys(lines, True), uncertainty_ns)
        self._now_ns = now_ns

    def end(self, line: int) -> BareLine:
        """The end of a line that a contact is wired to."""
        return BareLine(self, line)

    def drive(self, line: int, high: bool) -> None:
        """Set a line's level now."""
        if self._levels[line] != high:
            self.deliver(line, high, self._now_ns())


class BareLine:
    """Drives one line, as a pin does."""

    def __init__(self, lines: BareLines, line: int) -> None:
        self._lines = lines
        self._line = line

    def drive_low(self) -> None:
        self._lines.drive(self._line, False)

    def drive_high(self) -> None:
        self._lines.drive(self._line, True)
