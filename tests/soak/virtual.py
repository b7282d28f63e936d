"""Many matches in virtual time: the daemon in this process, on a table simulated to the registers."""

from __future__ import annotations

import logging
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.lab.chips_table import chip_table
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.party import Misbehaviour
from firmware_host.lab.simulated_table import Behaviour
from firmware_host.model.settings import Settings
from firmware_host.model.times import S
from firmware_host.profile.table import StoreConfig, TableConfig
from firmware_host.run.daemon import Daemon, Setup
from firmware_host.run.health import health_page
from firmware_host.run.system import UnixSignals
from firmware_host.run.table_files import load_profile, table_of
from firmware_host.store.store_reader import reading
from tests.soak.company import invite
from tests.soak.gauges import Gauge
from tests.soak.timeouts import timeouts_in
from tests.soak.troubles import Troubles

ROUNDS = 2
LOOK_NS = 1 * S
TOLD_MATCHES = 10
"""After so many matches a line says how far an evening is."""
MOST_VIRTUAL_S = 3000
"""A match that takes longer has got stuck."""


@dataclass(frozen=True, slots=True)
class Limits:
    """By how much a process may grow after its warming up: from sample to sample, and in all."""

    slope_kb: float
    growth_kb: int
    slope_objects: float = 0.0
    fewest_samples: int = 12


A_MATCH = Limits(slope_kb=50.0, growth_kb=4_000, slope_objects=25.0)


@dataclass(slots=True)
class Soaked:
    """What came of one long evening."""

    name: str
    matches: int = 0
    states: dict[str, int] = field(default_factory=dict)
    rounds: int = 0
    world_s: float = 0.0
    real_s: float = 0.0
    resident_kb: int = 0
    slope_kb: float = 0.0
    growth_kb: int = 0
    slope_objects: float = 0.0
    threads: list[int] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    timeouts: dict[str, int] = field(default_factory=dict)
    mishaps: dict[str, int] = field(default_factory=dict)
    looks: int = 0
    faults: list[str] = field(default_factory=list)

    def gauge(self, gauge: Gauge, limits: Limits) -> None:
        """Take over what a process took, and find fault with it; at first there is nothing to be said."""
        self.resident_kb = gauge.samples[-1].resident_kb
        self.slope_kb, self.growth_kb = round(gauge.slope_kb, 2), gauge.growth_kb
        self.threads, self.descriptors = sorted(gauge.threads), sorted(gauge.descriptors)
        if len(gauge.warm) < limits.fewest_samples:
            return
        self.slope_objects = round(gauge.slope_objects, 2)
        if self.slope_objects > limits.slope_objects:
            self.faults.append(f"there are {self.slope_objects} more objects with each match")
        if self.slope_kb > limits.slope_kb or self.growth_kb > limits.growth_kb:
            self.faults.append(f"memory grows by {self.slope_kb} kB a sample, {self.growth_kb} kB in all")
        if len(self.threads) > 1:
            self.faults.append(f"there are {self.threads} threads")
        if len(self.descriptors) > 1:
            self.faults.append(f"there are {self.descriptors} open files")


def keep_quiet() -> None:
    """What a daemon would log of a long evening is thousands of lines about devices that fail on purpose."""
    logging.getLogger().addHandler(logging.NullHandler())


def soak(profile_name: str, seed: int, matches: int) -> Soaked:
    """So many matches at that table, with that seed."""
    soaked = Soaked(f"{profile_name}, seed {seed}")
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    began_s = time.monotonic()
    try:
        _Evening(profile_name, seed, matches, folder, soaked).run()
        look_back(folder / "table.db", soaked)
    finally:
        shutil.rmtree(folder)
    soaked.real_s = round(time.monotonic() - began_s, 1)
    return soaked


