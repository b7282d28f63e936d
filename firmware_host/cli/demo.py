"""`demo`: a table without hardware, to play at or to watch.

The live demo is the product on a simulated table: daemon, store and pages, and anybody can take a seat. An
exhibition match is to watch, and always the same. Options that only the latter has decide which one it is.
"""

from __future__ import annotations

import shutil
import sys
from typing import Any

import click

from firmware_host.cli.demo_options import (
    DemoCommand,
    demo_options,
    exhibition_reason,
    is_given,
    refuse_nonsense,
)
from firmware_host.cli.exhibition import ExhibitionOptions, play_exhibition
from firmware_host.cli.live_demo import LiveOptions, play_live
from firmware_host.cli.options import invitation, seed_or_chance, table_for
from firmware_host.cli.simulated_run import Simulation
from firmware_host.cli.terminal import can_draw
from firmware_host.errors import BadSettings, MalformedText
from firmware_host.simulation.mishaps import Mishap, parse_mishap

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

    from firmware_host.cli.demo_view import fits, too_small

    size = ConsoleDimensions(*shutil.get_terminal_size())
    if not fits(size):
        click.echo(too_small(size))
    return fits(size)
