"""What the commands for tags do at the readers: `enrol` leads through the worklist, `read` only looks."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import click

from firmware_host.cli import INTERRUPTED
from firmware_host.cli.terminal import Keyboard
from firmware_host.files import READABLE, decoded, read_bytes, replace_whole
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.model.places import Stranger, format_spot, format_tag
from firmware_host.model.settings import Settings, changed
from firmware_host.profile.profile import Profile
from firmware_host.profile.table import Missing, Unreadable
from firmware_host.profile.tags import Enrolled, Registry
from firmware_host.run.equipment import Report
from firmware_host.run.table_files import (
    config_path,
    load_config,
    load_profile,
    own_folder,
    rewired,
    settings_for,
)
from firmware_host.workshop.enrolling.enroller import (
    SETTLE_NS,
    Enroller,
    EnrolState,
    lines_due_ns,
    scoreboard_lines,
)
from firmware_host.workshop.enrolling.tag_station import TagStation, real_station
from firmware_host.workshop.enrolling.worklist import RegistryText, Worklist, extent, needed, select
from hw.ports import Condition, Health, TagRead


class ChangedMeanwhile(TableError):
    """Somebody else has written to the file."""


class TagFile:
    """One tags file; `text` is what stood in it when it was read or written last ('' if there was none)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = read_text(path, missing="")

    @property
    def registry_text(self) -> RegistryText:
        """What it says; BadSettings has a line for each fault in it."""
        return RegistryText(self.text, str(self.path))

    def replace(self, text: str) -> None:
        """Put this in its place, all at once: whatever happens, one of the two texts is there, and whole."""
        if read_text(self.path, missing="") != self.text:
            raise ChangedMeanwhile(f"{self.path} was changed by somebody else in the meantime; start again")
        try:
            replace_whole(self.path, text.encode(), new_mode=READABLE)  # the daemon is somebody else
        except OSError as error:
            raise _unwritable(self.path, error) from None
        self.text = text

    def back_up(self) -> Path | None:
        """A copy beside it, under a name that was free; None if there is nothing to copy."""
        if not self.text:
            return None
        for number in range(1, 1000):
            copy = self.path.with_name(f"{self.path.name}.bak{number if number > 1 else ''}")
            try:
                replace_whole(copy, self.text.encode(), new_mode=READABLE, must_be_new=True)
            except FileExistsError:
                continue
            except OSError as error:
                raise _unwritable(copy, error) from None
            return copy
        raise TableError(f"{self.path}: there are too many copies of it (*.bak); remove some")


def read_text(path: Path, missing: str | None = None) -> str:
    """The text of a file with its line ends as they are; `missing` is what it is if there is no such file."""
    try:
        return decoded(read_bytes(path), path)
    except Unreadable as error:
        if missing is None or not isinstance(error, Missing):
            raise BadSettings([str(error)]) from None
        return missing


def _unwritable(path: Path, error: OSError) -> BadSettings:
    return BadSettings([f"{path}: can't be written: {error.strerror or error}"])


