"""`replay`: text scenarios, checked, and recorded sessions, compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click

from firmware_host.cli.session_replay import Chosen, Showing, is_store, print_decision, replay_session
from firmware_host.cli.store_options import store_options, store_path
from firmware_host.config.files import Unreadable
from firmware_host.durations import format_seconds
from firmware_host.errors import BadSettings, DamagedRecord, TableError
from firmware_host.files.input_files import read_text
from firmware_host.referee.step import Step
from firmware_host.scenario.scenario_reading import parse_scenario
from firmware_host.scenario.scenario_run import run_scenario
from firmware_host.scenario.statements import Expect, Scenario
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.store.store_reader import Decision
from firmware_host.visible import in_a_line

WRONG = 1
BROKEN = 2
MOST_PRINTED = 50
MOST_BYTES = 20_000_000
"""A recording of a long match is much shorter."""


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE]...")
@click.option("--seed", type=click.IntRange(min=0), help="Use this seed instead of the files'.")
@store_options
@click.option("--session", "number", type=int, help="From a store: the session with this number.")
@click.option("--chapter", type=int, hidden=True, help="What --session was called until now.")
@click.option("--round", "round_", type=int, help="From a store: the session in which this round was played.")
@click.option("--last", is_flag=True, help="From a store: the last session (the default).")
@click.option(
    "--feed",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="From a store: tell the session at its pace, as a running table does, at feed.sock in that folder.",
)
@click.option(
    "--speed", type=click.FloatRange(0.1, 1000), help="With --feed: how many times real time.  [default: 1]"
)
@click.option("-v", "--verbose", is_flag=True, help="Print everything that happens.")
def replay(
    files: tuple[Path, ...],
    seed: int | None,
    config: Path | None,
    store: Path | None,
    number: int | None,
    chapter: int | None,
    round_: int | None,
    last: bool,
    feed: Path | None,
    speed: float | None,
    verbose: bool,
) -> None:
    """Run text scenarios and check what they expect, or replay a recorded session.

    A FILE may also be a folder: all *.txt in it are run. From a store, a session's inputs go through the
    same referee again, and every decision and everything shown is compared with the recording. The store
    may be in use meanwhile.

    Exit code 1 means that an expectation failed or that a replay differs, 2 that a file could not be
    read.

    \b
    Examples:
      ligretto-table replay tests/scenarios/dice
      ligretto-table replay --store table.db --round 17
      ligretto-table replay --config table.toml -v
      ligretto-table replay --store table.db --round 17 --feed /tmp/round-17 --speed 4
    """
    if chapter is not None:
        click.echo("ligretto-table: --chapter is called --session now", err=True)
    chosen = _chosen(number if chapter is None else chapter, round_, last)
    if config is not None or store is not None or (chosen is not None and not files):
        if files or seed is not None:
            raise BadSettings(["a store is replayed by itself, without files and without --seed"])
        stores: list[str] = [store_path(config, store)]
    elif not files:
        raise click.UsageError("name scenarios, or a store with --store or --config")
    else:
        stores = [str(path) for path in files if is_store(path)]
    if chosen is not None and not stores:
        raise BadSettings(["--session, --round and --last need a store; name one with --store or --config"])
    if speed is not None and feed is None:
        raise BadSettings(["--speed needs --feed: without it a replay takes no time"])
    if feed is not None and (len(stores) != 1 or len(files) > 1):
        raise BadSettings(["--feed needs one store, and nothing else"])
    showing = None if feed is None else Showing(feed, speed or 1.0)
    texts = tuple(path for path in files if str(path) not in stores)
    on_decision = print_decision if verbose else None
    codes = [_replay_store(path, chosen or Chosen(), on_decision, showing) for path in stores]
    codes += [_replay(path, seed, verbose) for path in _scenario_files(texts)]
    raise SystemExit(max(codes, default=0))


def _chosen(number: int | None, round_: int | None, last: bool) -> Chosen | None:
    """The session that was asked for, if one was."""
    if (number is not None) + (round_ is not None) + last > 1:
        raise BadSettings(["name one of --session, --round and --last"])
    return Chosen(number, round_) if last or number is not None or round_ is not None else None


def _replay_store(
    path: str, chosen: Chosen, on_decision: Callable[[Decision], None] | None, showing: Showing | None
) -> int:
    try:
        return replay_session(path, chosen, on_decision, showing)
    except DamagedRecord as error:
        click.echo(f"{path} is damaged: {in_a_line(str(error))}, so it can't be replayed", err=True)
        return WRONG
    except TableError as error:
        click.echo(str(error), err=True)
        return BROKEN


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
        mismatches = run_scenario(scenario, _print_step if verbose else None)
    except TableError as error:
        click.echo(str(error), err=True)
        return BROKEN
    for mismatch in mismatches[:MOST_PRINTED]:
        click.echo(str(mismatch), err=True)
    if len(mismatches) > MOST_PRINTED:
        click.echo(f"{path}: ... and {len(mismatches) - MOST_PRINTED} more", err=True)
    expected = sum(isinstance(statement, Expect) for statement in scenario.statements)
    if mismatches:
        click.echo(
            f"{path}: failed, {len(mismatches)} mismatch{'es' if len(mismatches) > 1 else ''}", err=True
        )
        return WRONG
    click.echo(f"{path}: ok, {expected} expectation{'s hold' if expected > 1 else ' holds'}")
    return 0


def _load(path: Path) -> Scenario:
    try:
        text = read_text(path, MOST_BYTES)
    except Unreadable as error:
        raise BadSettings([str(error)]) from None
    return parse_scenario(text, str(path))


def _print_step(step: Step) -> None:
    for effect in step.effects:
        text = effect_sentence(effect)
        if text:
            click.echo(f"{format_seconds(step.t_ns):>14}  {text}")
