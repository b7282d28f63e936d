"""The walk through all buttons, or all sensors of places.

Any order will do, but one is asked for at a time: if another one comes although a person touched
that one, two wires are swapped. Two that come within a millisecond are no two fingers: their wires
are joined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from firmware_host.model.events import Input, SourceEdge, TagSeen, Withdrawn
from firmware_host.model.places import Slot, Source, Spot, Stranger, Tag, format_tag
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, format_duration
from firmware_host.profile.profile import Profile, lamp_name
from firmware_host.show.lamps import Tint, frame_length
from firmware_host.workshop.doctor.findings import Finding, State
from firmware_host.workshop.doctor.walk import Checklist, Touches, Walk

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
        if isinstance(seen, SourceEdge):
            self._edge(seen, now_ns)
        else:
            super().put(seen, now_ns)

    def _edge(self, signal: SourceEdge, now_ns: int) -> None:
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


AROUND = 3
"""So many lamps before and after the present one are in the picture."""


class WalkLamp(NamedTuple):
    """One light of a lamp, and what is said while it burns."""

    lamp: int
    colours: int
    words: str


class LampWalk(Walk):
    """Each light burns for `step_ns`, or until the person wants the next one."""

    name = "leds"

    def __init__(self, profile: Profile, step_ns: int) -> None:
        super().__init__()
        self._lights = lights(profile)
        self._dark = bytes(frame_length(profile.seats, profile.piles))
        self._step_ns = step_ns
        self._at = 0
        self._until_ns: int | None = None

    @property
    def done(self) -> bool:
        return self._at >= len(self._lights)

    @property
    def due_ns(self) -> int | None:
        if self.done:
            return None
        return 0 if self._until_ns is None else self._until_ns

    @property
    def frame(self) -> bytes:
        if self.done:
            return self._dark
        light = self._lights[self._at]
        frame = bytearray(self._dark)
        frame[light.lamp] = light.colours
        return bytes(frame)

    def advance(self, now_ns: int) -> None:
        if self._until_ns is None:
            self._burn(now_ns)
        elif now_ns >= self._until_ns:
            self.go_on(now_ns)

    def go_on(self, now_ns: int) -> None:
        self._at += 1
        self._burn(now_ns)

    def picture(self) -> list[str]:
        if self.done:
            return [f"{self._at} of {len(self._lights)}: all were lit"]
        first = max(0, self._at - AROUND)
        shown = range(first, min(len(self._lights), self._at + AROUND + 1))
        lines = [f"{'->' if at == self._at else '  '} {self._lights[at].words}" for at in shown]
        return [*lines, f"{self._at + 1} of {len(self._lights)}; Enter: the next one"]

    def results(self) -> list[Finding]:
        if not self._lights:
            return [self.found("lamps", State.NOTE, "the profile wires none")]
        burned = min(self._at + (self._until_ns is not None), len(self._lights))
        seen = f"{burned} of {len(self._lights)} lights were lit, each alone"
        advice = "one that stayed dark, or was lit when another was named: check [lamps] in the profile"
        return [self.found("lamps", State.NOTE, seen, advice)]

    def _burn(self, now_ns: int) -> None:
        self._until_ns = now_ns + self._step_ns
        if not self.done:
            self.note(self._lights[self._at].words)


def lights(profile: Profile) -> list[WalkLamp]:
    """All lights in the order of a frame: a lamp of three colours is three of them."""
    wires = sorted(profile.lamp_wires, key=lambda wire: (wire.lamp, -wire.mask))
    return [WalkLamp(wire.lamp, wire.mask, _words(profile, wire.lamp, wire.mask)) for wire in wires]


def _words(profile: Profile, lamp: int, colours: int) -> str:
    name = lamp_name(profile, lamp)
    return name if colours == Tint.WHITE else f"{name}, {Tint(colours).name.lower()}"


class ReaderWalk(Walk):
    """`ports` has the words for where each reader is plugged in; all are asked for in that order."""

    name = "readers"

    def __init__(self, ports: Mapping[Spot, str], uid_of: Callable[[Tag], bytes]) -> None:
        super().__init__()
        self._uid_of = uid_of
        self._list = Checklist(ports)
        self._ports = ports
        self._saw: dict[Spot, str] = {}
        self._enrolled: dict[Spot, bool] = {}
        self._lying: dict[str, set[Spot]] = {}
        self._shared: set[tuple[Spot, Spot]] = set()

    @property
    def done(self) -> bool:
        return self._list.asked is None

    def put(self, seen: Input, now_ns: int) -> None:
        if isinstance(seen, TagSeen):
            self._came(seen.at, seen.tag)
        elif isinstance(seen, Withdrawn):
            self._lying.setdefault(self._uid_of(seen.tag).hex(), set()).discard(seen.at)
        else:
            super().put(seen, now_ns)

    def _came(self, at: Spot, tag: Tag) -> None:
        uid = self._uid_of(tag).hex()
        spots = self._lying.setdefault(uid, set())
        for other in spots - {at}:
            self._shared.add((min(other, at, key=str), max(other, at, key=str)))
            self.note(f"{other} and {at} see the same tag")
        spots.add(at)
        known = not isinstance(tag, Stranger)
        self._enrolled[at] = self._enrolled.get(at, False) or known
        self._saw[at] = f"{uid}: {_stands_for(tag)}"
        asked = self._list.asked
        instead = "" if self._list.tick(at) else f"; {asked} was asked for"
        self.note(f"{self._list.mark(at)} {at} ({self._ports[at]}) sees {self._saw[at]}{instead}")

    def picture(self) -> list[str]:
        lines = [f"{self._list.mark(at)} {at!s:<10} {self._saw.get(at, '')}".rstrip() for at in self._ports]
        asked = self._list.asked
        if asked is None:
            return [*lines, f"{self._list.count()}: all have seen a tag"]
        return [*lines, f"{self._list.count()}; now hold a tag to: {asked} ({self._ports[asked]})"]

    def results(self) -> list[Finding]:
        findings = [self._of(at) for at in self._list.parts]
        for one, other in sorted(self._shared, key=str):
            seen = f"{one} and {other} saw the same tag at the same time"
            advice = "they are too near to each other for groups of their own: give both one `group`"
            findings.append(self.found(str(one), State.WARN, seen, advice))
        for at in self._list.parts:
            asked = self._list.instead_of(at)
            if asked is not None:
                seen = f"it saw a tag when {asked} was asked for"
                advice = f"if you held it to {asked}: that reader is at {self._ports[at]}; change the two"
                findings.append(self.found(str(at), State.NOTE, seen, advice))
        return findings

    def _of(self, at: Spot) -> Finding:
        if not self._list.has(at):
            seen = f"saw no tag ({self._ports[at]})"
            advice = "hold one flat to the middle of its antenna; metal beneath blinds it"
            return self.found(str(at), State.FAIL, seen, advice)
        if not self._enrolled[at]:
            advice = "any tag does for this walk; those of the game: ligretto-table tags enrol"
            return self.found(str(at), State.OK, self._saw[at], advice)
        return self.found(str(at), State.OK, self._saw[at])


def _stands_for(tag: Tag) -> str:
    return "not enrolled" if isinstance(tag, Stranger) else format_tag(tag)
