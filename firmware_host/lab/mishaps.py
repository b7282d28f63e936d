"""Things that go wrong with a table's devices, on command: `unplug scoreboard 10s 5s`.

A mishap is a kind, the name of what it happens to, when it begins, and how long it lasts. It
is done to the simulated chips, cables and contacts; the drivers have to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.world.fault_book import read_mishap
from firmware_host.model.errors import BadSettings
from firmware_host.model.places import Button
from firmware_host.model.times import MS, S, format_duration
from hw.sim.contacts import Contact

USUAL_START_NS = 15 * S
USUAL_LENGTH_NS = 5 * S
STORM_NS = 1 * MS
NACK_EVERY = 3
SLOW_BAUD = 300
GARBAGE = bytes.fromhex("a5005aff55")


@dataclass(frozen=True, slots=True)
class Mishap:
    """What goes wrong, with what, and when."""

    kind: str
    target: str
    start_ns: int = USUAL_START_NS
    length_ns: int = USUAL_LENGTH_NS

    def __str__(self) -> str:
        return f"{self.kind} {self.target} {format_duration(self.start_ns)} {format_duration(self.length_ns)}"


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to go wrong: which targets a table has for it, and how it begins and ends."""

    means: str
    targets: Callable[[ChipTable], list[str]]
    begin: Callable[[ChipTable, str], None]
    end: Callable[[ChipTable, str], None]


def parse_mishap(text: str) -> Mishap:
    """The mishap of a text such as `unplug scoreboard 10s 5s`; the times may be left out."""
    kind, target, times_ns = read_mishap(text, KINDS, 2, "unplug scoreboard 10s 5s")
    return Mishap(kind, target, *times_ns)


def plan(mishaps: Sequence[Mishap], table: ChipTable) -> None:
    """Put them on the table's agenda; BadSettings names those that this table can't have."""
    faults = []
    for mishap in mishaps:
        targets = KINDS[mishap.kind].targets(table)
        if mishap.target not in targets:
            allowed = ", ".join(targets) or "nothing at this table"
            faults.append(f"fault '{mishap.kind}': '{mishap.target}' can't have it; allowed: {allowed}")
    if faults:
        raise BadSettings(faults)
    for mishap in mishaps:
        _put_on_agenda(mishap, table)


def _put_on_agenda(mishap: Mishap, table: ChipTable) -> None:
    kind = KINDS[mishap.kind]
    table.agenda.at(mishap.start_ns, lambda: kind.begin(table, mishap.target))
    table.agenda.at(mishap.start_ns + mishap.length_ns, lambda: kind.end(table, mishap.target))


# -- whom it can happen to


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


def _buttons(table: ChipTable) -> list[str]:
    return [str(source) for source in sorted(table.contacts) if isinstance(source, Button)]


def _contacts(table: ChipTable) -> list[str]:
    return [str(source) for source in sorted(table.contacts)]


# -- what happens


def _unplug(table: ChipTable, name: str) -> None:
    if name in table.site.cables:
        table.site.cables[name].unplug()
    else:
        table.site.bus.gone.add(table.site.addresses[name])


def _plug(table: ChipTable, name: str) -> None:
    if name in table.site.cables:
        table.site.cables[name].plug()
    else:
        table.site.models[name].power_on()
        table.site.bus.gone.discard(table.site.addresses[name])


def _silence(table: ChipTable, name: str) -> None:
    if name in table.site.cables:
        table.site.cables[name].garble = lambda data: b""
    else:
        table.site.bus.gone.add(table.site.addresses[name])


def _speak(table: ChipTable, name: str) -> None:
    if name in table.site.cables:
        table.site.cables[name].garble = None
    else:
        table.site.bus.gone.discard(table.site.addresses[name])


def _garble(table: ChipTable, name: str) -> None:
    if name in table.site.cables:
        table.site.cables[name].garble = lambda data: bytes(
            byte ^ GARBAGE[index % len(GARBAGE)] for index, byte in enumerate(data)
        )
    else:
        address = table.site.addresses[name]
        table.site.bus.garble = lambda at, data: (
            bytes(byte ^ 0xA5 for byte in data) if at == address else data
        )


def _ungarble(table: ChipTable, name: str) -> None:
    if name in table.site.cables:
        table.site.cables[name].garble = None
    else:
        table.site.bus.garble = None


def _nack(table: ChipTable, name: str) -> None:
    table.site.bus.nack_every = NACK_EVERY


def _ack(table: ChipTable, name: str) -> None:
    table.site.bus.nack_every = 0


def _hang(table: ChipTable, name: str) -> None:
    table.site.bus.hangs = True


def _unhang(table: ChipTable, name: str) -> None:
    table.site.bus.hangs = False


def _reset(table: ChipTable, name: str) -> None:
    table.site.models[name].power_on()


def _nothing(table: ChipTable, name: str) -> None:
    """A reset is over when it has happened."""


def _hold_interrupt(table: ChipTable, name: str) -> None:
    table.site.interrupt_ends[name].hold(False)


def _free_interrupt(table: ChipTable, name: str) -> None:
    table.site.interrupt_ends[name].let_go()


def _slow(table: ChipTable, name: str) -> None:
    table.site.cables[name].baud //= table.site.cables[name].baud // SLOW_BAUD


def _fast(table: ChipTable, name: str) -> None:
    table.site.cables[name].baud = table.site.bauds[name]


def _deafen(table: ChipTable, name: str) -> None:
    _pin(table, name).edges = "rising"


def _undeafen(table: ChipTable, name: str) -> None:
    _pin(table, name).edges = "both"


def _pin(table: ChipTable, name: str) -> Any:
    profile = table.site.profile
    line = next(line for line, source in profile.direct_lines.items() if str(source) == name)
    return table.site.pins.pin(f"GPIO{line}")


def _jam(table: ChipTable, name: str) -> None:
    _contact(table, name).jam()


def _storm(table: ChipTable, name: str) -> None:
    _contact(table, name).chatter(STORM_NS)


def _heal(table: ChipTable, name: str) -> None:
    _contact(table, name).heal()


def _contact(table: ChipTable, name: str) -> Contact:
    return next(each for source, each in table.contacts.items() if str(source) == name)


KINDS: dict[str, Kind] = {
    "unplug": Kind("its plug is pulled, and put in again", _plugs, _unplug, _plug),
    "silence": Kind("it does not answer", _plugs, _silence, _speak),
    "garbage": Kind("what it says or hears is garbled", _talkers, _garble, _ungarble),
    "nack": Kind(f"every {NACK_EVERY}rd transfer on the bus fails", _bus, _nack, _ack),
    "hang": Kind("the bus hangs", _bus, _hang, _unhang),
    "reset": Kind("it forgets everything, as after a dip of its supply", _chips, _reset, _nothing),
    "stuck-interrupt": Kind("its interrupt line stays low", _banks, _hold_interrupt, _free_interrupt),
    "slow": Kind(f"its port crawls at {SLOW_BAUD} baud", _cables, _slow, _fast),
    "lost-presses": Kind("each press gets lost on the way", _direct, _deafen, _undeafen),
    "stuck": Kind("it stays pressed", _buttons, _jam, _heal),
    "storm": Kind("it chatters a thousand times a second", _contacts, _storm, _heal),
}