class _Evening:
    """One table, one daemon, and everything around them."""

    def __init__(self, profile_name: str, seed: int, matches: int, folder: Path, soaked: Soaked) -> None:
        profile = self._profile = load_profile(profile_name)
        self._folder = folder
        self._soaked = soaked
        self._matches = matches
        self._gauge = Gauge()
        settings = Settings()
        habits = Misbehaviour(bounce=frozenset(profile.lines.values())).habits
        self._table = table = chip_table(
            profile,
            table=table_of(profile, ROUNDS),
            settings=settings,
            draws=Random(seed),
            chance=Random(f"{seed} wires"),
            behaviour=Behaviour(habits),
        )
        world = SimulatedTable(table)
        self._moods = invite(profile, world, table.spell, str(seed))
        self._troubles = Troubles(table, self._page, Random(f"{seed} troubles"))
        self._config = TableConfig(
            file="table.toml",
            profiles={profile.game: profile},
            game=profile.game,
            settings=settings,
            rounds=ROUNDS,
            store=StoreConfig(file=str(folder / "table.db"), keep_rounds=100_000),
        )
        self._counted_ns = 0

    def run(self) -> None:
        setup, table = Setup(self._config, None), self._table
        with UnixSignals() as signals:
            self._signals = signals
            self._daemon = Daemon(
                setup,
                lambda: setup,
                lambda profile, registry: table.equipment,
                signals,
                health_folder=self._folder,
            )
            table.agenda.after(LOOK_NS, self._look)
            self._troubles.begin()
            self._daemon.run()
        soaked, troubles = self._soaked, self._troubles
        soaked.matches = self._moods.matches
        soaked.world_s = round(table.agenda.now_ns / S, 1)
        soaked.mishaps, soaked.looks = dict(troubles.done), troubles.looks
        soaked.faults += troubles.faults[:20]
        soaked.gauge(self._gauge, A_MATCH)
        for cable in table.site.cables.values():
            cable.deliver_all()
        if any(table.leds.frame) or any(table.display.lines):
            soaked.faults.append("the table shows something after the end")

    def _look(self) -> None:
        """See how far they are; a sample after each match."""
        now_ns = self._table.agenda.now_ns
        if self._moods.matches >= len(self._gauge.samples):
            self._gauge.look()
            self._counted_ns = now_ns
            if self._moods.matches and self._moods.matches % TOLD_MATCHES == 0:
                self._tell()
        if now_ns - self._counted_ns > MOST_VIRTUAL_S * S:
            self._soaked.faults.append(f"stuck: the sign says {self._table.display.lines}")
            self._signals.end = True
        if self._moods.matches >= self._matches:
            self._signals.end = True
        self._table.agenda.after(LOOK_NS, self._look)

    def _tell(self) -> None:
        soaked, sample = self._soaked, self._gauge.samples[-1]
        done = f"{self._moods.matches} of {self._matches} matches"
        print(f"{soaked.name}: {done}, {sample.resident_kb} kB", file=sys.stderr)

    def _page(self) -> Mapping[str, Any] | None:
        """The health page as it would be written now; the file itself is written by the real clock."""
        host = self._daemon.host
        if host is None:
            return None
        devices = {name: changed.device for name, changed in host.loop.health.items()}
        return health_page(host.session, host.phase, host.played_ns, devices, {}, "", "")


def look_back(store: Path, soaked: Soaked) -> None:
    """What the journal says of the evening: how matches ended, and which ways out by time were taken."""
    timeouts: Counter[str] = Counter()
    with reading(str(store)) as book:
        for id in book.session_ids().values():
            timeouts += timeouts_in(book.decisions(id), book.head(id).settings)
        soaked.states = dict(Counter(match.state for match in book.matches()))
        soaked.rounds = sum(each.state == "scored" for each in book.rounds(1_000_000))
        scored = [each for each in book.rounds(1_000_000) if each.state == "scored" and each.game == "dice"]
        soaked.faults += [f"round {each.n} scores {each.scores}" for each in scored if sum(each.scores)]
    soaked.timeouts = dict(timeouts)
