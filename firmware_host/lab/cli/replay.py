"""`replay`: text scenarios, checked, and recorded sessions, compared."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import click

from firmware_host import __version__
from firmware_host.cli.feed_view import PICTURES_A_SECOND, can_show_picture, drawn, show_news, told_by
from firmware_host.cli.store_options import store_options, store_path
from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.feed.teller import Surroundings
from firmware_host.files import read_start, read_text
from firmware_host.lab.scenarios.reading import parse_scenario
from firmware_host.lab.scenarios.running import run_scenario
from firmware_host.lab.scenarios.wording import Expect, Scenario
from firmware_host.model.errors import BadSettings, DamagedRecord, TableError
from firmware_host.model.plain_text import in_a_line
from firmware_host.model.states import Phase
from firmware_host.model.times import S, format_seconds
from firmware_host.profile.table import Unreadable
from firmware_host.referee import Step
from firmware_host.run.recorded_sessions import (
    RecordedSession,
    begin_session,
    first_difference,
    replayed_moments,
)
from firmware_host.run.recorded_sessions import replay as replayed_session
from firmware_host.run.table_sockets import FeedOutlet
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.store.result_rows import Audits
from firmware_host.store.store_reader import Decision, NotWritten, SessionLog, StoreReader, reading

LEAD_NS = 3 * S
"""Playback begins so long before what was asked for."""
IDLE_NS = 5 * S
"""While nobody plays it waits no longer than this."""
LOOK_S = 0.5


class Playback:
    """Replays sessions for whoever reads that feed. `wait` lets so many seconds pass."""

    def __init__(self, outlet: FeedOutlet, speed: float, wait: Callable[[float], None] | None = None) -> None:
        self._outlet = outlet
        self._speed = speed
        self._wait = wait or self._wait_for_readers
        self._due_s = 0.0
        self.meanwhile: Callable[[], None] = lambda: None
        """Called again and again while time passes."""

    def play(
        self, session_log: SessionLog, audits: Audits, now_text: Callable[[], str], from_ns: int = 0
    ) -> RecordedSession:
        """The whole session, replayed; what is before `from_ns` takes no time."""
        recorded = begin_session(session_log.id, session_log.head, audits, now_text)
        self._outlet.around = lambda: Surroundings(session_log.head.event)
        self._outlet.begin(recorded)
        shell = recorded.shell
        shell.onlookers, shell.on_felt = [self._outlet.follow], self._outlet.feel
        now_ns = max(session_log.head.t_ns, from_ns - LEAD_NS)
        for to_ns in replayed_moments(recorded, session_log):
            while shell.due_ns is not None and shell.due_ns < to_ns:
                now_ns = self._reach(shell.due_ns, now_ns, recorded)
            now_ns = self._reach(to_ns, now_ns, recorded)
        return recorded

    def _reach(self, t_ns: int, now_ns: int, recorded: RecordedSession) -> int:
        """Let the time until then pass, and do what is due."""
        if t_ns > now_ns:
            idle = recorded.shell.referee.session.phase is Phase.ATTRACT
            wait_ns = min(t_ns - now_ns, IDLE_NS) if idle else t_ns - now_ns
            self._wait(wait_ns / S / self._speed)
        recorded.shell.advance(t_ns)
        return max(t_ns, now_ns)

    def _wait_for_readers(self, for_s: float) -> None:
        """Serve readers for so long."""
        self._due_s = max(self._due_s, time.monotonic() - LOOK_S) + for_s  # what took long is caught up
        while True:
            self._outlet.look()
            self.meanwhile()
            left_s = self._due_s - time.monotonic()
            if left_s <= 0:
                return
            select.select([self._outlet], [], [], min(left_s, LOOK_S, 1 / PICTURES_A_SECOND))


IDENTICAL, DIFFERENT = 0, 1
_MAGIC = b"SQLite format 3\0"


class SessionNotKept(TableError):
    """The inputs and decisions of a session are not kept any more."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which session: by its number, by one of its rounds, or the last one."""

    session_log: int | None = None
    round: int | None = None


