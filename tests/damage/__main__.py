"""Flips bytes of a store that a match was written into, and sees what becomes of it."""

from __future__ import annotations

import json
import logging
import os
import re
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, replace
from pathlib import Path

import click

from tests.damage.flips import Flip, Outcome, bench, choose, choose_schema
from tests.damage.stores import log_of, played

BATCH = 50
MOST_OFFSETS = 12
_VARYING = re.compile(r"/\S+|0x[0-9a-f]+|[0-9]+|'[^']*'")
"""What differs between two faults of one kind."""


@click.command()
@click.option("--pages", default=2, show_default=True, help="Flip every byte of so many pages.")
@click.option("--others", default=2000, show_default=True, help="Flip so many bytes elsewhere.")
@click.option("--readings", default=200, show_default=True, help="Run all commands, and play, on so many.")
@click.option(
    "--schema", default=150, show_default=True, help="Read it with so many bits of the schema flipped."
)
@click.option("--cuts", default=20, show_default=True, help="Read it with so many early ends.")
@click.option(
    "--step", default=1, show_default=True, help="In the first pages flip only one byte of so many."
)
@click.option("--seed", default=1, show_default=True, help="Which bytes, and how they are flipped.")
@click.option("--offset", type=int, help="Flip only that byte, and look closely.")
@click.option("--workers", default=os.cpu_count() or 1, help="How many at a time.  [default: all cores]")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write what came of each flip there.")
def damage(
    pages: int,
    others: int,
    readings: int,
    schema: int,
    cuts: int,
    step: int,
    seed: int,
    offset: int | None,
    workers: int,
    file: Path | None,
) -> None:
    """Flip bytes of a store; the daemon has to start on it, and commands have to say what is lost.

    With bits of the schema, and with early ends, it is read both alone and beside a log of SQLite.

    \b
    Examples:
      python -m tests.damage
      python -m tests.damage --pages 1 --others 100 --readings 20
      python -m tests.damage --pages 0 --others 0 --schema 1000
      python -m tests.damage --seed 1 --offset 3748
    """
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        data = played(Path(folder) / "table.db").read_bytes()
        log = log_of(data, Path(folder))
    flips = choose(len(data), pages, others, readings, seed, step)
    flips += choose_schema(len(data), schema, cuts, seed)
    if offset is not None:
        flips = [replace(each, closely=True) for each in flips if each.offset == offset]
    click.echo(f"a store of {len(data)} bytes, {len(flips)} flips")
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(workers) as pool:
        waiting = [pool.submit(try_all, data, log, batch) for batch in _batches(flips)]
        for done in as_completed(waiting):
            outcomes += done.result()
            if len(outcomes) % 1000 < BATCH:
                click.echo(f"{len(outcomes)} of {len(flips)} flips, {time.monotonic() - began_s:.0f} s")
    for line in [
        *summary(outcomes),
        f"{'seconds':<44}{time.monotonic() - began_s:>10.0f}",
        *faults(outcomes),
    ]:
        click.echo(line)
    if file is not None:
        file.write_text(json.dumps([asdict(each) for each in outcomes], indent=1))
    raise SystemExit(any(each.faults for each in outcomes))


def _batches(flips: list[Flip]) -> list[list[Flip]]:
    """Those that are looked at closely take longest, so they are dealt out evenly."""
    ordered = sorted(flips, key=lambda flip: not flip.closely)
    count = max(1, -(-len(ordered) // BATCH))
    return [ordered[n::count] for n in range(count)]


def try_all(data: bytes, log: bytes, flips: list[Flip]) -> list[Outcome]:
    """What comes of each of these; the daemon's own log would only hide that."""
    logging.disable()
    with bench(data, log) as place:
        return [place.try_flip(flip) for flip in flips]


def summary(outcomes: list[Outcome]) -> list[str]:
    """The table of all that was done."""
    codes = Counter(code for each in outcomes for code in each.codes)
    rows = [
        ("flips", len(outcomes)),
        ("  looked at closely", sum(each.flip.closely for each in outcomes)),
        ("commands", codes.total()),
        *((f"  exit code {code}", count) for code, count in sorted(codes.items())),
        ("flips after which something failed", sum(bool(each.faults) for each in outcomes)),
    ]
    return [f"{name:<44}{count:>10}" for name, count in rows]


def faults(outcomes: list[Outcome]) -> list[str]:
    """What failed, each kind once with an example, and at which bytes."""
    examples: dict[str, str] = {}
    where: dict[str, list[int]] = defaultdict(list)
    for each in sorted(outcomes, key=lambda outcome: outcome.flip.offset):
        for fault in each.faults:
            kind = _VARYING.sub("*", fault)
            examples.setdefault(kind, fault)
            where[kind].append(each.flip.offset)
    lines = []
    for kind, offsets in sorted(where.items(), key=lambda item: -len(item[1])):
        more = f" and {len(offsets) - MOST_OFFSETS} more" if len(offsets) > MOST_OFFSETS else ""
        lines.append(f"FAILED {len(offsets)} times: {examples[kind]}")
        lines.append(f"  at bytes {' '.join(map(str, offsets[:MOST_OFFSETS]))}{more}")
    return lines


if __name__ == "__main__":
    damage()
