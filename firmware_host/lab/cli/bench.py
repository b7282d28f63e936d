"""`bench`: how fast this machine runs the table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import click

import wiring
from firmware_host.cli.terminal import print_for_now
from firmware_host.lab.benchmark.answers import measure_answers
from firmware_host.lab.benchmark.latency import measure_latency, measure_sound
from firmware_host.lab.benchmark.load import (
    measure_idle,
    measure_matches,
    measure_spectators,
    measure_start,
    measure_throughput,
)

ANSWERS = "answers"
SPECTATORS = "spectators"
MEASUREMENTS: dict[str, tuple[str, Callable[[int], dict[str, Any]]]] = {
    ANSWERS: (
        "from the edge of a press to its verdict and its lamp, in ms, on each profile",
        measure_answers,
    ),
    "throughput": ("edges through the whole path, nothing sleeping", measure_throughput),
    "latency": (
        "from when a verdict is due until it is there, 100 presses a second",
        measure_latency,
    ),
    SPECTATORS: (
        "the same with a web process and 200 spectators, and what that takes",
        measure_spectators,
    ),
    "sound": ("verdict to the first sample that leaves the card", measure_sound),
    "matches": ("whole matches in virtual time, one process", measure_matches),
    "idle": ("CPU of a table that nobody plays on", measure_idle),
    "start": ("from process start to ready, and memory", measure_start),
}


@click.command()
@click.option(
    "--only", type=click.Choice(list(MEASUREMENTS)), multiple=True, help="What to measure; repeatable."
)
@click.option(
    "--profile",
    "profiles",
    type=click.Choice(wiring.profile_names()),
    multiple=True,
    help=f"Measure {ANSWERS} only on this profile; repeatable.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the matches.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def bench(only: tuple[str, ...], profiles: tuple[str, ...], seed: int, as_json: bool) -> None:
    """Measure how soon people get an answer, speed, memory and start-up on this machine.

    Everything is the real code on simulated devices. Run it on an idle machine: each
    figure holds for this machine at this moment. It takes some six minutes.

    \b
    Examples:
      ligretto-table bench --only answers --profile dice4
      ligretto-table bench --only latency --json
    """
    figures: dict[str, dict[str, Any]] = {}
    for name, (title, measure) in MEASUREMENTS.items():
        if only and name not in only:
            continue
        if not as_json and sys.stdout.isatty():
            print_for_now(f"{name}: {title} ...")
        measure = partial(measure_answers, profiles=profiles) if name == ANSWERS else measure
        figures[name] = measure(seed)
        if not as_json:
            click.echo("\n".join(_lines(name, title, figures[name])))
    if as_json:
        click.echo(json.dumps(figures, indent=2))


def _lines(name: str, title: str, figures: dict[str, Any]) -> Iterator[str]:
    yield f"{name}: {title}    "  # over the dots that stood there while measuring
    if name == ANSWERS:
        yield from _answer_table(figures)
        return
    for key, value in figures.items():
        yield (
            f"  {key.replace('_', ' '):<34} {value:>14,}"
            if not isinstance(value, str)
            else f"  {key}: {value}"
        )


ANSWER_COLUMNS = {
    "press_to_verdict_p50_ms": ("verdict", "p50"),
    "press_to_verdict_p99_ms": ("verdict", "p99"),
    "press_to_lamp_p99_ms": ("lamp", "p99"),
    "press_to_false_claim_p50_ms": ("false", "claim"),
    "accepted": ("accepted", ""),
    "false_claims": ("false", "claims"),
    "other_verdicts": ("other", "verdicts"),
    "late": ("late", "edges"),
}


def _answer_table(figures: Mapping[str, Mapping[str, float | None]]) -> Iterator[str]:
    """A row for each profile."""
    for line in zip(*ANSWER_COLUMNS.values(), strict=True):
        yield f"  {'':<20}" + "".join(f"{word:>10}" for word in line)
    for name, row in figures.items():
        cells = ("-" if row[key] is None else f"{row[key]:,}" for key in ANSWER_COLUMNS)
        yield f"  {name:<20}" + "".join(f"{cell:>10}" for cell in cells)
