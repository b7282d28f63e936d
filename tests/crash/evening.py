"""One evening: a match is played while the daemon gets its blows, and then it is seen what is left.

The table is in its world, and the daemon runs it in a process of its own. A blow is a kill, an end on
request, or a reload.
"""

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
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.lab.hands import SimulatedTable
from firmware_host.lab.surface import BLANK, Surface
from firmware_host.lab.world.server import Happening, Server
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from firmware_host.profile.tags import Registry, format_registry
from firmware_host.run.table_files import load_profile
from hw.sim.link import Message
from tests.crash.people import CardPeople, DicePeople, People, phase_of
from tests.crash.plans import DICE_EACH, SEATS, MatchPlan

LONGEST_S = 90.0
LONGEST_WORLD_S = 3000.0
STEP_S = 0.05


class Failed(Exception):
    """The evening did not go as it must."""


@dataclass(slots=True)
class Struck:
    """A blow that was dealt: in which phase, and what came of it."""

    blow: Blow
    phase: str
    resumed: str = ""


@dataclass(slots=True)
class Evening:
    """Plays one match on a rig; `between` is called while the daemon is dead, before it is started again."""

    rig: Rig
    blows: Sequence[Blow]
    between: Callable[[], None] | None = None
    on_message: Callable[[int], None] | None = None
    """Called with the number of each message of the evening."""
    struck: list[Struck] = field(default_factory=list)
    messages: int = 0
    _left: list[Blow] = field(default_factory=list)
    _phase: Phase | None = None
    _in_phase: int = 0
    _doomed: Blow | None = None
    _deadline_s: float = 0.0

    def play(self) -> None:
        """The match, until its winners were shown and the table is free again; Failed if it never is."""
        self._left = list(self.blows)
        self._deadline_s = time.monotonic() + LONGEST_S
        self.rig.server.listener = self._hear
        self._start()
        while not (self.rig.people.diary.over and self._phase is Phase.ATTRACT and self._doomed is None):
            self.step()

    def step(self) -> None:
        """Let something happen."""
        happening = self.rig.server.step(STEP_S)
        gone = happening is Happening.LEFT
        if gone or (happening is Happening.NOTHING and self.rig.process.poll() is not None):
            self._go_on_after_death()
        if time.monotonic() > self._deadline_s or self.rig.world_s > LONGEST_WORLD_S:
            raise Failed(
                f"no end after {self.rig.world_s:.0f} s; the sign says {self.rig.surface.display.lines}"
            )

    # -- blows

    def _start(self) -> None:
        self.rig.start()
        self._phase, self._in_phase = None, 0
        if self._left and self._left[0].how is How.STARTING:
            self._strike()

    def _hear(self, message: Message) -> bool:
        """Each message of the daemon; whether the world may take it."""
        self.messages += 1
        if self.on_message is not None:
            self.on_message(self.messages)
        if message[0] == "page":
            phase = phase_of(tuple(message[1])) or self._phase
            if phase is not self._phase:
                self._phase, self._in_phase = phase, 0
        self._in_phase += 1
        if self._doomed is None and self._left and self._is_due(self._left[0]):
            return self._strike()
        return True

    def _is_due(self, blow: Blow) -> bool:
        if blow.how is How.PHASE:
            return self._phase is blow.phase and self._in_phase > blow.messages
        return self.rig.server.heard > blow.messages

    def _strike(self) -> bool:
        """Deal the next blow; whether the message that it came with still counts."""
        blow = self._left.pop(0)
        self.struck.append(Struck(blow, self._phase.name if self._phase else "none"))
        if blow.ends:
            self._doomed = blow
        if blow.delay_s:
            self.rig.send_later(blow.signal, blow.delay_s)
            return True
        self.rig.send(blow.signal)
        return blow.how in (How.ENDED, How.RELOADED)

    def _go_on_after_death(self) -> None:
        code = self.rig.bury()
        blow, self._doomed = self._doomed, None
        wanted = None if blow is None else 0 if blow.how is How.ENDED else -blow.signal
        if code != wanted:
            raise Failed(f"the daemon ended with {code}, after {blow}")
        assert blow is not None
        if blow.how is How.ENDED and not self.rig.is_dark:
            raise Failed("the daemon has ended, and the table still shows something")
        self.rig.pass_outage(blow.outage_ns, blow.dark)
        if self.between is not None:
            self.between()
        self._start()


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


SHORTEST_OUTAGE_S, LONGEST_OUTAGE_S = 0.5, 30.0
MESSAGES = {"dice": 700, "cards": 1300}
"""About so many messages a daemon says in a match."""
START_S = 0.45
"""About so long a daemon takes to start and to resume."""
SOON_S = 0.004


class How(Enum):
    """The way of a blow."""

    WAITING = "waiting"  # killed while it waits for the answer to a message
    ANYWHERE = "anywhere"  # killed a moment of real time after a message, wherever it is then
    PHASE = "phase"  # killed while it waits, in a certain phase
    STARTING = "starting"  # killed a moment of real time after it was started
    ENDED = "ended"  # asked to end
    RELOADED = "reloaded"  # asked to read its configuration again; it goes on


@dataclass(frozen=True, slots=True)
class Blow:
    """One blow: after so many messages (of that phase), and a delay; then the outage."""

    how: How
    messages: int = 0
    phase: Phase | None = None
    delay_s: float = 0.0
    outage_ns: int = 1 * S
    dark: bool = True

    @property
    def signal(self) -> int:
        """The signal that the daemon gets."""
        if self.how is How.ENDED:
            return signal.SIGTERM
        return signal.SIGHUP if self.how is How.RELOADED else signal.SIGKILL

    @property
    def ends(self) -> bool:
        """Whether the daemon does not go on after it."""
        return self.how is not How.RELOADED

    def __str__(self) -> str:
        where = f" in {self.phase.name}" if self.phase else ""
        return f"{self.how.value}{where} after {self.messages} messages and {self.delay_s * 1e3:.1f} ms"


def blow_of(chance: Random, how: How, game: str, among: int = 1, phase: Phase | None = None) -> Blow:
    """A blow of that kind, at a random moment; `among` so many of one match."""
    span = MESSAGES[game] // among
    messages = chance.randint(0, 6) if how is How.PHASE else chance.randint(1, span)
    if how is How.STARTING:
        messages, delay_s = 0, chance.uniform(0.0, START_S)
    else:
        delay_s = chance.uniform(0.0, SOON_S) if how is How.ANYWHERE else 0.0
    outage_s = SHORTEST_OUTAGE_S * (LONGEST_OUTAGE_S / SHORTEST_OUTAGE_S) ** chance.random()
    dark = chance.random() < 0.5
    return Blow(how, messages, phase, delay_s, int(outage_s * S), dark)
