"""`demo`: a table without hardware, to play at or to watch.

The live demo is the product on a simulated table: daemon, store and pages, and anybody can take a seat. An
exhibition match is to watch, and always the same. Options that only the latter has decide which one it is.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from firmware_host.cli.terminal import can_draw
from firmware_host.lab.bots.skill import SKILLS
from firmware_host.lab.cli.exhibition import USUAL_CARD, ExhibitionOptions, play_exhibition
from firmware_host.lab.cli.live_demo import LOCAL, LiveOptions, play_live
from firmware_host.lab.cli.options import invitation, party_options, seed_or_chance, table_for
from firmware_host.lab.cli.simulated_run import Simulation
from firmware_host.lab.mishaps import KINDS, Mishap, parse_mishap
from firmware_host.model.errors import BadSettings, MalformedText

F = TypeVar("F", bound=Callable[..., Any])

FASTEST_LIVE = 100.0
"""The processes of a live demo can't keep up with more."""
PAGE_OPTIONS = ("open_browser", "web", "host", "port")
"""Only the live demo has pages."""
EXHIBITION_OPTIONS = (
    *("seed", "deal", "expert", "rates", "bounce", "noise", "late"),
    *("record", "faults", "card"),
)
"""Each of these makes it an exhibition match."""
LIVE, EXHIBITION, BOTH = (
    "Only for the live demo",
    "Each of these makes it an exhibition match",
    "For both kinds of demo",
)


def _speed(context: click.Context, parameter: click.Parameter, text: str) -> float:
    """A factor, or 0 for as fast as possible."""
    if text == "max":
        return 0.0
    try:
        speed = float(text)
    except ValueError:
        speed = -1.0
    if not 0.1 <= speed <= 1000:
        raise click.BadParameter(f"'{text}' is not a speed; give a number from 0.1 to 1000, or max")
    return speed


_OPTIONS = [
    party_options(misbehaving="all", usual_skill="beginner, or regular in an exhibition match"),
    click.option(
        "--speed",
        default="1",
        callback=_speed,
        help=f"How many times real time, or max; above {FASTEST_LIVE:g} to watch only.  [default: 1]",
    ),
    click.option("--record", type=click.Path(path_type=Path), help="Record it as a scenario for `replay`."),
    click.option(
        "--fault",
        "faults",
        multiple=True,
        metavar="'KIND WHAT [START [LENGTH]]'",
        help=f"Let a device fail, such as 'unplug scoreboard 10s 5s'; repeatable. "
        f"Kinds: {', '.join(KINDS)}.  [default: from 15s for 5s]",
    ),
    click.option(
        "--sound",
        "card",
        is_flag=False,
        flag_value=USUAL_CARD,
        metavar="[CARD]",
        help="Play its sounds, on an ALSA card if you name one.",
    ),
    click.option(
        "--dead-heat",
        is_flag=True,
        help="Dice: let two hands slap at the same microsecond, and show why one wins. The live demo does so "
        "every few seconds, an exhibition match plays to the first one at once.",
    ),
    click.option("--plain", is_flag=True, help="Print line by line, as in a pipe."),
    click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser."),
    click.option("--web/--no-web", default=True, help="Whether one can play in a browser.  [default: web]"),
    click.option(
        "--host", default=LOCAL, show_default=True, help="Where pages are; 0.0.0.0 for phones, too."
    ),
    click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True),
]


def demo_options(command: F) -> F:
    """All options of `demo`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class DemoCommand(click.Command):
    """Its help says which options are for which kind of demo."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one list of options for each kind."""
        rows: dict[str, list[tuple[str, str]]] = {BOTH: [], LIVE: [], EXHIBITION: []}
        for parameter in self.get_params(ctx):
            row = parameter.get_help_record(ctx)
            if row is not None:
                rows[_kind(parameter.name)].append(row)
        for title, each in rows.items():
            with formatter.section(title):
                formatter.write_dl(each)


def _kind(name: str | None) -> str:
    if name in PAGE_OPTIONS:
        return LIVE
    return EXHIBITION if name in EXHIBITION_OPTIONS else BOTH


# -- which kind is meant


def exhibition_reason(context: click.Context) -> str:
    """What makes it an exhibition match, as somebody would write it; empty if it is the live demo."""
    given = _given(context, EXHIBITION_OPTIONS)
    if given:
        return given[0]
    speed, skills = context.params["speed"], context.params["skills"]
    if not 0 < speed <= FASTEST_LIVE:
        return f"--speed {speed:g}" if speed else "--speed max"
    return "" if skills in SKILLS else f"--skill {skills}"


