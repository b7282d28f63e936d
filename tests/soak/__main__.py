"""`make soak`: many matches in virtual time, or a while of real time; then the table of what was seen."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from pathlib import Path

import click

from firmware_host.model.times import S, parse_duration
from tests.soak.real import soak_real
from tests.soak.timeouts import TIMEOUTS
from tests.soak.virtual import Soaked, keep_quiet, soak

TABLES = ("cards4", "dice4")
EVENINGS = {"cards4": (0.2,), "dice4": (0.8,)}
"""How the matches are shared out. Those of cards take longer; long evenings show best what grows."""
RESULTS = Path("/tmp/ligretto-soak.json")


def _seconds(context: click.Context, parameter: click.Parameter, text: str | None) -> float:
    return parse_duration(text) / S if text else 0.0


@click.command()
@click.option("--matches", default=200, show_default=True, help="How many, in virtual time.")
@click.option("--real", callback=_seconds, metavar="DURATION", help="In real time, for so long: 30min.")
@click.option("--seed", default=1, show_default=True, help="The first seed.")
@click.option("--workers", default=os.cpu_count() or 1, help="How many evenings at a time.")
@click.option("--json", "file", default=RESULTS, show_default=True, type=click.Path(path_type=Path))
def main(matches: int, real: float, seed: int, workers: int, file: Path) -> None:
    """Run the daemon for long, while devices fail and people walk away.

    \b
    Examples:
      python -m tests.soak --matches 200
      python -m tests.soak --real 30min
    """
    began_s = time.monotonic()
    with ProcessPoolExecutor(workers, max_tasks_per_child=1, initializer=keep_quiet) as pool:
        if real:
            asked = [pool.submit(soak_real, table, seed, real) for table in TABLES]
        else:
            shares = [(table, share) for table in TABLES for share in EVENINGS[table]]
            asked = [
                pool.submit(soak, table, seed + number, max(1, round(matches * share)))
                for number, (table, share) in enumerate(shares)
            ]
        evenings = [each.result() for each in asked]
    faults = [f"{evening.name}: {fault}" for evening in evenings for fault in evening.faults]
    if not real:
        faults += [f"never taken: {name}" for name in unused(evenings)]
    for line in told(evenings):
        click.echo(line)
    click.echo(f"{'real seconds':<40}{time.monotonic() - began_s:>12.0f}")
    file.write_text(json.dumps([asdict(evening) for evening in evenings], indent=1))
    for fault in faults:
        click.echo(f"FAULT {fault}")
    raise SystemExit(bool(faults))


def unused(evenings: list[Soaked]) -> list[str]:
    """The ways out by time that nobody has taken."""
    taken = {name for evening in evenings for name in evening.timeouts}
    return [name for name in TIMEOUTS if name not in taken]


def told(evenings: list[Soaked]) -> list[str]:
    """What was seen, evening by evening."""
    lines = []
    for evening in evenings:
        states = ", ".join(f"{count} {state}" for state, count in sorted(evening.states.items()))
        rows: list[tuple[str, object]] = [
            ("matches", f"{evening.matches}: {states}"),
            ("rounds scored", evening.rounds),
            ("hours of the world", f"{evening.world_s / 3600:.1f}"),
            ("seconds of this machine", evening.real_s),
            ("resident at the end, kB", evening.resident_kb),
            ("growth from sample to sample, kB", evening.slope_kb),
            ("most growth after warming up, kB", evening.growth_kb),
            ("growth from match to match, objects", evening.slope_objects),
            ("threads", " or ".join(map(str, evening.threads))),
            ("open files", " or ".join(map(str, evening.descriptors))),
            ("things that went wrong", sum(evening.mishaps.values())),
            ("looks at the health page", evening.looks),
            ("faults", len(evening.faults)),
        ]
        lines += [evening.name, *(f"  {name:<38}{value!s:>12}" for name, value in rows)]
    taken: Counter[str] = Counter()
    for evening in evenings:
        taken.update(evening.timeouts)
    lines += ["ways out by time", *(f"  {name:<38}{taken[name]:>12}" for name in TIMEOUTS)]
    return lines


if __name__ == "__main__":
    main()