@dataclass
class Enrolling:
    """The enroller at work: a tag is first written to the file, then shown."""

    station: TagStation
    enroller: Enroller
    file: TagFile
    language: str
    keys: Keyboard
    echo: Callable[[str], object] = click.echo
    saved: int = 0

    def __post_init__(self) -> None:
        self._began_ns = self.station.clock.now_ns()
        self._written = self.enroller.worklist.text

    def run(self) -> None:
        """Go on until everything was gone through, or somebody ends it."""
        self.begin()
        while self.enroller.state is not EnrolState.OVER:
            self.step()

    def begin(self) -> None:
        """Ask for the first item."""
        self.enroller.ask(self._began_ns)
        self._follow()

    def step(self) -> None:
        """Wait until something happens or is due, and do what follows from it."""
        enroller, station = self.enroller, self.station
        now_ns = station.clock.now_ns()
        lines = scoreboard_lines(enroller, self.language, station.scoreboard.columns, now_ns)
        station.scoreboard.show(lines, self.language)
        due_ns = lines_due_ns(enroller, now_ns)
        due_ns = due_ns if enroller.due_ns is None else min(due_ns, enroller.due_ns)
        reports = station.step(due_ns, self.keys.descriptors)
        now_ns = station.clock.now_ns()
        for report in reports:
            self._take(report, now_ns)
        for key in self.keys.read():
            enroller.press(key, now_ns)
        enroller.advance(now_ns)
        self._follow()

    def _take(self, report: Report, now_ns: int) -> None:
        enroller = self.enroller
        if isinstance(report, TagRead) and report.present:
            early = report.earliest_ns <= self._began_ns
            enroller.came(report.reader, report.uid.hex(), now_ns, early=early)
        elif isinstance(report, TagRead):
            enroller.went(report.reader, report.uid.hex(), now_ns)
        elif isinstance(report, Health):
            readers = [number for number, spot in enumerate(self.station.spots) if spot.name == report.name]
            if not readers or readers[0] in enroller.eligible:  # no other one matters now
                enroller.tell(_health_text(report))
            for reader in readers:
                happens = enroller.lost if report.condition is Condition.LOST else enroller.found
                happens(reader, now_ns)

    def _follow(self) -> None:
        """Write what has changed, then report it."""
        text = self.enroller.worklist.text
        if text is not self._written:
            self.file.replace(text.text)
            self._written = text
            self.saved += 1
        for message in self.enroller.messages:
            self.echo(message)
        self.enroller.messages.clear()


def enrol_tags(
    table: TagTable,
    only: tuple[str, ...],
    reader: str | None,
    again: bool,
    language: str | None,
    speed: float | None = None,
) -> None:
    """Lead through all that is asked for; Ctrl-C and the key q stop it at any time.

    With a `speed` it is a rehearsal: readers and tags are simulated, at so many times real time.
    """
    profile, file, items = table.profile, table.file, table.items
    settings = changed(table.settings, {"language": language}) if language else table.settings
    if only:
        items = select(only, items, f"this table has no such tags; it needs {extent(items)}")
    number = None if reader is None else _reader_number(profile, reader)
    worklist = Worklist(items, file.registry_text, again=again)
    todo = len(worklist.items)
    has_tag = len(items) - (worklist.left if again else todo)
    click.echo(f"{file.path}: {has_tag} of {len(items)} tags; {todo} to go through")
    if not todo:
        click.echo("nothing left to do; add --again to enrol tags again")
        return
    enroller = Enroller(worklist, profile.readers, number, settle_ns(profile, settings))
    _end_politely()
    with closing(_opened(profile, enroller, speed)) as station, Keyboard() as keys:
        if keys.descriptors:
            click.echo("keys: s skips one, b goes back to the last one, q quits")
        enrolling = Enrolling(station, enroller, file, settings.language, keys)
        interrupted = False
        try:
            enrolling.run()
        except KeyboardInterrupt:
            interrupted = True
        left = f"{worklist.left} left; continue with the same command" if worklist.left else "none left"
        click.echo(f"{enrolling.saved} enrolled now, {left}")
    if interrupted:
        raise SystemExit(INTERRUPTED)


def watch_tags(table: TagTable) -> None:
    """Show what comes to the readers and goes, until somebody stops it."""
    profile = table.profile
    registry = Registry({}) if table.path is None else table.file.registry_text.registry
    width = max(len(spot.name) for spot in profile.readers)
    _end_politely()
    with closing(real_station(profile)) as station:
        click.echo(f"{len(profile.readers)} readers; Ctrl-C ends it")
        while True:
            for report in station.step(None):
                if isinstance(report, Health):
                    click.echo(_health_text(report))
                elif isinstance(report, TagRead):
                    tag = registry.of(report.uid)
                    known = "not enrolled" if isinstance(tag, Stranger) else format_tag(tag)
                    name = profile.readers[report.reader].name.ljust(width)
                    click.echo(f"{name}  {report.uid.hex():<20}  {known if report.present else 'removed'}")