def refuse_nonsense(context: click.Context, reason: str) -> None:
    """BadSettings if options were given that can't be combined; `reason` makes it an exhibition match."""
    wrong = []
    web, pages = context.params["web"], _given(context, PAGE_OPTIONS)
    for name in pages:
        if reason and web:
            why = "that makes it an exhibition match, which has no pages"
            wrong.append(f"{name} can't be combined with {reason}: {why}")
        elif not web and name != "--web":
            wrong.append(f"{name} can't be combined with --no-web: then there are no pages")
    if reason and context.params["dead_heat"]:
        needs_time = _given(context, ("card",))
        if context.params["speed"] and is_given(context, "speed"):
            needs_time.append("--speed")
        why = "an exhibition match is played to its dead heat at once"
        wrong += [f"{name} can't be combined with --dead-heat: {why}" for name in needs_time]
    if wrong:
        raise BadSettings(wrong)


def _given(context: click.Context, names: Iterable[str]) -> list[str]:
    """Those of these options that stand on the command line, as they are written there."""
    written = {each.name: each.opts[-1] for each in context.command.params}
    return [written[name] for name in names if is_given(context, name)]


def is_given(context: click.Context, name: str) -> bool:
    """Whether that option stands on the command line."""
    return context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


DEAD_HEAT_SPEED = 3.0
"""Nobody wants to wait for the first slap."""
FIRST_SKILL = "beginner"
"""Against these people somebody who plays for the first time can win."""


@click.command(cls=DemoCommand)
@demo_options
@click.pass_context
def demo(context: click.Context, /, **options: Any) -> None:
    """Play in the browser on a simulated table, or watch simulated people play.

    The live demo is the real daemon with its store, on a table whose contacts bounce. It prints the link of a
    page where anybody can take a seat. Ctrl-C ends it; the same command resumes the match.

    An exhibition match is to watch only: one match in this process alone, on chips simulated to the
    register. Nothing is stored, and with the same --seed it is the same again. One of the options in the
    last list below is enough to get one.

    \b
    Examples of the live demo:
      ligretto-table demo --open
      ligretto-table demo --game cards --seats 12 --skill regular
      ligretto-table demo --host 0.0.0.0
      ligretto-table demo --dead-heat

    \b
    Examples of exhibition matches:
      ligretto-table demo --seed 7 --speed 4
      ligretto-table demo --game cards --seats 12 --expert --speed 4
      ligretto-table demo --sound
      ligretto-table demo --dead-heat --seed 1
      ligretto-table demo --seats 2 --skill expert,novice --lang fr
      ligretto-table demo --fault 'unplug left' --fault 'storm seat 2 30s 3s'
      ligretto-table demo --speed max --record match.txt
      ligretto-table replay match.txt
    """
    reason = exhibition_reason(context)
    refuse_nonsense(context, reason)
    if options["dead_heat"] and _table_game(options) != "dice":
        raise BadSettings(["--dead-heat is simulated with dice; leave --game cards out"])
    picture = not options["plain"] and _fits()
    if reason:
        _watch_exhibition(options, reason, picture)
    else:
        pages = (options[name] for name in ("open_browser", "web", "host", "port"))
        play_live(_simulation(context, options), LiveOptions(picture, *pages))


def _table_game(options: dict[str, Any]) -> str:
    return table_for(options["game"], options["profile"], options["seats"]).game


def _watch_exhibition(options: dict[str, Any], reason: str, picture: bool) -> None:
    asked, seed = invitation(options), seed_or_chance(options["seed"])
    shown = ExhibitionOptions(
        reason=reason,
        speed=options["speed"],
        picture=picture,
        dead_heat=options["dead_heat"],
        mishaps=_mishaps(options["faults"]),
        card=options["card"],
        record=options["record"],
    )
    play_exhibition(asked, seed, shown)


def _simulation(context: click.Context, options: dict[str, Any]) -> Simulation:
    """The table of a live demo."""
    hurried = options["dead_heat"] and not is_given(context, "speed")
    return Simulation(
        game=options["game"],
        profile=options["profile"],
        seats=options["seats"],
        skill=options["skills"] if is_given(context, "skills") else FIRST_SKILL,
        language=options["language"],
        speed=DEAD_HEAT_SPEED if hurried else options["speed"],
        seed=None,
        rounds=options["rounds"],
        dead_heats=options["dead_heat"] or None,
    )


def _mishaps(texts: tuple[str, ...]) -> tuple[Mishap, ...]:
    mishaps, wrong = [], []
    for text in texts:
        try:
            mishaps.append(parse_mishap(text))
        except MalformedText as error:
            wrong.append(f"--fault: {error}")
    if wrong:
        raise BadSettings(wrong)
    return tuple(mishaps)


def _fits() -> bool:
    """Whether there is a terminal, and the picture fits in it."""
    if not can_draw(sys.stdout):
        return False
    from rich.console import ConsoleDimensions

    from firmware_host.cli.table_view import fits, too_small

    size = ConsoleDimensions(*shutil.get_terminal_size())
    if not fits(size):
        click.echo(too_small(size))
    return fits(size)
