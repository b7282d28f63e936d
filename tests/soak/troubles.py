"""Devices that fail at random, one after the other, and whether the health page tells of just those."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.faults import CHIP_FAULTS, PlannedFault, plan
from firmware_host.model.times import S

SHORTEST_S, LONGEST_S = 8, 14
STUCK_S = 60  # a button is taken for jammed after 30 s
BETWEEN_S = (60, 180)
NOTICED_NS = 7 * S
JAMMED_NS = 36 * S
FORGIVEN_NS = 42 * S
"""A device that was lost is tried again now and then, at the latest after so long."""

SOLID = ("unplug", "silence", "hang", "stuck", "storm")
"""What can't be overlooked while it lasts."""
SHOWING = ("scoreboard", "rows", "piles-1", "piles-2")
"""Of these nobody knows before there is something to show; a sign never answers, besides."""


@dataclass(slots=True)
class Troubles:
    """What goes wrong at one table on chips, and what the health page says of it."""

    table: ChipTable
    page: Callable[[], Mapping[str, Any] | None]
    chance: Random
    now: PlannedFault | None = None
    done: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    looks: int = 0
    _past: list[PlannedFault] = field(default_factory=list)
    _free_ns: int = 0

    def begin(self) -> None:
        """Things go wrong from now on, and the page is looked at every second."""
        self._plan_next()
        self._look()

    def _plan_next(self) -> None:
        agenda, chance = self.table.agenda, self.chance
        kind = chance.choice(sorted(CHIP_FAULTS))
        if kind == "stuck" and chance.random() < 0.5:
            kind = "storm"  # a jammed button lets a paused round go on, so that it would never end by itself
        targets = CHIP_FAULTS[kind].targets(self.table)
        wait_ns = chance.randint(*BETWEEN_S) * S
        if not targets:
            agenda.after(wait_ns, self._plan_next)
            return
        length_ns = (STUCK_S if kind == "stuck" else chance.randint(SHORTEST_S, LONGEST_S)) * S
        fault = PlannedFault(kind, chance.choice(targets), agenda.now_ns + wait_ns, length_ns)
        plan([fault], self.table)
        self.now = fault
        self.done[kind] += 1
        agenda.at(fault.start_ns + length_ns, self._end)

    def _end(self) -> None:
        assert self.now is not None
        self._past = [*self._past[-3:], self.now]
        self.now = None
        self._plan_next()

    def _look(self) -> None:
        page = self.page()
        if page is not None:
            self.looks += 1
            self._compare(page)
        self.table.agenda.after(1 * S, self._look)

    def _compare(self, page: Mapping[str, Any]) -> None:
        t_ns = self.table.agenda.now_ns
        if page["phase"] == "attract":
            self._free_ns = t_ns  # a new session begins then, which has to find out anew what is jammed
        told = {name for name, device in page["devices"].items() if device["condition"] != "ok"}
        told |= set(page["masked"])
        explained = {name for fault in self._recent(t_ns) for name in self._around(fault)}
        self._note(t_ns, told - explained, "is told of, and nothing is wrong with it")
        fault = self.now
        if fault is not None and self._is_solid(fault) and self._is_noticed(fault, t_ns):
            missing = {fault.target} if fault.target != "i2c" else set(self.table.site.banks)
            self._note(t_ns, missing - told, f"is not told of, though there is: {fault}")

    def _recent(self, t_ns: int) -> list[PlannedFault]:
        """What is wrong now, or was a short while ago."""
        all_ = [*self._past, *([self.now] if self.now is not None else [])]
        return [
            each for each in all_ if each.start_ns <= t_ns <= each.start_ns + each.length_ns + FORGIVEN_NS
        ]

    def _around(self, fault: PlannedFault) -> set[str]:
        """What may suffer from it."""
        chips = set(self.table.site.addresses)
        if fault.target == "i2c":
            return {"i2c", *chips}
        return {fault.target, "i2c"} if fault.target in chips else {fault.target}

    def _is_solid(self, fault: PlannedFault) -> bool:
        return fault.kind in SOLID and fault.target not in SHOWING

    def _is_noticed(self, fault: PlannedFault, t_ns: int) -> bool:
        noticed_ns = JAMMED_NS if fault.kind == "stuck" else NOTICED_NS
        since_ns = max(fault.start_ns, self._free_ns)
        return since_ns + noticed_ns <= t_ns < fault.start_ns + fault.length_ns

    def _note(self, t_ns: int, names: set[str], words: str) -> None:
        for name in sorted(names):
            self.faults.append(f"at {t_ns / S:.0f} s: {name} {words}")
