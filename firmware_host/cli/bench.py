"""`bench`: how fast this machine runs the table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click

from firmware_host import benchmark as b
from firmware_host.system.terminal_streams import print_for_now

MEASUREMENTS: dict[str, tuple[str, Callable[[int], dict[str, Any]]]] = {
    "throughput": ("edges through the whole path, nothing sleeping", b.measure_throughput),
    "latency": ("hit to verdict in the real loop, 100 presses a second", b.measure_latency),
    "matches": ("whole matches in virtual time, one process", b.measure_matches),
    "idle": ("CPU of a table that nobody plays on", b.measure_idle),
    "start": ("from process start to ready, and memory", b.measure_start),
}


@click.command()
@click.option(
    "--only", type=click.Choice(list(MEASUREMENTS)), multiple=True, help="What to measure; repeatable."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the matches.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def bench(only: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Measure speed, latency, memory and start-up on this machine.

    Everything is the real code on simulated devices. Run it on an idle machine: each
    figure holds for this machine at this moment.

    \b
    Example:
      ligretto-table bench --only latency --json
    """
    figures: dict[str, dict[str, Any]] = {}
    for name, (title, measure) in MEASUREMENTS.items():
        if only and name not in only:
            continue
        if not as_json and sys.stdout.isatty():
            print_for_now(f"{name}: {title} ...")
        figures[name] = measure(seed)
        if not as_json:
            click.echo("\n".join(_lines(name, title, figures[name])))
    if as_json:
        click.echo(json.dumps(figures, indent=2))


def _lines(name: str, title: str, figures: dict[str, Any]) -> Iterator[str]:
    yield f"{name}: {title}    "  # over the dots that stood there while measuring
    for key, value in figures.items():
        yield (
            f"  {key.replace('_', ' '):<34} {value:>14,}"
            if not isinstance(value, str)
            else f"  {key}: {value}"
        )
