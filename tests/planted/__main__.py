"""`python -m tests.planted COUNT SEED`: plant faults, and see which test sees each."""

from __future__ import annotations

import csv
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from queue import SimpleQueue

import click

from tests.planted.faults import Fault, draw
from tests.planted.trials import NEAR_S, ROOT, SURVIVED, WIDER_S, Copy, Result, near_tests, tried, wider_tests

COLUMNS = [each.name for each in fields(Fault)]
RESULTS = ("near", "near test", "near seconds", "wider", "wider test", "wider seconds")
NICER = 5
TERMINATED = 128 + signal.SIGTERM


@dataclass(slots=True)
class Row:
    """A fault, and what is known of it."""

    fault: Fault
    near: Result | None = None
    wider: Result | None = None

    @property
    def cells(self) -> list[str]:
        """For the table."""
        results = [astuple(each) if each else ("", "", "") for each in (self.near, self.wider)]
        return [str(cell) for cell in (*astuple(self.fault), *results[0], *results[1])]

    @property
    def outcome(self) -> str:
        """In a word."""
        last = self.wider or self.near
        return last.outcome if last else "not tried"


def read(table: Path) -> list[Row]:
    """The rows of a table."""
    with table.open(newline="", encoding="utf-8") as lines:
        records = list(csv.DictReader(lines, delimiter="\t", lineterminator="\n"))
    return [_row(record) for record in records]


def _row(record: dict[str, str]) -> Row:
    values = {name: int(record[name]) if name == "nth" else record[name] for name in COLUMNS}
    found = [
        Result(record[name], record[f"{name} test"], float(record[f"{name} seconds"]))
        if record[name]
        else None
        for name in ("near", "wider")
    ]
    return Row(Fault(**values), *found)  # type: ignore[arg-type]  # all but `nth` are texts


def write(table: Path, rows: Sequence[Row]) -> None:
    """Keep the table; a run that is broken off loses nothing."""
    table.parent.mkdir(parents=True, exist_ok=True)
    new = table.with_suffix(".new")
    with new.open("w", newline="", encoding="utf-8") as lines:
        writer = csv.writer(lines, delimiter="\t", lineterminator="\n")
        writer.writerow([*COLUMNS, *RESULTS])
        writer.writerows(row.cells for row in rows)
    new.replace(table)


@click.command()
@click.argument("count", type=click.IntRange(1))
@click.argument("seed", type=int)
@click.option(
    "--near", is_flag=True, help="Only the tests that are near each fault; survivors may be seen elsewhere."
)
@click.option(
    "--table", type=click.Path(path_type=Path), help="Where results are kept; a run goes on from there."
)
@click.option(
    "--again", type=click.Path(exists=True, path_type=Path), help="Take the faults of this table, not others."
)
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1, 2), help="How many at a time.")
def main(count: int, seed: int, near: bool, table: Path | None, again: Path | None, jobs: int) -> None:
    """Plant COUNT faults of one line each, drawn by SEED, and run the tests on each.

    Every fault is planted in a copy of the checkout, as it is now, with the environment of this Python.

    \b
    Examples:
      python -m tests.planted 60 1 --near                     the tests near each fault
      python -m tests.planted 60 1                            the survivors with all tests, too
      python -m tests.planted 60 1 --again before.tsv --table after.tsv
    """
    table = table or ROOT / "build" / f"planted-{count}-{seed}.tsv"
    if table.exists():
        rows = read(table)
    else:
        rows = (
            [Row(row.fault) for row in read(again)]
            if again
            else [Row(each) for each in draw(ROOT, count, seed)]
        )
        write(table, rows)
    os.nice(NICER)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(TERMINATED))  # copies are removed on the way out
    began_s = time.monotonic()
    with ExitStack() as stack:
        copies = [stack.enter_context(Copy()) for _ in range(jobs)]
        _try_all(copies, rows, table, wider=False)
        if not near:
            _try_all(copies, rows, table, wider=True)
    for row in rows:
        if row.outcome == SURVIVED:
            click.echo(f"\nsurvived, {row.fault.kind}: {row.fault.diff}")
    click.echo(f"\n{table}, {time.monotonic() - began_s:.0f} s")
    for package, counts in _summary(rows).items():
        click.echo(
            f"{package:<10} {', '.join(f'{many} {outcome}' for outcome, many in sorted(counts.items()))}"
        )


def _try_all(copies: Sequence[Copy], rows: Sequence[Row], table: Path, *, wider: bool) -> None:
    """Try what was not tried yet; the wider run has only what survived the near one."""
    if wider:
        left = [row for row in rows if row.wider is None and row.near and row.near.outcome == SURVIVED]
    else:
        left = [row for row in rows if row.near is None]
    free: SimpleQueue[Copy] = SimpleQueue()
    for copy in copies:
        free.put(copy)

    def attempt(fault: Fault) -> Result:
        copy = free.get()
        try:
            tests = wider_tests(fault) if wider else near_tests(fault)
            return tried(copy, fault, tests, WIDER_S if wider else NEAR_S)
        finally:
            free.put(copy)

    with ThreadPoolExecutor(len(copies)) as pool:
        asked = {pool.submit(attempt, row.fault): row for row in left}
        try:
            for number, done in enumerate(as_completed(asked), start=1):
                row, result = asked[done], done.result()
                if wider:
                    row.wider = result
                else:
                    row.near = result
                write(table, rows)
                where = f"{row.fault.package}, {row.fault.function or row.fault.file}"
                outcome = f"{result.outcome} after {result.seconds:.0f} s"
                click.echo(f"{number}/{len(left)} {outcome}: {where} {result.test}")
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            if not all(each.done() for each in asked):
                for copy in copies:
                    copy.stop()


def _summary(rows: Sequence[Row]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for row in rows:
        found.setdefault(row.fault.package, Counter())[row.outcome] += 1
    return found | {"in all": sum(found.values(), Counter())}


if __name__ == "__main__":
    sys.exit(main())
