"""Devices that fail at random, one after the other, and whether the health page tells of just those."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.mishaps import KINDS, Mishap, plan
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
    now: Mishap | None = None
    done: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    looks: int = 0
    _past: list[Mishap] = field(default_factory=list)
    _free_ns: int = 0

    def begin(self) -> None:
        """Things go wrong from now on, and the page is looked at every second."""
        self._plan_next()
        self._look()

    def _plan_next(self) -> None:
        agenda, chance = self.table.agenda, self.chance
        kind = chance.choice(sorted(KINDS))
        if kind == "stuck" and chance.random() < 0.5:
            kind = "storm"  # a jammed button lets a paused round go on, so that it would never end by itself
        targets = KINDS[kind].targets(self.table)
        wait_ns = chance.randint(*BETWEEN_S) * S
        if not targets:
            agenda.after(wait_ns, self._plan_next)
            return
        length_ns = (STUCK_S if kind == "stuck" else chance.randint(SHORTEST_S, LONGEST_S)) * S
        mishap = Mishap(kind, chance.choice(targets), agenda.now_ns + wait_ns, length_ns)
        plan([mishap], self.table)
        self.now = mishap
        self.done[kind] += 1
        agenda.at(mishap.start_ns + length_ns, self._end)

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
        explained = {name for mishap in self._recent(t_ns) for name in self._around(mishap)}
        self._note(t_ns, told - explained, "is told of, and nothing is wrong with it")
        mishap = self.now
        if mishap is not None and self._is_solid(mishap) and self._is_noticed(mishap, t_ns):
            missing = {mishap.target} if mishap.target != "i2c" else set(self.table.site.banks)
            self._note(t_ns, missing - told, f"is not told of, though there is: {mishap}")

    def _recent(self, t_ns: int) -> list[Mishap]:
        """What is wrong now, or was a short while ago."""
        all_ = [*self._past, *([self.now] if self.now is not None else [])]
        return [
            each for each in all_ if each.start_ns <= t_ns <= each.start_ns + each.length_ns + FORGIVEN_NS
        ]

    def _around(self, mishap: Mishap) -> set[str]:
        """What may suffer from it."""
        chips = set(self.table.site.addresses)
        if mishap.target == "i2c":
            return {"i2c", *chips}
        return {mishap.target, "i2c"} if mishap.target in chips else {mishap.target}

    def _is_solid(self, mishap: Mishap) -> bool:
        return mishap.kind in SOLID and mishap.target not in SHOWING

    def _is_noticed(self, mishap: Mishap, t_ns: int) -> bool:
        noticed_ns = JAMMED_NS if mishap.kind == "stuck" else NOTICED_NS
        since_ns = max(mishap.start_ns, self._free_ns)
        return since_ns + noticed_ns <= t_ns < mishap.start_ns + mishap.length_ns

    def _note(self, t_ns: int, names: set[str], words: str) -> None:
        for name in sorted(names):
            self.faults.append(f"at {t_ns / S:.0f} s: {name} {words}")
