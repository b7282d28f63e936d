"""Fingers: a program of its own that moves lines at set times and notes when it did.

It plays the world outside the machine, which does not wait for a processor: so it runs with
real-time priority, though below that of the kernel's interrupt threads. It is run by path, with
a plan and a place for its notes, and imports nothing of the project, to be there quickly.

The plan is a list of `[pause_ns, line, high, turn_ns]`: the pause is counted from the deed before. A
deed with a turn begins one, and waits until the turn before has lasted that long, too. The notes
are a list of `[before_ns, after_ns]`: CLOCK_MONOTONIC before and after the line was moved.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from pathlib import Path

SPIN_NS = 150_000
"""The last bit of a pause is waited out awake."""

PULLS = (b"pull-down", b"pull-up")


def wait_until(due_ns: int) -> None:
    left_ns = due_ns - time.monotonic_ns() - SPIN_NS
    if left_ns > 0:
        time.sleep(left_ns / 1e9)
    while time.monotonic_ns() < due_ns:
        pass


def play(deeds: list[tuple[int, int, int, int]], pulls: dict[int, int]) -> list[tuple[int, int]]:
    """Do it all; when each deed was done."""
    notes = []
    turn_began_ns = after_ns = time.monotonic_ns()
    for pause_ns, line, high, turn_ns in deeds:
        if turn_ns:
            wait_until(max(after_ns + pause_ns, turn_began_ns + turn_ns))
        elif pause_ns:
            wait_until(after_ns + pause_ns)
        before_ns = time.monotonic_ns()
        if turn_ns:
            turn_began_ns = before_ns
        os.pwrite(pulls[line], PULLS[high], 0)
        after_ns = time.monotonic_ns()
        notes.append((before_ns, after_ns))
    return notes


def main(plan_file: str, notes_file: str, priority: str) -> None:
    plan = json.loads(Path(plan_file).read_text())
    pulls = {int(line): os.open(path, os.O_WRONLY) for line, path in plan["pulls"].items()}
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(int(priority)))
    gc.disable()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()  # the word to begin
    notes = play(plan["deeds"], pulls)
    Path(notes_file).write_text(json.dumps(notes))


if __name__ == "__main__":
    main(*sys.argv[1:])
