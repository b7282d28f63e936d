"""What all walks have in common: news line by line, a picture, an end, and findings about it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from firmware_host.doctor.findings import Area, Finding, State
from firmware_host.events import DeviceChanged, SignalsLost
from firmware_host.input_text import Input
from firmware_host.states import Condition, DeviceCondition


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
