"""`doctor`: what this machine's hardware lacks, and what to do next."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from firmware_host import __version__
from firmware_host.cli.terminal import Keyboard, can_draw, console, stopped_by_signals
from firmware_host.cli.written import check_place, write_whole
from firmware_host.files import PRIVATE, read_bytes
from firmware_host.games.games import GAMES
from firmware_host.model.errors import BadSettings
from firmware_host.model.times import S
from firmware_host.profile.table import Missing, StoreConfig, Unreadable
from firmware_host.profile.tags import Registry
from firmware_host.workshop.doctor.bundle import pack_bundle
from firmware_host.workshop.doctor.checks import CheckedTable, CheckReport, check_table
from firmware_host.workshop.doctor.findings import (
    Finding,
    State,
    as_data,
    in_order,
    text_lines,
    total_line,
    worst,
)
from firmware_host.workshop.doctor.jitter import judge_jitter
from firmware_host.workshop.doctor.jitter_run import measure_jitter
from firmware_host.workshop.doctor.system import System
from firmware_host.workshop.doctor.walking import WALKS, Screen, refused, walked
from firmware_host.workshop.doctor.walks import Walk

if TYPE_CHECKING:
    from rich.live import Live

JITTER_S = 10.0
WIDTH = 100
LONGEST_LOG = 50_000_000

Seconds = click.FloatRange(min=0.1, max=3600)


@click.command()
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The table.toml.  [default: $LIGRETTO_TABLE_CONFIG, or where `run` looks]",
)
@click.option("--profile", metavar="NAME", help="A wiring profile instead, for a table without table.toml.")
@click.option(
    "--game", type=click.Choice(list(GAMES)), help="On a table for two games: the one to walk through."
)
@click.option(
    "--walk",
    "walks",
    type=click.Choice(WALKS),
    multiple=True,
    help="Check part by part; each is ticked off when it works; repeatable.",
)
@click.option("--seconds", type=Seconds, help="Time limit of a walk.  [default: until all parts work]")
@click.option("--step", type=Seconds, default=1.0, show_default=True, help="How long each lamp is lit, in s.")
@click.option(
    "--page",
    type=click.FloatRange(min=0, max=60),
    default=3.0,
    show_default=True,
    help="How long the test page stays on the scoreboard, in s.",
)
@click.option(
    "--jitter",
    type=Seconds,
    is_flag=False,
    flag_value=JITTER_S,
    metavar="[SECONDS]",
    help=f"Measure how late this machine reacts, for {JITTER_S:.0f} s by default; press buttons meanwhile.",
)
@click.option(
    "--simulated",
    is_flag=True,
    help="Rehearse walks on a simulated table whose parts are touched one after another.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--bundle",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Pack the report into this .tar.gz, for whoever helps you.",
)
@click.option(
    "--log",
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE",
    help="Log lines for the bundle; - for standard input.",
)
@click.pass_context
def doctor(context: click.Context, /, config: Path | None, profile: str | None, **options: Any) -> None:
    """Check this machine's hardware and say what to do next.

    Kernel, libraries, rights, GPIO, I2C, serial ports, readers, scoreboard, store and tags are checked
    against the table's wiring. No line stays claimed and no lamp lit. While the table runs, its devices are
    left alone.

    \b
    Exit codes: 0 no failure, 1 something fails, 2 bad usage, or the configuration can't be read.

    \b
    Examples:
      ligretto-table doctor
      ligretto-table doctor --profile dice4 --walk buttons --walk slots
      ligretto-table doctor --walk leds --step 0.5
      ligretto-table doctor --jitter 30
      ligretto-table doctor --simulated --walk buttons
      journalctl -u ligretto-table | ligretto-table doctor --bundle help.tar.gz --log -
    """
    if options["log"] and not options["bundle"]:
        raise click.UsageError("--log is for --bundle; add --bundle FILE.tar.gz")
    options["log"] = _log_lines(options["log"])
    if options["bundle"]:
        check_place(options["bundle"])
    system = context.obj if isinstance(context.obj, System) else System()
    if options["simulated"]:
        if not options["walks"] or options["jitter"] or options["bundle"]:
            raise click.UsageError("--simulated only rehearses walks; add --walk buttons")
        system = _rehearsed()
        profile = profile if profile or config else "dice4"
    checked = find_table(config, profile, options["game"])
    if options["walks"] and checked.profile is None:
        raise click.UsageError(
            "--walk needs to know the wiring; name it with --config FILE or --profile NAME"
        )
    with stopped_by_signals():
        context.exit(_DoctorRun(system, checked, options).run())


def _log_lines(path: Path | None) -> list[str] | None:
    """The lines of a log; None if none was named."""
    if path is None:
        return None
    try:
        log = sys.stdin.buffer.read() if str(path) == "-" else read_bytes(path, LONGEST_LOG)
    except Unreadable as error:
        raise BadSettings([f"--log {error}"]) from None
    return log.decode(errors="replace").splitlines()


def _rehearsed() -> System:
    from firmware_host.workshop.cli.rehearsal import rehearsed_system

    return rehearsed_system(1.0)


def find_table(config: Path | None, profile: str | None, game: str | None) -> CheckedTable:
    """The table to check; a TableError if what was named can't be read."""
    from firmware_host.run.table_files import load_profile

    if profile is None:
        return _configured(config, game)
    if config is not None:
        raise BadSettings(["--config and --profile can't be combined: a table.toml names its own wiring"])
    return CheckedTable(profile=load_profile(profile))