def is_store(path: Path) -> bool:
    """Whether this file is a store and no text."""
    try:
        return read_start(path, len(_MAGIC)) == _MAGIC
    except Unreadable:
        return False


@dataclass(frozen=True, slots=True)
class Showing:
    """Where a feed is to tell of the replay, and at how many times the real pace."""

    folder: Path
    speed: float


def replay_session(
    path: str, chosen: Chosen, on_decision: Callable[[Decision], None] | None, showing: Showing | None = None
) -> int:
    """The exit code; replays a session and prints whether it came to the same."""
    with reading(path) as book:
        number, session_log = _session_log(book, chosen)
        first = book.round(chosen.round).first_effect if chosen.round is not None else 0
    if not session_log.decisions:  # it began with one
        raise SessionNotKept(
            f"{path}: session {number}: its decisions are not kept any more, so there is nothing to "
            "compare; `keep-rounds` in [store] sets how long they are kept"
        )
    if showing is None:
        recorded = replayed_session(session_log, Audits(_now_text), _now_text)
    else:
        recorded = _show(session_log, showing, session_log.decisions[first].t_ns)
    replayed = recorded.journal.decisions
    if on_decision is not None:
        for decision in replayed[: len(session_log.decisions)]:
            on_decision(decision)
    difference = first_difference(session_log.decisions, replayed)
    versions = f"; it was recorded by {session_log.head.version}, and this is {__version__}"
    other = versions if session_log.head.version != __version__ else ""
    if difference:
        click.echo(f"{path}: session {number}: {difference}{other}", err=True)
        return DIFFERENT
    digests = sum(decision.shown is not None for decision in session_log.decisions)
    click.echo(
        f"{path}: session {number}: identical: {len(session_log.decisions)} decisions from "
        f"{len(session_log.entries)} inputs, {digests} digests of frames and pages"
    )
    return IDENTICAL


def _show(session_log: SessionLog, showing: Showing, from_ns: int) -> RecordedSession:
    """The session replayed for the readers of a feed."""
    outlet, feed = FeedOutlet(showing.folder), showing.folder / FEED_SOCKET
    click.echo(f"the feed: {feed} (Ctrl-C ends)", err=True)
    with closing(outlet), ExitStack() as closing_view:
        playback = Playback(outlet, showing.speed)
        if can_show_picture():
            view = closing_view.enter_context(drawn("A RECORDED SESSION", showing.speed))
            told = told_by(feed)
            playback.meanwhile = lambda: show_news(told, view)
        return playback.play(session_log, Audits(_now_text), _now_text, from_ns)


def print_decision(decision: Decision) -> None:
    """Print a decision."""
    click.echo(f"{format_seconds(decision.t_ns):>18}  {effect_sentence(decision.effect)}")
    if decision.shown is not None:
        click.echo(f"{'':>18}  shown by then: {decision.shown}")


def _session_log(book: StoreReader, chosen: Chosen) -> tuple[int, SessionLog]:
    numbers = book.session_ids()
    if not numbers:
        for words in book.losses:
            raise DamagedRecord(words)
        raise NotWritten("the store is empty: nothing was played yet")
    number = chosen.session_log
    if chosen.round is not None:
        of_round = book.round(chosen.round).session
        number = next((n for n, id in numbers.items() if id == of_round), None)
        if number is None:
            raise DamagedRecord(f"the store no longer says which session round {chosen.round} was in")
    if number is None:
        number = max(numbers)
    if number not in numbers:
        raise BadSettings([f"the store has no session {number}; the last one is {max(numbers)}"])
    return number, book.session_log(numbers[number])


def _now_text() -> str:
    return datetime.now().isoformat(timespec="seconds")


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
    help="From a store: tell the session at its pace, as a running table does, at feed.sock in that folder, "
    "and draw it in a terminal.",
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
