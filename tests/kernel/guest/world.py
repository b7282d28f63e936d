"""The world around a driver under test: fingers that move lines, and work for the processors."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from hw.ports import Edge, EdgeSource, Gap
from tests.kernel.guest.gpio_sim import SimChip

FINGERS = Path(__file__).with_name("fingers.py")
PYTHON = (sys.executable, "-S", "-E")
BUSY = "while True: pass"
AFTERWARDS_S = 0.3


class Deed(NamedTuple):
    """Set a line, so long after the deed before; with `turn_ns`, at least so long after the last such one."""

    pause_ns: int
    line: int
    high: bool
    turn_ns: int = 0


class Touch(NamedTuple):
    """Between these two moments a line was moved."""

    before_ns: int
    after_ns: int


class Arrival(NamedTuple):
    """Something that a driver told, and when it did."""

    t_ns: int
    report: Edge | Gap


class Fingers:
    """A process that does deeds and notes when it did them."""

    def __init__(self, chip: SimChip, deeds: Sequence[Deed], priority: int = 20) -> None:
        folder = Path(tempfile.mkdtemp())
        self._notes = folder / "notes"
        pulls = {line: str(chip.pull_file(line)) for line in {deed.line for deed in deeds}}
        (folder / "plan").write_text(json.dumps({"pulls": pulls, "deeds": deeds}))
        self._process = subprocess.Popen(
            [*PYTHON, FINGERS, folder / "plan", self._notes, str(priority)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def begin(self) -> None:
        """As soon as they are ready, let them go."""
        assert self._process.stdin is not None and self._process.stdout is not None
        assert self._process.stdout.readline() == "ready\n"
        self._process.stdin.write("go\n")
        self._process.stdin.close()

    @property
    def moving(self) -> bool:
        """Whether they are still at it."""
        return self._process.poll() is None

    def touches(self) -> list[Touch]:
        """What they noted, deed by deed."""
        assert self._process.wait() == 0
        return [Touch(*note) for note in json.loads(self._notes.read_text())]

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()


@contextlib.contextmanager
def busy_processors() -> Iterator[None]:
    """Each processor has something else to do all the time."""
    loafers = []
    for processor in sorted(os.sched_getaffinity(0)):
        loafer = subprocess.Popen([*PYTHON, "-c", BUSY])
        os.sched_setaffinity(loafer.pid, {processor})
        os.setpriority(os.PRIO_PROCESS, loafer.pid, 0)
        loafers.append(loafer)
    try:
        yield
    finally:
        for loafer in loafers:
            loafer.kill()
            loafer.wait()


def listen(source: EdgeSource, going_on: Callable[[], bool]) -> list[Arrival]:
    """What a driver tells while it goes on, and a moment longer; read as the table's loop does."""
    arrivals: list[Arrival] = []
    descriptor = source.fileno()
    end = time.monotonic() + AFTERWARDS_S
    while time.monotonic() < end:
        select.select([descriptor], [], [], 0.05)
        now_ns = time.monotonic_ns()
        arrivals += [Arrival(now_ns, report) for report in source.read()]
        if going_on():
            end = time.monotonic() + AFTERWARDS_S
    return arrivals