def _configured(config: Path | None, game: str | None) -> CheckedTable:
    """The table of a configuration; an empty one if none is named and none is at the usual places."""
    from firmware_host.run.table_files import NoConfig, config_path, load_config, rewired

    try:
        path = config_path(config)
    except NoConfig:
        return CheckedTable()
    try:
        read_bytes(path)
    except Unreadable as error:
        if config is None and isinstance(error, Missing):
            return CheckedTable()
        raise BadSettings([f"{error}; name a file that can be read"]) from None
    try:
        loaded = load_config(path)
    except BadSettings as error:
        return CheckedTable(config_file=str(path), faults=error.faults, store=_store_of(path))
    profiles = {name: rewired(each, loaded.config) for name, each in loaded.config.profiles.items()}
    if game is not None and game not in profiles:
        raise BadSettings([f"--game {game}: {path} has a wiring only for {' and '.join(profiles)}"])
    first = profiles.pop(game or loaded.config.game)
    return CheckedTable(
        profile=first,
        others=tuple(profiles.values()),
        config_file=str(path),
        config=loaded.config,
        registry=loaded.registry or Registry({}),
        open_seats=loaded.config.open_seats,
        store=loaded.config.store,
    )


def _store_of(path: Path) -> StoreConfig | None:
    """The store of a table.toml that has faults, if it can be found out."""
    from firmware_host.run.table_files import store_file

    try:
        file, _ = store_file(path)
    except BadSettings:
        return None
    return StoreConfig(file=file)


def _is_any(finding: Finding) -> bool:
    return True


def _is_wrong(finding: Finding) -> bool:
    """For walks: most people have seen the whole report before."""
    return finding.state in (State.WARN, State.FAIL)


def _adds_to_list(finding: Finding) -> bool:
    """What works is ticked off in the list of the walk anyway."""
    return finding.state is not State.OK or bool(finding.advice)


