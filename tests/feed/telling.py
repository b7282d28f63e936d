"""A driver whose steps are told, and somebody who listens."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from firmware_host.feed.known_state import State, patched
from firmware_host.feed.teller import Surroundings, Teller
from firmware_host.referee import Step
from tests.games.driver import Driver

Message = dict[str, Any]


def read(line: bytes) -> Message:
    """A message of the feed."""
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    told: Message = json.loads(line)
    return told


@dataclass(slots=True)
class Listener:
    """What somebody knows who has heard some messages."""

    state: State = field(default_factory=dict)
    lamps: str = ""
    page: list[str] = field(default_factory=list)
    n: int = 0

    def hear(self, line: bytes) -> Message:
        told = read(line)
        if told["is"] == "snapshot":
            self.state = told["state"]
        else:
            self.state = patched(self.state, told.get("state", {}))
        self.lamps, self.page = told.get("lamps", self.lamps), told.get("page", self.page)
        assert told["n"] >= self.n
        self.n = told["n"]
        return told


class Told:
    """All that is told of a driver from now on."""

    def __init__(self, driver: Driver) -> None:
        self.around = Surroundings()
        self.teller = Teller(7, driver.referee, lambda: self.around)
        self.lines: list[bytes] = []
        self.n = 0
        driver.onlookers.append(self._follow)

    def _follow(self, step: Step) -> None:
        self.n += len(step.effects)
        self.teller.follow(step.effects)
        line = self.teller.step(step, self.n)
        if line is not None:
            self.lines.append(line)

    def snapshot(self) -> bytes:
        return self.teller.snapshot(self.n)

    @property
    def state(self) -> State:
        """As somebody is told who comes now; nobody else listens any more."""
        self.teller.forget()
        told: State = read(self.snapshot())["state"]
        return told
