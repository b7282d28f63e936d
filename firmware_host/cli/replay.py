"""`replay`: text scenarios, checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from firmware_host.cli.telling import tell_line
from firmware_host.durations import format_seconds
from firmware_host.effects import Effect
from firmware_host.errors import BadSettings, TableError
from firmware_host.scenario.reading import parse_scenario
from firmware_host.scenario.running import run_scenario
from firmware_host.scenario.statements import Expect, Scenario

WRONG = 1
BROKEN = 2
MOST_TOLD = 50


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option("--seed", type=click.IntRange(min=0), help="Draw lots with this seed, not with the files'.")
@click.option("-v", "--verbose", is_flag=True, help="Tell everything that happens.")
def replay(files: tuple[Path, ...], seed: int | None, verbose: bool) -> None:
    """Run text scenarios and check what they expect.

    A FILE may also be a folder: all *.txt in it are run. Exit code 1 means that an
    expectation did not hold, 2 that a file could not be read.

    \b
    Example:
      ligretto-table replay tests/scenarios/dice
    """
    outcome = max((_replay(path, seed, verbose) for path in _scenario_files(files)), default=0)
    raise SystemExit(outcome)


def _scenario_files(paths: tuple[Path, ...]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        inside = sorted(path.rglob("*.txt")) if path.is_dir() else [path]
        if not inside:
            raise BadSettings([f"{path}: no *.txt in this folder"])
        found += inside
    return found


def _replay(path: Path, seed: int | None, verbose: bool) -> int:
    try:
        scenario = _load(path)
        if seed is not None:
            scenario = replace(scenario, seed=seed)
        mismatches = run_scenario(scenario, _tell if verbose else None)
    except TableError as error:
        click.echo(str(error), err=True)
        return BROKEN
    for mismatch in mismatches[:MOST_TOLD]:
        click.echo(str(mismatch), err=True)
    if len(mismatches) > MOST_TOLD:
        click.echo(f"{path}: ... and {len(mismatches) - MOST_TOLD} more", err=True)
    expected = sum(isinstance(statement, Expect) for statement in scenario.statements)
    if mismatches:
        click.echo(f"{path}: failed, {len(mismatches)} found otherwise", err=True)
        return WRONG
    click.echo(f"{path}: ok, {expected} expectation{'s hold' if expected > 1 else ' holds'}")
    return 0


def _load(path: Path) -> Scenario:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadSettings([f"{path}: {error.strerror}"]) from None
    except UnicodeDecodeError as error:
        raise BadSettings([f"{path}: not a text in UTF-8 ({error.reason} at byte {error.start})"]) from None
    return parse_scenario(text, str(path))


def _tell(t_ns: int, effects: list[Effect]) -> None:
    for effect in effects:
        text = tell_line(effect)
        if text:
            click.echo(f"{format_seconds(t_ns):>14}  {text}")
