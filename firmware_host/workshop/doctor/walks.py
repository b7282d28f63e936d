"""Walks from part to part: through all buttons or sensors, all lamps, or all readers.

Any order will do, but one is asked for at a time: if another one comes although a person touched that one,
two wires are swapped. Two buttons that come within a millisecond are no two fingers: their wires are joined.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar

from firmware_host.model.events import DeviceChanged, Input, SignalsLost, SourceEdge, TagSeen, Withdrawn
from firmware_host.model.places import Slot, Source, Spot, Stranger, Tag, format_tag
from firmware_host.model.settings import Lane, Settings
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.model.times import MS, format_duration
from firmware_host.profile.profile import Profile, lamp_name
from firmware_host.show.lamps import Tint, frame_length
from firmware_host.workshop.doctor.findings import Area, Finding, State


class Walk(ABC):
    """One walk, from `begin` until it is `done` or nobody goes on."""

    name: str

    def __init__(self) -> None:
        self._news: list[str] = []
        self._lost_edges = 0
        self._devices: dict[str, DeviceCondition] = {}

    # -- what each walk defines

    @property
    @abstractmethod
    def done(self) -> bool:
        """Whether nothing is left."""

    @abstractmethod
    def picture(self) -> list[str]:
        """How far it is, line by line."""

    @abstractmethod
    def results(self) -> list[Finding]:
        """What has come of the parts."""

    @property
    def frame(self) -> bytes | None:
        """How the lamps should burn now; None if this walk has no say in that."""
        return None

    def go_on(self, now_ns: int) -> None:
        """The person wants the next one."""

    # -- for the screen

    def take_news(self) -> list[str]:
        """What has happened since the last call."""
        news, self._news = self._news, []
        return news

    def note(self, line: str) -> None:
        """Something has happened."""
        self._news.append(line)

    def findings(self) -> list[Finding]:
        """What has come of the parts, and what the devices reported meanwhile."""
        return [*self.results(), *self._of_devices()]

    def found(self, subject: str, state: State, seen: str, advice: str = "") -> Finding:
        """A finding of this walk."""
        return Finding(Area.WALK, f"{self.name}: {subject}", state, seen, advice)

    # -- as the loop needs it

    @property
    def due_ns(self) -> int | None:
        return None

    def put(self, seen: Input, now_ns: int) -> None:
        """Take what came in; a walk ignores what it is not about, except the state of devices."""
        if isinstance(seen, DeviceChanged):
            device = seen.device
            self._devices[device.name] = device
            words = f": {device.words}" if device.words else ""
            self.note(f"{device.name} is {device.condition}{words}")
        elif isinstance(seen, SignalsLost):
            self._lost_edges += max(1, seen.count)
            self.note("edges were lost on the way")

    def advance(self, now_ns: int) -> None:
        """Time passes."""

    def _of_devices(self) -> list[Finding]:
        findings = []
        for device in self._devices.values():
            if device.condition is not Condition.OK:
                state = State.FAIL if device.condition is Condition.LOST else State.WARN
                seen = f"{device.condition}: {device.seen}"
                findings.append(self.found(device.name, state, seen, device.advice))
        if self._lost_edges:
            seen = f"{self._lost_edges} edges were lost on the way"
            advice = "see --jitter; if it comes again with a calm machine, look for noise on the lines"
            findings.append(self.found("edges", State.WARN, seen, advice))
        return findings


P = TypeVar("P")


class Checklist(Generic[P]):
    """Parts in the order in which they are asked for."""

    def __init__(self, parts: Iterable[P]) -> None:
        self._parts = tuple(parts)
        self._came: set[P] = set()
        self._instead: dict[P, P] = {}

    @property
    def parts(self) -> tuple[P, ...]:
        return self._parts

    @property
    def asked(self) -> P | None:
        """The part that is asked for; None when all have come."""
        return next((part for part in self._parts if part not in self._came), None)

    def has(self, part: P) -> bool:
        """Whether it has come."""
        return part in self._came

    def tick(self, part: P) -> bool:
        """A part has come; whether that is the one that was asked for, or none was."""
        asked = self.asked
        wanted = asked is None or part == asked
        if asked is not None and not wanted and part not in self._came:
            self._instead[part] = asked
        self._came.add(part)
        return wanted

    def instead_of(self, part: P) -> P | None:
        """Which other part was asked for when this one came for the first time, and came later itself.

        One that never came is missing, and says nothing of those that did.
        """
        asked = self._instead.get(part)
        return asked if asked in self._came else None

    def count(self) -> str:
        """How many have come."""
        return f"{sum(map(self.has, self._parts))} of {len(self._parts)}"

    def mark(self, part: P) -> str:
        """A box, ticked or not."""
        return "[x]" if part in self._came else "[ ]"


class Touches:
    """Edges that follow each other sooner than the lane's quiet time are one burst."""

    def __init__(self, lane: Lane) -> None:
        self.lane = lane
        self.active = False
        self.count = 0
        self.exact = False
        """At least one came with a stamp of its own, not by looking."""
        self.most_bounces = 0
        self.longest_ns = 0
        self._first_ns = 0
        self._last_ns: int | None = None
        self._edges = 0
        self._counted = False

    def edge(self, active: bool, t_ns: int, exact: bool) -> bool:
        """Take an edge; whether it is a new touch."""
        if self._last_ns is None or t_ns - self._last_ns >= self.lane.quiet_ns:
            self._first_ns, self._edges, self._counted = t_ns, 0, self.active
        self._last_ns = t_ns
        self._edges += 1
        self.active = active
        self.exact = self.exact or exact
        self.most_bounces = max(self.most_bounces, self._edges - 1)
        self.longest_ns = max(self.longest_ns, t_ns - self._first_ns)
        if not active or self._counted:
            return False
        self._counted = True
        self.count += 1
        return True

    def __str__(self) -> str:
        if not self.count:
            return ""
        times = "once" if self.count == 1 else f"{self.count} times"
        if not self.most_bounces:
            return f"{times}, no bounce"
        bounces = "1 bounce" if self.most_bounces == 1 else f"{self.most_bounces} bounces"
        return f"{times}, up to {bounces} in {self.longest_ns / MS:.1f} ms"


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
