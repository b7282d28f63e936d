"""What is wrong with the devices of a simulated table now, on somebody's word: `storm seat 2 3s`.

A fault is done to devices and contacts; the daemon has to find out. It ends after its time, or when it is
taken back. Nothing can have two at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from firmware_host.config.ports import SCOREBOARD
from firmware_host.durations import MS, S
from firmware_host.errors import MalformedText
from firmware_host.places import Button, Slot
from firmware_host.simulation.mishap_text import read_mishap
from firmware_host.simulation.world.ground import Ground
from hw.sim.contacts import Contact

EXAMPLE = "storm seat 2 3s"
LONGEST_NS = 3600 * S
STORM_NS = 10 * MS
UNPLUGGED = ("was unplugged", "check its plug and its power")
"""What the driver of a sign sees, and its advice."""
SILENT = ("does not answer", "check its power and its wires")
"""The same of readers and chips."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and with what; `until_ns` is None until somebody takes it back."""

    kind: str
    target: str
    until_ns: int | None


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One way to go wrong: what of a table can have it, and how it begins and ends."""

    means: str
    targets: Callable[[Ground], list[str]]
    begin: Callable[[Ground, str], None]
    end: Callable[[Ground, str], None]


class FaultBook:
    """Lets things go wrong, and mends them."""

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._faults: dict[str, Fault] = {}

    @property
    def faults(self) -> list[Fault]:
        """What is wrong now, in the order in which it began."""
        return list(self._faults.values())

    def possible(self) -> dict[str, list[str]]:
        """What can have each kind of fault at this table."""
        return {name: kind.targets(self._ground) for name, kind in KINDS.items()}

    def begin(self, text: str) -> Fault:
        """Let that go wrong now; a MalformedText says why it can't."""
        name, target, times_ns = read_mishap(text, KINDS, 1, EXAMPLE)
        kind = KINDS[name]
        targets = kind.targets(self._ground)
        if target not in targets:
            allowed = ", ".join(targets) or "nothing at this table"
            raise MalformedText(f"fault '{name}': '{target[:60]}' can't have it; allowed: {allowed}")
        if target in self._faults:
            raise MalformedText(
                f"{target} has the fault '{self._faults[target].kind}' already; end that first"
            )
        if times_ns and not 0 < times_ns[0] <= LONGEST_NS:
            raise MalformedText("a fault lasts at most 60min; without a time, until you end it")
        agenda = self._ground.agenda
        fault = Fault(name, target, agenda.now_ns + times_ns[0] if times_ns else None)
        self._faults[target] = fault
        kind.begin(self._ground, target)
        if fault.until_ns is not None:
            agenda.at(fault.until_ns, lambda: self._end(fault))
        return fault

    def end(self, target: str = "") -> None:
        """Mend that, or everything; a MalformedText if it has no fault."""
        if target and target not in self._faults:
            wrong = f"these have: {', '.join(self._faults)}" if self._faults else "nothing has one"
            raise MalformedText(f"'{target[:60]}' has no fault; {wrong}")
        for fault in self.faults:
            if target in ("", fault.target):
                self._end(fault)

    def _end(self, fault: Fault) -> None:
        if self._faults.get(fault.target) is fault:  # else it was taken back before its time
            del self._faults[fault.target]
            KINDS[fault.kind].end(self._ground, fault.target)


# -- what can have it


def _devices(ground: Ground) -> list[str]:
    return ground.devices


def _buttons(ground: Ground) -> list[str]:
    return [str(source) for source in sorted(ground.contacts) if isinstance(source, Button)]


def _contacts(ground: Ground) -> list[str]:
    slots = [str(source) for source in sorted(ground.contacts) if isinstance(source, Slot)]
    return [str(source) for source in sorted(ground.contacts) if not isinstance(source, Slot)] + slots


# -- what happens


def _unplug(ground: Ground, name: str) -> None:
    ground.lose(name, *(UNPLUGGED if name == SCOREBOARD else SILENT))


def _plug(ground: Ground, name: str) -> None:
    ground.restore(name)


def _jam(ground: Ground, name: str) -> None:
    _contact(ground, name).jam()


def _storm(ground: Ground, name: str) -> None:
    _contact(ground, name).chatter(STORM_NS)


def _heal(ground: Ground, name: str) -> None:
    _contact(ground, name).heal()


def _contact(ground: Ground, name: str) -> Contact:
    return next(each for source, each in ground.contacts.items() if str(source) == name)


KINDS: dict[str, FaultKind] = {
    "unplug": FaultKind("its plug is pulled", _devices, _unplug, _plug),
    "stuck": FaultKind("it stays pressed", _buttons, _jam, _heal),
    "storm": FaultKind("it chatters a hundred times a second", _contacts, _storm, _heal),
}
