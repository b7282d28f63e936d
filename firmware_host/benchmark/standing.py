"""What a table costs while nothing happens, and until it is ready."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from random import Random
from typing import Any

from firmware_host.runtime.assembly.shipped_profiles import load_profile
from firmware_host.runtime.assembly.simulated import live_table
from firmware_host.settings import Settings
from firmware_host.table.session import Table

IDLE_SECONDS = 5
STARTS = 5

_READY = """
import time
from random import Random
from firmware_host.runtime.assembly.shipped_profiles import load_profile
from firmware_host.runtime.assembly.simulated import live_table
from firmware_host.settings import Settings
from firmware_host.table.session import Table
profile = load_profile("dice4-direct")
table = live_table(profile, table=Table(seats=profile.seats), settings=Settings(), draws=Random(1))
table.loop.step(time.monotonic_ns())
ready_ns = time.monotonic_ns()
status = dict(line.split(":", 1) for line in open("/proc/self/status"))
print(ready_ns, status["VmRSS"].split()[0], flush=True)
"""


def measure_idle(seed: int = 0, seconds: float = IDLE_SECONDS) -> dict[str, Any]:
    """CPU time of a table in its attract phase, lights running, as a share of one core."""
    profile = load_profile("dice4-direct")
    table = live_table(profile, table=Table(seats=profile.seats), settings=Settings(), draws=Random(seed))
    until_ns = time.monotonic_ns() + int(seconds * 1e9)
    before, steps = time.process_time(), 0
    while table.loop.step(until_ns) < until_ns:
        steps += 1
    spent = time.process_time() - before
    table.close()
    return {
        "cpu_percent": round(100 * spent / seconds, 2),
        "wake_ups_per_second": round(steps / seconds, 1),
    }


def measure_start(_seed: int = 0, starts: int = STARTS) -> dict[str, Any]:
    """Seconds from starting a Python process to a lit, listening table; with and without caches."""
    warm = [_start({}) for _ in range(starts)]
    cold = [
        _start({"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPYCACHEPREFIX": os.devnull}) for _ in range(starts)
    ]
    return {
        "ready_seconds": round(min(seconds for seconds, _ in warm), 3),
        "ready_seconds_without_caches": round(min(seconds for seconds, _ in cold), 3),
        "resident_mb": round(max(kilobytes for _, kilobytes in warm) / 1024, 1),
    }


def _start(environment: dict[str, str]) -> tuple[float, int]:
    began_ns = time.monotonic_ns()
    ready = subprocess.run(
        [sys.executable, "-c", _READY],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    at_ns, kilobytes = map(int, ready.stdout.split())
    return (at_ns - began_ns) / 1e9, kilobytes
