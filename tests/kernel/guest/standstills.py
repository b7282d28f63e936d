"""A watch on one processor: it notes when the emulated machine stood still.

The host may give the emulator no time for some milliseconds, and then not even the kernel's
interrupt threads run. A real processor does no such thing. This program wakes up every
millisecond with real-time priority and notes when it slept too long; it is run by path, with its
processor and a place for its notes, and writes them when it is told to end.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from pathlib import Path
from types import FrameType

NAP_S = 0.001
LONG_NS = 2_000_000
PRIORITY = 45

going_on = True


def end(number: int, frame: FrameType | None) -> None:
    global going_on
    going_on = False


def main(processor: str, notes_file: str) -> None:
    os.sched_setaffinity(0, {int(processor)})
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    signal.signal(signal.SIGTERM, end)
    gc.disable()
    notes = []
    awake_ns = time.monotonic_ns()
    while going_on:
        time.sleep(NAP_S)
        asleep_ns, awake_ns = awake_ns, time.monotonic_ns()
        if awake_ns - asleep_ns > LONG_NS:
            notes.append((asleep_ns, awake_ns))
    Path(notes_file).write_text(json.dumps(notes))


if __name__ == "__main__":
    main(*sys.argv[1:])
