"""`make fuzz`: arbitrary inputs for the referee of each kind of table; then what came of them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor

import click

from tests.fuzz.cases import KINDS
from tests.fuzz.fuzzing import Tally, fuzz


@click.command()
@click.option("--inputs", default=200_000, show_default=True, help="How many, of each kind.")
@click.option("--seed", default=1, show_default=True, help="The same seed makes the same inputs.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(KINDS)), help="Only this; repeatable.")
@click.option("--workers", default=os.cpu_count() or 1, help="How many kinds at a time.")
def main(inputs: int, seed: int, kinds: tuple[str, ...], workers: int) -> None:
    """Give the referee arbitrary inputs, and see whether anything raises or breaks.

    \b
    Examples:
      python -m tests.fuzz --inputs 20000 --seed 7
      python -m tests.fuzz --kind dice --kind cards12
    """
    began_s = time.monotonic()
    with ProcessPoolExecutor(workers) as pool:
        asked = [pool.submit(fuzz_aloud, kind, seed, inputs) for kind in kinds or KINDS]
        tallies = [each.result() for each in asked]
    for line in told(tallies, seed):
        click.echo(line)
    click.echo(f"{time.monotonic() - began_s:.0f} s")
    raise SystemExit(any(tally.found for tally in tallies))


def fuzz_aloud(kind: str, seed: int, inputs: int) -> Tally:
    """The same, and say now and then how far it has come."""
    return fuzz(kind, seed, inputs, _progress(kind, inputs))


def _progress(kind: str, inputs: int) -> Callable[[int], None]:
    told_s = time.monotonic()

    def tell(done: int) -> None:
        nonlocal told_s
        if time.monotonic() - told_s > 30:
            told_s = time.monotonic()
            click.echo(f"{kind}: {done:,} of {inputs:,} inputs", err=True)

    return tell


def told(tallies: list[Tally], seed: int) -> list[str]:
    """What came of them, and each failure with its shortest scenario."""
    head = f"{'seed ' + str(seed):<14}{'inputs':>9}{'sequences':>11}{'verdicts':>10}{'share':>8}"
    lines = [f"{head}{'rounds':>8}{'matches':>9}{'exceptions':>12}"]
    for each in tallies:
        share = each.judged / max(1, each.inputs)
        failed = sum(1 + found.again for found in each.found)
        lines.append(
            f"{each.kind:<14}{each.inputs:>9,}{each.sequences:>11,}{each.judged:>10,}{share:>8.1%}"
            f"{each.rounds:>8,}{each.matches:>9,}{failed:>12,}"
        )
    for each in tallies:
        for found in each.found:
            again = f", and {found.again} more" if found.again else ""
            lines += ["", f"FAULT in {found.name}, after {found.after:,} inputs{again}: {found.failure}"]
            lines += ["", *(f"    {line}" for line in found.text.splitlines())]
    return lines


if __name__ == "__main__":
    main()
