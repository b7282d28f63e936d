"""What the commands for tags do with the readers: `enrol` leads through it, `read` only looks."""

from __future__ import annotations

import signal
from contextlib import closing
from random import Random

import click

from firmware_host.cli import INTERRUPTED
from firmware_host.cli.enrolling import Enrolling
from firmware_host.cli.keyboard import Keyboard
from firmware_host.cli.tag_options import TagTable
from firmware_host.cli.tag_telling import tell_health
from firmware_host.config.profile import Profile
from firmware_host.config.tags import Registry
from firmware_host.enrolment.course import Course
from firmware_host.enrolment.flow import SETTLE_NS, Flow
from firmware_host.enrolment.readers import Readers
from firmware_host.enrolment.wanted import chosen, extent
from firmware_host.errors import BadSettings
from firmware_host.places import Stranger
from firmware_host.runtime.assembly.desk import Desk, real_desk
from firmware_host.runtime.assembly.tables import settings_for
from firmware_host.settings import Settings, changed
from firmware_host.tag_text import format_spot, format_tag
from hw.ports import Health, TagRead

KEYS = "keys: s skips one, b goes back to the last one, q ends it"


def lead(
    table: TagTable,
    only: tuple[str, ...],
    reader: str | None,
    again: bool,
    language: str | None,
    speed: float | None = None,
) -> None:
    """Lead through all that is asked for; Ctrl-C and the key q end it at any time.

    With a `speed` it is a rehearsal: readers and tags are simulated, at so many times real time.
    """
    profile, file, items = table.profile, table.file, table.items
    settings = changed(table.settings, {"language": language}) if language else table.settings
    if only:
        items = chosen(only, items, f"this table has no such tags; it needs {extent(items)}")
    number = None if reader is None else _reader(profile, reader)
    course = Course(items, file.book.registry, again=again)
    has_tag = len(items) - course.left if again else len(items) - len(course.items)
    click.echo(f"{file.path}: {has_tag} of {len(items)} tags; {len(course.items)} to go through")
    if not course.items:
        click.echo("nothing is left to do; to do it again, add --again")
        return
    readers = Readers([spot.at for spot in profile.readers], number)
    alone_ns = settle_ns(profile, settings)
    flow = Flow(course, readers, alone_ns)
    _end_politely()
    opened = real_desk(profile) if speed is None else _rehearsed(profile, readers, alone_ns, speed)
    with closing(opened) as desk, Keyboard() as keys:
        if keys.descriptors:
            click.echo(KEYS)
        enrolling = Enrolling(desk, flow, file, settings.language, keys, click.echo)
        try:
            enrolling.run()
        except KeyboardInterrupt:
            _sum_up(enrolling, course)
            raise SystemExit(INTERRUPTED) from None
        _sum_up(enrolling, course)


def _rehearsed(profile: Profile, readers: Readers, alone_ns: int, speed: float) -> Desk:
    from firmware_host.cli.rehearsal import rehearsed_desk

    return rehearsed_desk(profile, readers.eligible[0], alone_ns, speed, Random())


def watch(table: TagTable) -> None:
    """Show what comes to the readers and goes, until somebody stops it."""
    profile = table.profile
    registry = Registry({}) if table.path is None else table.file.book.registry
    width = max(len(spot.name) for spot in profile.readers)
    _end_politely()
    with closing(real_desk(profile)) as desk:
        click.echo(f"{len(profile.readers)} readers; Ctrl-C ends it")
        while True:
            _show(desk, registry, width)


def settle_ns(profile: Profile, settings: Settings) -> int:
    """How long a tag has to be alone: as long as a second one may be told later, with a good margin."""
    return max(SETTLE_NS, 2 * settings_for(profile, settings).tag_settle_ns)


def _end_politely() -> None:
    """Whoever ends this by a signal gets the readers' fields off and the terminal as it was."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)


def _show(desk: Desk, registry: Registry, width: int) -> None:
    for report in desk.step(None):
        if isinstance(report, Health):
            click.echo(tell_health(report).strip())
        elif isinstance(report, TagRead):
            tag = registry.of(report.uid)
            what = "nobody has enrolled it" if isinstance(tag, Stranger) else format_tag(tag)
            name = desk.spots[report.reader].name.ljust(width)
            click.echo(f"{name}  {report.uid.hex():<20}  {what if report.present else 'is gone'}")


def _reader(profile: Profile, name: str) -> int:
    """The number of a reader by its name, or by its place."""
    known = {spot.name: number for number, spot in enumerate(profile.readers)}
    places = {format_spot(spot.at): number for number, spot in enumerate(profile.readers)}
    number = (known | places).get(name)
    if number is None:
        raise BadSettings([f"--reader {name}: there is no such reader; this table has {', '.join(known)}"])
    return number


def _sum_up(enrolling: Enrolling, course: Course) -> None:
    left = f"{course.left} left; go on with the same command" if course.left else "none left"
    click.echo(f"{enrolling.kept} enrolled now, {left}")