class _DoctorRun:
    """One run of the command: findings are printed as they come, or at the end as JSON."""

    def __init__(self, system: System, checked: CheckedTable, options: dict[str, Any]) -> None:
        self._system = system
        self._checked = checked
        self._options = options
        self._findings: list[Finding] = []
        self._facts: dict[str, Any] = {}

    def run(self) -> int:
        """The exit code."""
        options = self._options
        if options["simulated"]:
            self._aside("a rehearsal on a simulated table; this machine is not checked")
            report = CheckReport([], at_work=False)
        else:
            report = check_table(self._system, self._checked, page_stand(options["page"], self._aside))
        self._take(report.findings, shown=_is_wrong if options["walks"] else _is_any)
        for name in options["walks"]:
            self._take(self._walk(name, report), shown=_adds_to_list)
        if options["jitter"]:
            self._jitter(options["jitter"], report)
        if options["bundle"]:
            self._pack(options["bundle"], report)
        if options["as_json"]:
            click.echo(json.dumps(self._data(), indent=2, ensure_ascii=False))
        else:
            click.echo(f"\n{total_line(self._findings)}")
        return 1 if worst(self._findings) is State.FAIL else 0

    # -- its parts

    def _walk(self, name: str, report: CheckReport) -> list[Finding]:
        if report.at_work:
            return [refused(name)]
        self._aside(f"\nwalk: {name}; Ctrl-C ends it")
        limit = self._options["seconds"]
        stream = sys.stderr if self._options["as_json"] else sys.stdout
        with live_screen(stream) if can_draw(stream) else plain_screen(self._aside) as screen:
            return walked(
                name,
                self._system,
                self._checked,
                screen,
                step_ns=round(self._options["step"] * S),
                limit_ns=None if limit is None else round(limit * S),
            )

    def _jitter(self, seconds: float, report: CheckReport) -> None:
        jitter = measure_jitter(
            self._system, self._checked, seconds, alone=not report.at_work, say=self._aside
        )
        for line in jitter.lines():
            self._aside(line)
        self._facts["jitter"] = jitter.data()
        self._take(list(judge_jitter(jitter.measured, jitter.settings)))

    def _pack(self, path: Path, report: CheckReport) -> None:
        contents, packed = pack_bundle(
            self._system,
            self._checked,
            replace(report, findings=self._findings),
            self._facts,
            self._options["log"],
        )
        write_whole(path, packed, PRIVATE)
        for line in (f"\n{path}:", *contents):
            self._aside(line)

    # -- output

    def _take(self, findings: list[Finding], shown: Callable[[Finding], bool] = _is_any) -> None:
        self._findings += findings
        if not self._options["as_json"]:
            width = min(WIDTH, shutil.get_terminal_size((WIDTH, 24)).columns)
            for line in text_lines(in_order(filter(shown, findings)), width):
                click.echo(line)

    def _data(self) -> dict[str, Any]:
        profile = self._checked.profile
        facts = {
            "version": __version__,
            "config": self._checked.config_file or None,
            "profile": None if profile is None else profile.title,
        }
        return as_data(self._findings, facts | self._facts)

    def _aside(self, line: str) -> None:
        """Print what is not a finding; with --json not to the standard output."""
        click.echo(line, err=bool(self._options["as_json"]))


NEWS = 4


"""So many lines of what happened last stand below the picture."""


TICKED = "[x]"


NEXT = "\r\n "


PAUSE_S = 0.05


class _PlainScreen:
    """Prints what is new line by line."""

    def __init__(self, keys: Keyboard, say: Callable[[str], None]) -> None:
        self._keys = keys
        self._say = say
        self.walk: Walk | None = None

    @property
    def descriptors(self) -> Sequence[int]:
        return self._keys.descriptors

    def show(self, walk: Walk) -> None:
        self.walk = walk
        for line in walk.take_news():
            self._say(line)

    def wants_next(self) -> bool:
        return any(key in NEXT for key in self._keys.read())


class _LiveScreen(_PlainScreen):
    """Paints the whole picture again and again, and below it what happened last."""

    def __init__(self, keys: Keyboard, live: Live) -> None:
        self._news: deque[str] = deque(maxlen=NEWS)
        super().__init__(keys, self._news.append)
        self._live = live

    def show(self, walk: Walk) -> None:
        from rich.text import Text

        super().show(walk)
        picture = fitted(walk.picture(), self._live.console.height - NEWS - 2)
        self._live.update(Text("\n".join([*picture, "", *self._news])), refresh=True)


@contextmanager
def live_screen(stream: TextIO) -> Iterator[Screen]:
    """A picture in a terminal."""
    from rich.live import Live

    with Keyboard() as keys, Live(console=console(file=stream, highlight=False), auto_refresh=False) as live:
        yield _LiveScreen(keys, live)


@contextmanager
def plain_screen(say: Callable[[str], None]) -> Iterator[Screen]:
    """News line by line, and at the end how far the walk came."""
    with Keyboard() as keys:
        screen = _PlainScreen(keys, say)
        try:
            yield screen
        finally:
            for line in [] if screen.walk is None else screen.walk.picture():
                say(line)


def fitted(picture: list[str], room: int) -> list[str]:
    """As much of a picture as there is room for: what is ticked off goes first, and the last line never."""
    lines = list(picture)
    while len(lines) > max(room, 1):
        ticked = next((at for at, line in enumerate(lines[:-1]) if line.startswith(TICKED)), len(lines) - 2)
        del lines[ticked]
    return lines


def page_stand(seconds: float, say: Callable[[str], None]) -> Callable[[tuple[str, ...]], None]:
    """Keeps a page on the scoreboard for that long, or until a key is pressed."""

    def stand(page: tuple[str, ...]) -> None:
        if not seconds:
            return
        say(f"for {seconds:g} s the scoreboard should show:")
        for row in page:
            say(f"  [{row}]")
        until = time.monotonic() + seconds
        with Keyboard() as keys:
            while time.monotonic() < until and not keys.read():
                time.sleep(min(PAUSE_S, max(0.0, until - time.monotonic())))

    return stand
