"""Things that go wrong with a simulated table, on command: the kinds, and what can have them.

A fault is done to simulated chips, cables and contacts; the drivers, or the daemon, have to find out. A table
simulated down to its chips has all kinds, planned beforehand: `unplug scoreboard 10s 5s`. In the world of a
running daemon some can begin at once, until they are taken back: `storm seat 2 3s`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, Generic, TypeVar

from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.surface import Surface
from firmware_host.model.errors import BadSettings, MalformedText
from firmware_host.model.places import Button, Slot
from firmware_host.model.times import MS, S, format_duration, parse_duration
from firmware_host.profile.profile import SCOREBOARD
from firmware_host.run.line_server import LineServer, Peer

T = TypeVar("T", ChipTable, Surface)
AnyTable = ChipTable | Surface


@dataclass(frozen=True, slots=True)
class FaultKind(Generic[T]):
    """One way to go wrong: what of a table can have it, and how it begins (True) and ends (False)."""

    means: str
    targets: Callable[[T], list[str]]
    change: Callable[[T, str, bool], None]

    def check(self, name: str, target: str, table: T) -> None:
        """Raise a MalformedText if that can't have it."""
        targets = self.targets(table)
        if target not in targets:
            allowed = ", ".join(targets) or "nothing at this table"
            raise MalformedText(f"fault '{name}': '{target[:60]}' can't have it; allowed: {allowed}")


def _parsed(text: str, kinds: Collection[str], most_times: int, example: str) -> tuple[str, str, list[int]]:
    """Kind, target and times of a text; a MalformedText says what is wrong."""
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
    return words[0], " ".join(words[1:]), times


# -- contacts, of any table


def _buttons(table: AnyTable) -> list[str]:
    return [str(source) for source in sorted(table.contacts) if isinstance(source, Button)]


def _contacts(table: AnyTable) -> list[str]:
    """The slots come last."""
    sources = sorted(table.contacts, key=lambda source: (isinstance(source, Slot), source))
    return [str(source) for source in sources]


def _jam(table: AnyTable, name: str, begins: bool) -> None:
    contact = next(each for source, each in table.contacts.items() if str(source) == name)
    contact.jam() if begins else contact.heal()


def _storm(every_ns: int, table: AnyTable, name: str, begins: bool) -> None:
    contact = next(each for source, each in table.contacts.items() if str(source) == name)
    contact.chatter(every_ns) if begins else contact.heal()


# -- chips and cables: planned faults

USUAL_START_NS = 15 * S
USUAL_LENGTH_NS = 5 * S
NACK_EVERY = 3
SLOW_BAUD = 300
GARBAGE = bytes.fromhex("a5005aff55")


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """What goes wrong, with what, and when."""

    kind: str
    target: str
    start_ns: int = USUAL_START_NS
    length_ns: int = USUAL_LENGTH_NS

    def __str__(self) -> str:
        return f"{self.kind} {self.target} {format_duration(self.start_ns)} {format_duration(self.length_ns)}"


def parse_planned(text: str) -> PlannedFault:
    """The fault of a text such as `unplug scoreboard 10s 5s`; the times may be left out."""
    kind, target, times_ns = _parsed(text, CHIP_FAULTS, 2, "unplug scoreboard 10s 5s")
    return PlannedFault(kind, target, *times_ns)


def plan(faults: Sequence[PlannedFault], table: ChipTable) -> None:
    """Put them on the table's agenda; BadSettings names those that this table can't have."""
    wrong = []
    for fault in faults:
        try:
            CHIP_FAULTS[fault.kind].check(fault.kind, fault.target, table)
        except MalformedText as error:
            wrong.append(str(error))
    if wrong:
        raise BadSettings(wrong)
    for fault in faults:
        change = partial(CHIP_FAULTS[fault.kind].change, table, fault.target)
        table.agenda.at(fault.start_ns, partial(change, True))
        table.agenda.at(fault.start_ns + fault.length_ns, partial(change, False))


