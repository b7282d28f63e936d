"""One table in its world, and the daemon that runs it in a process of its own."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.surface import BLANK, Surface
from firmware_host.lab.world.server import Happening, Server
from firmware_host.model.times import S
from firmware_host.profile.tags import Registry, format_registry
from firmware_host.run.table_files import load_profile
from tests.crash.card_people import CardPeople
from tests.crash.dice_people import DicePeople
from tests.crash.people import People
from tests.crash.plans import DICE_EACH, SEATS, MatchPlan

ROOT = Path(__file__).parents[2]
EVEN_DICE = 24 // len(SEATS)
GOES_DOWN_S = 10.0
"""The longest that an end on request may take."""

_CONFIG = """\
wiring = "{profile}"
rounds = {rounds}
{more}

[store]
file = "{store}"
sync = "{sync}"
"""


class Rig:
    """A world with people, a folder for what the daemon keeps, and the daemon, if it runs."""

    def __init__(
        self, folder: Path, plan: MatchPlan, seed: int, store: Path | None = None, sync: str = "rounds"
    ) -> None:
        self.plan = plan
        self.folder = folder
        self.store = store or folder / "table.db"
        # Not on the disk of the store: while that is slow, a kill would also cost the last lines of the log.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else folder
        descriptor, log = tempfile.mkstemp(".log", f"{folder.name}-", memory)
        os.close(descriptor)
        self.log_file = Path(log)
        self.starts = 0
        self.outages_ns = 0
        profile = load_profile(plan.profile)
        self.surface = Surface(profile, Random(f"{seed} wires"))
        world = SimulatedTable(self.surface)
        kind = DicePeople if plan.game == "dice" else CardPeople
        self.people: People = kind(world, plan, Random(f"{seed} people"))
        self.people.arrive()
        self.server = Server(self.surface, folder / "world")
        self._config_file = folder / "table.toml"
        (folder / "run").mkdir()
        self._write_config(sync)
        self._process: subprocess.Popen[bytes] | None = None

    # -- the daemon

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The daemon that was started last."""
        assert self._process is not None
        return self._process

    def start(self, most_bytes: int | None = None) -> None:
        """Start the daemon; `most_bytes` is how long it may make any file."""
        self.starts += 1
        command = [sys.executable, "-m", "firmware_host.cli", "run", "--config", str(self._config_file)]
        command += ["--simulated", str(self.folder / "world")]
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment())
        if most_bytes is not None:
            self.limit(most_bytes)

    def _environment(self) -> dict[str, str]:
        # The health page is not where the store is, so that it can be written though the store can't.
        paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        return {**os.environ, "PYTHONPATH": paths, "RUNTIME_DIRECTORY": str(self.folder / "run")}

    def limit(self, most_bytes: int) -> None:
        """From now on the daemon may make no file longer than that."""
        hard = resource.RLIM_INFINITY
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most_bytes, hard))

    def send(self, number: int) -> None:
        """Send the daemon a signal, if it is still there."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def send_later(self, number: int, after_s: float) -> None:
        """Send it a signal in a while, whatever it does then."""
        timer = threading.Timer(after_s, self.send, (number,))
        timer.daemon = True
        timer.start()

    def bury(self) -> int:
        """Wait for the end of the daemon, and take in what it has said before; its return code."""
        code = self.process.wait(GOES_DOWN_S)
        while self.server.connected:
            self.server.step(0)
        return code

    def pass_outage(self, length_ns: int, dark: bool) -> None:
        """The world goes on while no daemon runs; without power the table is dark."""
        self.people.outages += 1
        self.outages_ns += length_ns
        if dark:
            self.surface.go_dark()
        self.server.pass_time(length_ns)
        self.people.outages += 1

    def end(self) -> int:
        """Ask the daemon to end, and let it have the time it wants; its return code."""
        self.send(signal.SIGTERM)
        for _ in range(int(GOES_DOWN_S / 0.05)):
            if self.server.step(0.05) is Happening.LEFT or self.process.poll() is not None:
                break
        return self.bury()

    @property
    def is_dark(self) -> bool:
        """Whether nothing burns, and nothing is said."""
        return not any(self.surface.leds.frame) and self.surface.display.lines == BLANK

    @property
    def health(self) -> dict[str, Any]:
        """The health page."""
        page: dict[str, Any] = json.loads((self.folder / "run" / "health.json").read_text())
        return page

    @property
    def log(self) -> str:
        return self.log_file.read_text(errors="replace")

    @property
    def world_s(self) -> float:
        """How long the world has lasted."""
        return self.surface.agenda.now_ns / S

    def close(self) -> None:
        """Everything ends."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self.server.close()
        self.log_file = Path(shutil.move(self.log_file, self.folder / "daemon.log"))

    def _write_config(self, sync: str) -> None:
        if self.plan.game == "dice":
            more = f"handicap = {[EVEN_DICE - DICE_EACH] * len(SEATS)}"
        else:
            more = 'tags = "tags.csv"\nvariant = "expert"'  # the table takes no count for granted
            (self.folder / "tags.csv").write_text(format_registry(Registry.for_cards(len(SEATS))))
        self._config_file.write_text(
            _CONFIG.format(
                profile=self.plan.profile,
                rounds=len(self.plan.rounds),
                more=more,
                store=self.store,
                sync=sync,
            )
        )
