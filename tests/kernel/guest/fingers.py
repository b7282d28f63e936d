"""Fingers: a program of its own that moves lines at set times and notes when it did.

It plays the world outside the machine, which does not wait for a processor: so it runs with
real-time priority, though below that of the kernel's interrupt threads. It is run by path, with
a plan and a place for its notes, and imports nothing of the project, to be there quickly.

The plan is a list of `[pause_ns, line, high]`, each pause counted from the deed before. The notes
are a list of `[before_ns, after_ns]`: CLOCK_MONOTONIC before and after the line was moved.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from pathlib import Path

SPIN_NS = 150_000
"""The last bit of a pause is waited out awake."""

PULLS = (b"pull-down", b"pull-up")


def snap():
    import glob
    r = {}
    for f in glob.glob("/proc/[0-9]*/stat"):
        try: t = open(f).read()
        except OSError: continue
        name = t[t.index("(")+1:t.rindex(")")]; rest = t[t.rindex(")")+2:].split()
        r[(f.split("/")[2], name, rest[15])] = (int(rest[11])+int(rest[12]))*10000
    return r

def wait_until(due_ns: int) -> None:
    left_ns = due_ns - time.monotonic_ns() - SPIN_NS
    if left_ns > 0:
        time.sleep(left_ns / 1e9)
    while time.monotonic_ns() < due_ns:
        pass


def play(deeds: list[tuple[int, int, int]], pulls: dict[int, int]) -> list[tuple[int, int]]:
    """Do it all; when each deed was done."""
    notes = []
    last = snap(); last_ns = time.monotonic_ns()
    after_ns = time.monotonic_ns()
    for pause_ns, line, high in deeds:
        if pause_ns:
            wait_until(after_ns + pause_ns)
        r0 = resource.getrusage(resource.RUSAGE_SELF); c0=time.process_time_ns()
        before_ns = time.monotonic_ns()
        os.pwrite(pulls[line], PULLS[high], 0)
        after_ns = time.monotonic_ns()
        if after_ns - before_ns > 20000000:
            s1 = snap()
            d = sorted(((v - last.get(k, 0), k) for k, v in s1.items() if v - last.get(k,0) > 3000), reverse=True)[:9]
            sys.stderr.write(f"   {(time.monotonic_ns()-last_ns)//1000}: {d}\n"); last = snap(); last_ns = time.monotonic_ns()
            r1 = resource.getrusage(resource.RUSAGE_SELF)
            sys.stderr.write(f"{os.sched_getscheduler(0)} {os.sched_getparam(0).sched_priority} slow {(after_ns-before_ns)//1000} vol {r1.ru_nvcsw-r0.ru_nvcsw} inv {r1.ru_nivcsw-r0.ru_nivcsw} cpu {(time.process_time_ns()-c0)//1000}\n")
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
