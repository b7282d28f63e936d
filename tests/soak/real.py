"""A daemon in real time: a process of its own, on a world that goes by the real clock."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.party import Misbehaviour
from firmware_host.lab.simulated_table import Behaviour
from firmware_host.lab.surface import Surface
from firmware_host.lab.world.server import Happening, Server
from firmware_host.model.places import Button, Source
from firmware_host.model.times import S
from firmware_host.profile.tags import Registry, format_registry
from firmware_host.run.table_files import load_profile
from firmware_host.store.raw_file import opened_to_read
from tests.soak.company import invite
from tests.soak.gauges import Gauge
from tests.soak.virtual import ROUNDS, Limits, Soaked, look_back

ROOT = Path(__file__).parents[2]
STEP_S = 0.25
SAMPLE_S = 5.0
TOLD_S = 300.0
"""So often a line says how far an evening is."""
BETWEEN_S = (20.0, 50.0)
LENGTH_S = (6.0, 15.0)
STUCK_S = 50.0
NOTICED_S = 8.0
JAMMED_S = 36.0
OVER_S = 6.0
STORM_NS = 10_000_000
PAGE_S = 2.0
"""The page is written by the real clock, at most so late."""
A_SAMPLE = Limits(slope_kb=15.0, growth_kb=4_000, fewest_samples=100)
_LAST = "(SELECT id FROM sessions ORDER BY n DESC LIMIT 1)"
_ROWS = [f"SELECT count(*) FROM {table} WHERE session = {_LAST}" for table in ("inputs", "effects")]
ENDS_S = 10.0
"""The longest that an end on request may take."""


class Trouble:
    """One thing that is wrong for a while: a device that says nothing, or a contact that is broken."""

    def __init__(self, surface: Surface, chance: Random) -> None:
        self._surface = surface
        devices = [reader.name for reader in surface.profile.readers]
        devices += [bank.name for bank in surface.profile.banks] + ["scoreboard"]
        kind = chance.choice(("device", "device", "storm", "storm", "stuck"))
        self.length_s = STUCK_S if kind == "stuck" else chance.uniform(*LENGTH_S)
        self.noticed_s = JAMMED_S if kind == "stuck" else NOTICED_S
        if kind == "device":
            self.name = chance.choice(devices)
            self.begin: Callable[[], None] = lambda: surface.lose(self.name, "does not answer")
            self.end: Callable[[], None] = lambda: surface.restore(self.name)
            return
        sources = [each for each in surface.contacts if kind == "storm" or isinstance(each, Button)]
        source: Source = chance.choice(sorted(sources))
        contact = surface.contacts[source]
        self.name = str(source)
        self.begin = contact.jam if kind == "stuck" else lambda: contact.chatter(STORM_NS)
        self.end = contact.heal


class _Evening:
    """One table in real time, the daemon that runs it, and what goes wrong."""

    def __init__(self, profile_name: str, seed: int, length_s: float, folder: Path, speed: float) -> None:
        profile = load_profile(profile_name)
        self.soaked = Soaked(f"{profile_name}, seed {seed}, real time")
        self._folder = folder
        self._length_s = length_s
        self._chance = Random(f"{seed} troubles")
        self._gauge = Gauge()
        self._speed = speed
        habits = Misbehaviour(bounce=frozenset(profile.lines.values())).habits
        self._surface = surface = Surface(profile, Random(f"{seed} wires"), Behaviour(habits))
        world = SimulatedTable(surface)
        self._moods = invite(profile, world, str, str(seed))
        self._server = Server(surface, folder / "world", speed)
        self._trouble: Trouble | None = None
        self._since_s = time.monotonic()
        self._ended: dict[str, float] = {}
        self._next_s = self._chance.uniform(*BETWEEN_S)
        self._kinds: Counter[str] = Counter()
        self._write_config(profile_name, profile.game == "cards")

    def run(self) -> None:
        began_s = sampled_s = told_s = time.monotonic()
        command = [sys.executable, "-m", "firmware_host.cli", "run"]
        command += ["--config", str(self._folder / "table.toml"), "--simulated", str(self._folder / "world")]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "RUNTIME_DIRECTORY": str(self._folder)}
        with (self._folder / "log").open("wb") as log:
            self._daemon = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            while time.monotonic() < began_s + self._length_s and self._daemon.poll() is None:
                self._server.step(STEP_S)
                self._go_wrong()
                if time.monotonic() > sampled_s + SAMPLE_S / self._speed:
                    sampled_s = time.monotonic()
                    self._gauge.look(self._daemon.pid, rows_of_session(self._folder / "table.db"))
                    self._compare()
                if time.monotonic() > told_s + TOLD_S:
                    told_s = time.monotonic()
                    done = f"{(told_s - began_s) / 60:.0f} of {self._length_s / 60:.0f} minutes"
                    print(f"{self.soaked.name}: {done}, {self._moods.matches} matches", file=sys.stderr)
            self._end()
        finally:
            self._daemon.kill()
            self._daemon.wait()
            self._server.close()
        soaked = self.soaked
        soaked.matches, soaked.mishaps = self._moods.matches, dict(self._kinds)
        soaked.world_s = round(self._surface.agenda.now_ns / S, 1)
        soaked.gauge(self._gauge, A_SAMPLE)
        look_back(self._folder / "table.db", soaked)

    def _end(self) -> None:
        """Ask it to end; it leaves a dark table behind."""
        if self._daemon.poll() is not None:
            self.soaked.faults.append(f"the daemon has ended by itself, with {self._daemon.returncode}")
            return
        self._daemon.send_signal(signal.SIGTERM)
        limit_s = time.monotonic() + ENDS_S
        while self._server.step(STEP_S) is not Happening.LEFT and time.monotonic() < limit_s:
            pass
        with suppress(subprocess.TimeoutExpired):
            self._daemon.wait(ENDS_S)
        if self._daemon.returncode != 0:
            self.soaked.faults.append(f"asked to end, the daemon ended with {self._daemon.returncode}")
        if any(self._surface.leds.frame) or any(self._surface.display.lines):
            self.soaked.faults.append("the table shows something after the end")

    # -- what goes wrong

    def _go_wrong(self) -> None:
        """Let a trouble begin or end, when it is time."""
        t_s = self._surface.agenda.now_ns / S
        if t_s < self._next_s:
            return
        if self._trouble is None:
            self._trouble = Trouble(self._surface, self._chance)
            self._trouble.begin()
            self._since_s, self._next_s = t_s, t_s + self._trouble.length_s
            self._kinds[self._trouble.name] += 1
        else:
            self._trouble.end()
            self._ended[self._trouble.name] = t_s
            self._trouble, self._next_s = None, t_s + self._chance.uniform(*BETWEEN_S)

    def _compare(self) -> None:
        """Whether the health page tells of just what is wrong."""
        page = self._page()
        if page is None:
            return
        self.soaked.looks += 1
        t_s = self._surface.agenda.now_ns / S
        told = {name for name, device in page["devices"].items() if device["condition"] != "ok"}
        told |= set(page["masked"])
        late_s = PAGE_S * self._speed
        over = {name for name, end_s in self._ended.items() if t_s < end_s + OVER_S + late_s}
        now = self._trouble
        if page["phase"] == "attract":
            self._since_s = max(self._since_s, t_s)  # what is jammed is found out anew in each session
        for name in told - over - ({now.name} if now is not None else set()):
            self.soaked.faults.append(f"at {t_s:.0f} s: {name} is told of, and nothing is wrong with it")
        if now is not None and t_s > self._since_s + now.noticed_s + late_s and now.name not in told:
            self.soaked.faults.append(f"at {t_s:.0f} s: {now.name} is not told of")

    def _page(self) -> dict[str, Any] | None:
        with suppress(FileNotFoundError):
            page: dict[str, Any] = json.loads((self._folder / HEALTH_FILE).read_text())
            return page
        return None

    def _write_config(self, profile: str, tags: bool) -> None:
        lines = [f'wiring = "{profile}"', f"rounds = {ROUNDS}"]
        if tags:
            (self._folder / "tags.csv").write_text(format_registry(Registry.for_cards(4)))
            lines.append('tags = "tags.csv"')
        lines += ["[store]", f'file = "{self._folder / "table.db"}"', "keep-rounds = 100000"]
        (self._folder / "table.toml").write_text("".join(f"{line}\n" for line in lines))


def rows_of_session(store: Path) -> int:
    """How many rows the present session has; none before there is a store."""
    try:
        with opened_to_read(str(store)) as connection:
            return sum(connection.execute(question).fetchone()[0] for question in _ROWS)
    except sqlite3.Error:
        return 0


def soak_real(profile_name: str, seed: int, length_s: float, speed: float = 1.0) -> Soaked:
    """That table for so long, by the real clock; `speed` makes the clock run faster."""
    folder = Path(tempfile.mkdtemp(prefix="soak-"))
    began_s = time.monotonic()
    try:
        evening = _Evening(profile_name, seed, length_s, folder, speed)
        evening.run()
        evening.soaked.real_s = round(time.monotonic() - began_s, 1)
        return evening.soaked
    finally:
        shutil.rmtree(folder)
