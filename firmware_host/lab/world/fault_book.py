"""What is wrong with the devices of a simulated table now, on somebody's word: `storm seat 2 3s`.

A fault is done to devices and contacts; the daemon has to find out. It ends after its time, or when it is
taken back. Nothing can have two at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from firmware_host.lab.world.ground import Ground
from firmware_host.model.errors import MalformedText
from firmware_host.model.places import Button, Slot
from firmware_host.model.times import MS, S, parse_duration
from firmware_host.profile.profile import SCOREBOARD
from firmware_host.run.line_server import LineServer, Peer
from hw.sim.contacts import Contact


class MishapText(NamedTuple):
    """The parts of such a text."""

    kind: str
    target: str
    times_ns: list[int]


def read_mishap(text: str, kinds: Collection[str], most_times: int, example: str) -> MishapText:
    """The parts of a text of one of these kinds; a MalformedText says what is wrong."""
    words = text.split()
    times: list[int] = []
    while len(words) > 1 and len(times) < most_times and words[-1][0].isdigit() and not words[-1].isdigit():
        times.insert(0, parse_duration(words.pop()))
    if len(words) < 2:
        raise MalformedText(f"'{text[:60]}' is not a fault; it looks like '{example}'")
    if words[0] not in kinds:
        near = get_close_matches(words[0], kinds, n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(kinds)}"
        raise MalformedText(f"fault '{words[0][:60]}' is unknown; {hint}")
    return MishapText(words[0], " ".join(words[1:]), times)


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


# The socket at which an operator lets things go wrong with a simulated table, and mends them.
#
# It is asked and answers as the table's own socket for commands does: `{"tell":"storm seat 2 3s"}`,
# `{"tell":"end seat 2"}`, `{"tell":"end"}` for everything, and `{"tell":""}` to hear what is wrong now. It is
# not the socket of the visitors, since what they say comes from anybody's browser.


OWN_USER = 0o600


class FaultDesk:
    """Takes the operator's word about faults."""

    def __init__(self, ground: Ground, come_up: Callable[[], None], path: Path) -> None:
        """`come_up` lets the world come up to the present. Raises SocketUnusable."""
        self._book = FaultBook(ground)
        self._agenda = ground.agenda
        self._come_up = come_up
        self._server = LineServer(path, OWN_USER, self._take)

    @property
    def descriptors(self) -> list[int]:
        """Readable while somebody wants something."""
        return [self._server.fileno()]

    def look(self) -> None:
        """Do what is asked for; called at least once a second."""
        self._server.look()

    def close(self) -> None:
        """Hang up on all; what is wrong stays wrong."""
        self._server.close()

    def _take(self, peer: Peer, line: bytes) -> None:
        self._come_up()
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError):
            asked = None
        text = asked.get("tell") if isinstance(asked, dict) else None
        answer: dict[str, Any]
        if isinstance(text, str):
            answer = self._answer(text)
        else:
            answer = {"ok": False, "why": 'a line looks like {"tell":"storm seat 2 3s"}'}
        number = asked.get("id") if isinstance(asked, dict) else None
        if isinstance(number, int | str):
            answer = {"id": number} | answer
        peer.send(json.dumps(answer, separators=(",", ":")).encode() + b"\n")

    def _answer(self, text: str) -> dict[str, Any]:
        words = text.split()
        try:
            if words[:1] == ["end"]:
                self._book.end(" ".join(words[1:]))
            elif words:
                self._book.begin(text)
        except MalformedText as error:
            return {"ok": False, "why": str(error)}
        return {"ok": True, "faults": self._faults(), "possible": self._possible()}

    def _faults(self) -> list[dict[str, Any]]:
        """What is wrong now, and for how many seconds yet."""
        now_ns = self._agenda.now_ns
        return [
            {"kind": each.kind, "what": each.target}
            | ({} if each.until_ns is None else {"left_s": round((each.until_ns - now_ns) / S, 1)})
            for each in self._book.faults
        ]

    def _possible(self) -> dict[str, dict[str, Any]]:
        """Each kind with what it means, and what can have it."""
        targets = self._book.possible()
        return {name: {"means": kind.means, "what": targets[name]} for name, kind in KINDS.items()}