def settle_ns(profile: Profile, settings: Settings) -> int:
    """How long a tag has to be alone: as long as a second one may be reported later, with a good margin."""
    return max(SETTLE_NS, 2 * settings_for(profile, settings).tag_settle_ns)


def _opened(profile: Profile, enroller: Enroller, speed: float | None) -> TagStation:
    if speed is None:
        return real_station(profile)
    from firmware_host.workshop.cli.rehearsal import rehearsed_station

    return rehearsed_station(profile, enroller.eligible[0], enroller.settle_ns, speed, Random())


def _end_politely() -> None:
    """Let signals end it as Ctrl-C does: the readers' fields go off and the terminal is as it was."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)


def _reader_number(profile: Profile, name: str) -> int:
    """The number of a reader by its name, or by its place."""
    for number, spot in enumerate(profile.readers):
        if name in (spot.name, format_spot(spot.at)):
            return number
    names = ", ".join(spot.name for spot in profile.readers)
    raise BadSettings([f"--reader {name}: there is no such reader; this table has {names}"])


def _health_text(health: Health) -> str:
    if health.condition is Condition.OK:
        return f"{health.name} is ok"
    advice = f"; {health.advice}" if health.advice else ""
    return f"{health.name} is {health.condition.value}: {health.seen}{advice}"


F = TypeVar("F", bound=Callable[..., Any])
REHEARSED_FILE = "simulated-tags.csv"


@dataclass(frozen=True, slots=True)
class TagTable:
    """A table as far as tags matter."""

    profiles: tuple[Profile, ...]
    """The wiring for each game; that of the present game first."""
    path: Path | None
    settings: Settings

    @property
    def items(self) -> tuple[Enrolled, ...]:
        """What needs a tag at this table."""
        return needed(self.profiles)

    @property
    def profile(self) -> Profile:
        """The wiring with the readers that are at hand; BadSettings if there are none."""
        for profile in self.profiles:
            if profile.readers:
                return profile
        titles = " and ".join(f"'{profile.title}'" for profile in self.profiles)
        raise BadSettings([f"{titles} has no tag readers; its profile needs a section [readers]"])

    @property
    def file(self) -> TagFile:
        """The tags file; BadSettings if none is named."""
        if self.path is None:
            raise BadSettings(["there is no tags file; name one with --file, or as `tags` in table.toml"])
        return TagFile(self.path)


def table_options(command: F) -> F:
    """The command with the options that `tag_table` takes."""
    path = click.Path(path_type=Path)
    default = "$LIGRETTO_TABLE_CONFIG, ./table.toml, /etc/ligretto-table/table.toml"
    for name, kind, text in (
        ("--file", path, "The tags file.  [default: table.toml's]"),
        ("--profile", str, "A wiring profile instead of a table.toml; then --file is needed too."),
        ("--config", path, f"The table.toml.  [default: {default}]"),
    ):
        command = click.option(name, type=kind, help=text)(command)
    return command


def tag_table(config: Path | None, profile: str | None, file: Path | None) -> TagTable:
    """The table that the options name."""
    if profile is not None:
        if config is not None:
            raise BadSettings(
                ["--config and --profile can't be combined: a table.toml names its own profile"]
            )
        return TagTable((load_profile(profile),), file, Settings())
    table = load_config(config_path(config), tags=False).config
    games = dict.fromkeys((table.game, *table.profiles))
    profiles = tuple(rewired(table.profiles[game], table) for game in games)
    return TagTable(profiles, file or (Path(table.tags_file) if table.tags_file else None), table.settings)


def rehearsed_table(config: Path | None, profile: str | None, file: Path | None) -> TagTable:
    """The table to rehearse at, with a tags file of its own; without a name one for four with cards."""
    file = file or own_folder() / REHEARSED_FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    usual = "cards4" if config is None else None
    return replace(tag_table(config, profile or usual, file), path=file)