def _cables(table: ChipTable) -> list[str]:
    return sorted(table.site.cables)


def _chips(table: ChipTable) -> list[str]:
    return sorted(table.site.addresses)


def _banks(table: ChipTable) -> list[str]:
    return sorted(table.site.interrupt_ends)


def _plugs(table: ChipTable) -> list[str]:
    return _cables(table) + _chips(table)


def _talkers(table: ChipTable) -> list[str]:
    return _cables(table) + _banks(table)


def _bus(table: ChipTable) -> list[str]:
    return ["i2c"] if table.site.addresses else []


def _direct(table: ChipTable) -> list[str]:
    return [str(source) for source in sorted(table.site.profile.direct_lines.values())]


def _unplug(table: ChipTable, name: str, begins: bool) -> None:
    site = table.site
    if name in site.cables:
        site.cables[name].unplug() if begins else site.cables[name].plug()
        return
    if not begins:
        site.models[name].power_on()
    _silence(table, name, begins)


def _silence(table: ChipTable, name: str, begins: bool) -> None:
    site = table.site
    if name in site.cables:
        site.cables[name].garble = (lambda data: b"") if begins else None
    elif begins:
        site.bus.gone.add(site.addresses[name])
    else:
        site.bus.gone.discard(site.addresses[name])


def _garble(table: ChipTable, name: str, begins: bool) -> None:
    site = table.site
    if name in site.cables:
        site.cables[name].garble = _garbled if begins else None
        return
    address = site.addresses[name]

    def garbled(at: int, data: bytes) -> bytes:
        return bytes(byte ^ 0xA5 for byte in data) if at == address else data

    site.bus.garble = garbled if begins else None


def _garbled(data: bytes) -> bytes:
    return bytes(byte ^ GARBAGE[index % len(GARBAGE)] for index, byte in enumerate(data))


def _nack(table: ChipTable, name: str, begins: bool) -> None:
    table.site.bus.nack_every = NACK_EVERY if begins else 0


def _hang(table: ChipTable, name: str, begins: bool) -> None:
    table.site.bus.hangs = begins


def _reset(table: ChipTable, name: str, begins: bool) -> None:
    if begins:  # it is over when it has happened
        table.site.models[name].power_on()


def _hold_interrupt(table: ChipTable, name: str, begins: bool) -> None:
    end = table.site.interrupt_ends[name]
    end.hold(False) if begins else end.let_go()


def _slow(table: ChipTable, name: str, begins: bool) -> None:
    cable, usual = table.site.cables[name], table.site.bauds[name]
    cable.baud = cable.baud // (cable.baud // SLOW_BAUD) if begins else usual


def _deafen(table: ChipTable, name: str, begins: bool) -> None:
    lines = table.site.profile.direct_lines
    line = next(line for line, source in lines.items() if str(source) == name)
    table.site.pins.pin(f"GPIO{line}").edges = "rising" if begins else "both"


CHIP_FAULTS: dict[str, FaultKind[ChipTable]] = {
    "unplug": FaultKind("its plug is pulled, and put in again", _plugs, _unplug),
    "silence": FaultKind("it does not answer", _plugs, _silence),
    "garbage": FaultKind("what it says or hears is garbled", _talkers, _garble),
    "nack": FaultKind(f"every {NACK_EVERY}rd transfer on the bus fails", _bus, _nack),
    "hang": FaultKind("the bus hangs", _bus, _hang),
    "reset": FaultKind("it forgets everything, as after a dip of its supply", _chips, _reset),
    "stuck-interrupt": FaultKind("its interrupt line stays low", _banks, _hold_interrupt),
    "slow": FaultKind(f"its port crawls at {SLOW_BAUD} baud", _cables, _slow),
    "lost-presses": FaultKind("each press gets lost on the way", _direct, _deafen),
    "stuck": FaultKind("it stays pressed", _buttons, _jam),
    "storm": FaultKind("it chatters a thousand times a second", _contacts, partial(_storm, 1 * MS)),
}


