"""The lines of a table as a daemon hears of them: those of an expander that is lost say nothing.

When it is back, its driver reads all of its lines. So there is a gap, and then an edge for each line that is
found in another state, which may have changed at any moment since.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hw.ports import Edge, Gap
from hw.sim.bare_lines import BareLines


@dataclass(slots=True)
class _Silence:
    """Since when nothing is heard of some lines, and their levels as they were heard last."""

    since_ns: int
    levels: dict[int, bool]


class HeardLines:
    """What is heard of these lines."""

    def __init__(self, lines: BareLines, now_ns: Callable[[], int]) -> None:
        self._lines = lines
        self._now_ns = now_ns
        self._heard: list[Edge | Gap] = []
        self._silences: dict[str, _Silence] = {}

    def read(self) -> list[Edge | Gap]:
        """What was heard since the last call."""
        self._hear()
        heard, self._heard = self._heard, []
        return heard

    def levels(self) -> dict[int, bool]:
        """The levels as they were heard."""
        levels = self._lines.levels()
        for silence in self._silences.values():
            levels |= silence.levels
        return levels

    def meet(self) -> None:
        """Another daemon listens: of what happened before it knows nothing."""
        for silence in self._silences.values():
            silence.since_ns = self._now_ns()

    def silence(self, bank: str, lines: Iterable[int]) -> None:
        """Nothing is heard of these lines of an expander from now on."""
        self._hear()
        levels = self._lines.levels()
        wired = {line: levels[line] for line in lines if line in levels}
        self._silences[bank] = _Silence(self._now_ns(), wired)

    def restore(self, bank: str) -> None:
        """The expander is back."""
        self._hear()
        silence, now_ns, levels = self._silences.pop(bank), self._now_ns(), self._lines.levels()
        self._heard.append(Gap(0, silence.since_ns, now_ns))
        for line, high in silence.levels.items():
            if levels[line] != high:
                self._lines.deliver(line, levels[line], now_ns, now_ns - silence.since_ns)

    def _hear(self) -> None:
        silent = {line for silence in self._silences.values() for line in silence.levels}
        self._heard += [edge for edge in self._lines.read() if edge.line not in silent]
