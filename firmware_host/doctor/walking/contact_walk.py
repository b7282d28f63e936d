"""The walk through all buttons, or all sensors of places.

Any order will do, but one is asked for at a time: if another one comes although a person touched
that one, two wires are swapped. Two that come within a millisecond are no two fingers: their wires
are joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from firmware_host.doctor.findings import Finding, State
from firmware_host.doctor.walking.checklist import Checklist
from firmware_host.doctor.walking.touches import Touches
from firmware_host.doctor.walking.walk import Walk
from firmware_host.durations import MS, format_duration
from firmware_host.events import Signal
from firmware_host.input_text import Input
from firmware_host.places import Slot, Source
from firmware_host.settings import Settings

TOGETHER_NS = 1 * MS


class ContactWalk(Walk):
    """`wires` has the words for each source's wire; those in `parts` are asked for."""

    def __init__(
        self, name: str, parts: Iterable[Source], wires: Mapping[Source, str], settings: Settings
    ) -> None:
        super().__init__()
        self.name = name
        self._list = Checklist(parts)
        self._wires = wires
        self._touches = {source: _touches(source, settings) for source in wires}
        self._together: set[tuple[Source, Source]] = set()
        self._came_ns: dict[Source, int] = {}
        self._calm_ns = 0

    def begin(self, active: Iterable[Source]) -> None:
        """These contacts are active before anybody has touched anything."""
        for source in active:
            self._touches[source].active = True
            self.note(f"{source} is {_word(source)} from the start")

    @property
    def done(self) -> bool:
        """All have come, and the last one has had time to bounce."""
        return self._list.asked is None and self._calm_ns == 0

    @property
    def due_ns(self) -> int | None:
        return self._calm_ns or None

    def put(self, seen: Input, now_ns: int) -> None:
        if isinstance(seen, Signal):
            self._edge(seen, now_ns)
        else:
            super().put(seen, now_ns)

    def _edge(self, signal: Signal, now_ns: int) -> None:
        touches = self._touches[signal.source]
        t_ns = signal.stamp.earliest_ns
        exact = signal.stamp.latest_ns - t_ns <= touches.lane.width_ns
        self._calm_ns = now_ns + touches.lane.burst_ns
        if touches.edge(signal.active, t_ns, exact):
            self._came(signal.source, t_ns)

    def advance(self, now_ns: int) -> None:
        if self._calm_ns and now_ns >= self._calm_ns:
            self._calm_ns = 0

    def picture(self) -> list[str]:
        lines = [self._line(source) for source in self._list.parts]
        asked = self._list.asked
        if asked is None:
            return [*lines, f"{self._list.count()}: all have come"]
        verb = "fill" if isinstance(asked, Slot) else "press"
        return [*lines, f"{self._list.count()}; now {verb}: {asked} ({self._wires[asked]})"]

    def results(self) -> list[Finding]:
        findings = [self._of(source) for source in self._list.parts]
        for one, other in sorted(self._together, key=str):
            seen = f"{one} and {other} came within a millisecond"
            advice = f"unless two people did that: {self._wires[one]} and {self._wires[other]} are joined"
            findings.append(self.found(str(one), State.WARN, seen, advice))
        for source in self._list.parts:
            asked = self._list.instead_of(source)
            if asked is not None:
                seen = f"it came when {asked} was asked for"
                advice = f"if you touched {asked}: its wire is at {self._wires[source]}; change the two"
                findings.append(self.found(str(source), State.NOTE, seen, advice))
        return findings

    # -- inside

    def _came(self, source: Source, t_ns: int) -> None:
        if source not in self._list.parts:
            self.note(f"{source} came ({self._wires[source]}), and is not on this list")
        else:
            asked = self._list.asked
            wanted = self._list.tick(source)
            instead = "" if wanted else f"; {asked} was asked for"
            self.note(f"{self._list.mark(source)} {source} came ({self._wires[source]}){instead}")
        for other, before_ns in self._came_ns.items():
            if other != source and abs(t_ns - before_ns) < TOGETHER_NS:
                self._together.add((min(source, other, key=str), max(source, other, key=str)))
                self.note(f"{source} and {other} came together: are their wires joined?")
        self._came_ns[source] = t_ns

    def _line(self, source: Source) -> str:
        touches = self._touches[source]
        now = f"  {_word(source)}" if touches.active else ""
        return f"{self._list.mark(source)} {source!s:<10} {touches}{now}".rstrip()

    def _of(self, source: Source) -> Finding:
        touches, lane = self._touches[source], self._touches[source].lane
        kind = "slot" if isinstance(source, Slot) else "button"
        if not self._list.has(source):
            seen = f"did not come ({self._wires[source]})"
            if touches.active:
                seen = f"was {_word(source)} all the time ({self._wires[source]})"
            part = "sensor and its magnet's side" if kind == "slot" else "two wires"
            return self.found(str(source), State.FAIL, seen, f"check its {part}, and its line in the profile")
        if touches.longest_ns > lane.burst_ns:
            seen = f"bounces for {touches.longest_ns / MS:.1f} ms, more than {kind}-burst"
            burst = f'{kind}-burst = "{_roomy(touches.longest_ns)}"'
            advice = f"put into [timing] of table.toml: {burst}; or take a better contact"
            return self.found(str(source), State.WARN, seen, advice)
        if not touches.exact:
            seen = f"{touches}; it was found by looking only, its interrupt never came"
            advice = f"check the interrupt wire of its expander ({self._wires[source]})"
            return self.found(str(source), State.WARN, seen, advice)
        return self.found(str(source), State.OK, str(touches))


def _touches(source: Source, settings: Settings) -> Touches:
    return Touches(settings.slots if isinstance(source, Slot) else settings.buttons)


def _word(source: Source) -> str:
    return "filled" if isinstance(source, Slot) else "pressed"


def _roomy(longest_ns: int) -> str:
    """Half as much again, in whole steps of 5 ms."""
    return format_duration(-(-longest_ns * 3 // 2 // (5 * MS)) * 5 * MS)