# -- the world of a running daemon: faults on somebody's word

EXAMPLE = "storm seat 2 3s"
LONGEST_NS = 3600 * S
UNPLUGGED = ("was unplugged", "check its plug and its power")
"""What the driver of a sign sees, and its advice."""
SILENT = ("does not answer", "check its power and its wires")
"""The same of readers and chips."""


def _devices(surface: Surface) -> list[str]:
    return surface.devices


def _lose(surface: Surface, name: str, begins: bool) -> None:
    if begins:
        surface.lose(name, *(UNPLUGGED if name == SCOREBOARD else SILENT))
    else:
        surface.restore(name)


SURFACE_FAULTS: dict[str, FaultKind[Surface]] = {
    "unplug": FaultKind("its plug is pulled", _devices, _lose),
    "stuck": FaultKind("it stays pressed", _buttons, _jam),
    "storm": FaultKind("it chatters a hundred times a second", _contacts, partial(_storm, 10 * MS)),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong, and with what; `until_ns` is None until somebody takes it back."""

    kind: str
    target: str
    until_ns: int | None


class FaultBook:
    """Lets things go wrong now, and mends them; nothing can have two faults at once."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._faults: dict[str, Fault] = {}

    @property
    def faults(self) -> list[Fault]:
        """What is wrong now, in the order in which it began."""
        return list(self._faults.values())

    def begin(self, text: str) -> Fault:
        """Let that go wrong now; a MalformedText says why it can't."""
        name, target, times_ns = _parsed(text, SURFACE_FAULTS, 1, EXAMPLE)
        kind = SURFACE_FAULTS[name]
        kind.check(name, target, self._surface)
        if target in self._faults:
            raise MalformedText(
                f"{target} has the fault '{self._faults[target].kind}' already; end that first"
            )
        if times_ns and not 0 < times_ns[0] <= LONGEST_NS:
            raise MalformedText("a fault lasts at most 60min; without a time, until you end it")
        agenda = self._surface.agenda
        fault = Fault(name, target, agenda.now_ns + times_ns[0] if times_ns else None)
        self._faults[target] = fault
        kind.change(self._surface, target, True)
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
            SURFACE_FAULTS[fault.kind].change(self._surface, fault.target, False)


OWN_USER = 0o600


class FaultSocket:
    """The socket at which an operator lets things go wrong with a simulated table, and mends them.

    It is asked and answers as the table's own socket for commands does: `{"tell":"storm seat 2 3s"}`,
    `{"tell":"end seat 2"}`, `{"tell":"end"}` for everything, and `{"tell":""}` to hear what is wrong now. It
    is not the socket of the visitors, since what they say comes from anybody's browser.
    """

    def __init__(self, surface: Surface, come_up: Callable[[], None], path: Path) -> None:
        """`come_up` lets the world come up to the present. Raises SocketUnusable."""
        self._surface = surface
        self._book = FaultBook(surface)
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
        answer: dict[str, Any] = {"ok": False, "why": f'a line looks like {{"tell":"{EXAMPLE}"}}'}
        if isinstance(text, str):
            answer = self._answer(text)
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
        now_ns = self._surface.agenda.now_ns
        faults = [
            {"kind": each.kind, "what": each.target}
            | ({} if each.until_ns is None else {"left_s": round((each.until_ns - now_ns) / S, 1)})
            for each in self._book.faults
        ]
        return {"ok": True, "faults": faults, "possible": possible(self._surface)}


def possible(surface: Surface) -> Mapping[str, dict[str, Any]]:
    """Each kind with what it means, and what of this table can have it."""
    kinds = SURFACE_FAULTS.items()
    return {name: {"means": kind.means, "what": kind.targets(surface)} for name, kind in kinds}
