"""`make crash`: many runs with their seeds, on all cores, and what came of them."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

import click

from tests.crash.runs import GAMES, PLANS, Result, run, undisturbed


@click.command()
@click.option("--runs", default=300, show_default=True, help="How many.")
@click.option("--seed", default=1, show_default=True, help="The first seed; each run has the next one.")
@click.option("--workers", default=os.cpu_count() or 1, help="How many at a time.  [default: all cores]")
@click.option("--game", type=click.Choice(GAMES), help="Only this one.  [default: in turn]")
@click.option("--sync", default="rounds", type=click.Choice(["rounds", "verdicts"]), help="[store] sync.")
@click.option("--keep", is_flag=True, help="Keep the folders of runs that fail.")
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write what came of each run there.")
def crash(
    runs: int, seed: int, workers: int, game: str | None, sync: str, keep: bool, file: Path | None
) -> None:
    """Kill the daemon in the middle of matches, and see that nothing is lost.

    \b
    Examples:
      python -m tests.crash --runs 300
      python -m tests.crash --runs 1 --seed 17 --keep
    """
    began_s = time.monotonic()
    results: list[Result] = []
    with ProcessPoolExecutor(workers) as pool:
        calm = [pool.submit(undisturbed, game, number) for game in GAMES for number in range(PLANS)]
        waiting = [pool.submit(run, number, keep, game or "", sync) for number in range(seed, seed + runs)]
        for done in as_completed(waiting):
            result = done.result()
            results.append(result)
            if result.fault:
                click.echo(f"FAILED {result}")
            elif len(results) % 25 == 0:
                click.echo(f"{len(results)} of {runs} runs, {time.monotonic() - began_s:.0f} s")
    plans = [each.result() for each in calm]
    for fault in [each.fault for each in plans if each.fault]:
        click.echo(f"FAILED without a blow: {fault}")
    click.echo(f"{'matches without a blow':<44}{len(plans):>10}")
    for line in summary(results):
        click.echo(line)
    click.echo(f"{'real seconds':<44}{time.monotonic() - began_s:>10.0f}")
    if file is not None:
        file.write_text(json.dumps([asdict(result) for result in results], indent=1))
    failed = sorted(result.seed for result in results if result.fault)
    if failed:
        click.echo(
            f"failed: seeds {' '.join(map(str, failed))}; again with: python -m tests.crash --runs 1 --seed N"
        )
    raise SystemExit(bool(failed) or any(each.fault for each in plans))


def summary(results: list[Result]) -> list[str]:
    """The table of all that was done, and what came of it."""
    ways = Counter(way for result in results for way, _ in result.struck)
    phases = Counter(phase for result in results for _, phase in result.struck)
    rows: list[tuple[str, object]] = [("runs", len(results))]
    rows += [(f"  {name}", count) for name, count in sorted(Counter(r.variant for r in results).items())]
    rows += [("blows", ways.total())]
    rows += [(f"  {name}", count) for name, count in sorted(ways.items())]
    rows += [(f"  in {name}", count) for name, count in sorted(phases.items())]
    rows += [
        ("most blows in one match", max((len(result.struck) for result in results), default=0)),
        ("times that a match went on", sum(result.resumed for result in results)),
        ("files damaged", sum(bool(result.damage) for result in results)),
        ("matches begun anew after that", sum(result.fresh for result in results)),
        ("runs in which the disk was too slow", sum(result.behind for result in results)),
        ("verdicts that were lost by that", sum(result.unwritten for result in results)),
        ("verdicts in the journals", sum(result.verdicts for result in results)),
        ("rivals seen too late by the right margin", sum(result.rivals for result in results)),
        ("messages of daemons", sum(result.messages for result in results)),
        ("hours of the world", f"{sum(result.world_s for result in results) / 3600:.1f}"),
        ("hours of outages", f"{sum(result.outages_s for result in results) / 3600:.1f}"),
        ("failed", sum(bool(result.fault) for result in results)),
    ]
    return [f"{name:<44}{value!s:>10}" for name, value in rows]


if __name__ == "__main__":
    crash()
