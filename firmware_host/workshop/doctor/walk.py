"""What all walks have in common: news line by line, a picture, an end, and findings about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Generic, TypeVar

from firmware_host.model.events import DeviceChanged, Input, SignalsLost
from firmware_host.model.settings import Lane
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.model.times import MS
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
