"""`demo`: a match to watch."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from firmware_host.cli import INTERRUPTED
from firmware_host.cli.demo_processes import LOCAL
from firmware_host.cli.demo_sound import USUAL_CARD, demo_soundboard
from firmware_host.cli.live_demo import LiveOptions, play_live
from firmware_host.cli.options import invitation, party_options, seed_or_chance
from firmware_host.cli.simulated_run import Simulation
from firmware_host.cli.terminal import can_draw
from firmware_host.cli.widths import columns_for, for_terminal, wrapped
from firmware_host.cli.written import WrittenFile
from firmware_host.durations import S
from firmware_host.effects import MatchEnded, Noise, SlotChanged
from firmware_host.engine.scoring import ranking
from firmware_host.errors import BadSettings, MalformedText, TableError
from firmware_host.players.skill import SKILLS
from firmware_host.referee.step import Step
from firmware_host.runtime.assembly.chips import ChipTable
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.simulation.mishaps import KINDS, Mishap, parse_mishap, plan
from firmware_host.simulation.party import Invitation, Party, hold_party
from firmware_host.simulation.statistics import Tally
from firmware_host.system.terminal_streams import console
from hw.clock import Clock
from hw.sim.agenda import PacedClock, VirtualClock

PICTURES_A_SECOND = 15
STAMP_COLUMNS = 11
DEAD_HEAT_SPEED = 3.0
"""Nobody wants to wait for the first slap."""
FIRST_SKILL = "beginner"
"""Against these people somebody who plays for the first time can win."""


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


@click.command()
@party_options(misbehaving="all")
@click.option("--speed", default="1", callback=_speed, help="How many times real time, or max.  [default: 1]")
@click.option("--record", type=click.Path(path_type=Path), help="Record it as a scenario for `replay`.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="'KIND WHAT [START [LENGTH]]'",
    help=f"Let a device fail, such as 'unplug scoreboard 10s 5s'; repeatable. "
    f"Kinds: {', '.join(KINDS)}.  [default: from 15s for 5s]",
)
@click.option(
    "--sound",
    "card",
    is_flag=False,
    flag_value=USUAL_CARD,
    metavar="[CARD]",
    help="Play its sounds, on an ALSA card if you name one.",
)
@click.option(
    "--dead-heat",
    is_flag=True,
    help="Let two hands slap at the same microsecond, and show why one wins; with --no-web here, at once.",
)
@click.option("--plain", is_flag=True, help="Print line by line, as in a pipe.")
@click.option("--open", "open_browser", is_flag=True, help="Open the page in a browser.")
@click.option("--web/--no-web", default=True, help="Whether one can play in a browser.  [default: web]")
@click.option("--host", default=LOCAL, show_default=True, help="Where pages are; 0.0.0.0 for phones, too.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True)
@click.pass_context
def demo(
    context: click.Context,
    /,
    speed: float,
    dead_heat: bool,
    plain: bool,
    record: Path | None,
    faults: tuple[str, ...],
    card: str | None,
    open_browser: bool,
    web: bool,
    host: str,
    port: int,
    **options: Any,
) -> None:
    """Play in the browser on a simulated table, or watch simulated people play.

    This is the real daemon with its store, on a table whose contacts bounce. It prints the link of a page
    where anybody can take a seat. Ctrl-C ends it; the same command resumes the match.

    With --seed, --record, --fault, --sound, --speed max or another option that only such a match has, it is
    a match to watch: in this process alone, on chips simulated to the register, and the same each time.

    \b
    Examples:
      ligretto-table demo --open
      ligretto-table demo --game cards --seats 12 --skill regular
      ligretto-table demo --host 0.0.0.0
      ligretto-table demo --dead-heat

    \b
    To watch only:
      ligretto-table demo --seed 7 --speed 4
      ligretto-table demo --game cards --seats 12 --expert --speed 4
      ligretto-table demo --sound
      ligretto-table demo --dead-heat --no-web
      ligretto-table demo --seats 2 --skill expert,novice --lang fr --seed 7
      ligretto-table demo --fault 'unplug left' --fault 'storm seat 2 30s 3s'
      ligretto-table demo --speed max --record match.txt
      ligretto-table replay match.txt
    """
    picture = not plain and _fits()
    if _is_live(context, speed, options) and (web or not dead_heat):
        shown = LiveOptions(picture, open_browser, web, host, port)
        play_live(_simulation(context, speed, options, dead_heat), shown)
        return
    asked = invitation(options)
    seed = seed_or_chance(options["seed"])
    tally = Tally()
    results: list[MatchEnded] = []

    def notice(step: Step) -> None:
        tally.observe(step)
        results.extend(effect for effect in step.effects if isinstance(effect, MatchEnded))

    clock: Clock = PacedClock(speed) if speed and not dead_heat else VirtualClock()
    mishaps = _mishaps(faults)
    delivered_late = bool(asked.misbehaviour.late)  # something that the simulated chips don't do
    if mishaps and delivered_late:
        raise BadSettings(["--fault and --late can't be combined: late edges are simulated without chips"])
    # Chips light nothing where a profile wires no lamps, and nobody can play in the dark.
    chips = not delivered_late and bool(asked.profile.lamp_wires)
    if mishaps and not chips:
        raise BadSettings(["--fault needs simulated chips, and this profile wires no [lamps] to play by"])
    party = hold_party(asked, seed, clock=clock, onlookers=[notice], chips=chips)
    if isinstance(party.table, ChipTable):
        plan(mishaps, party.table)
    soundboard = None if card is None else demo_soundboard(card, asked.profile.seats)
    party.table.shell.soundboard = soundboard
    recording = _record(party, asked, seed, record) if record else None
    if dead_heat:
        _show_dead_heat(party, asked, recording)
        click.echo(f"\nsee it again with --seed {seed}")
        return
    watch = _watch_picture if picture else _watch_lines
    try:
        watch(party, lambda: bool(results), int(S * (speed or 60) / PICTURES_A_SECOND))
    except KeyboardInterrupt:
        click.echo(f"stopped; see the same match again with --seed {seed}")
        raise SystemExit(INTERRUPTED) from None
    finally:
        party.close()
        if soundboard is not None:
            soundboard.close()
        if recording is not None:
            recording.put()  # a match that was stopped is recorded up to there
    _print_result(results[0], asked.deal, tally, seed)


_LIVE = {"game", "profile", "seats", "skills", "language", "speed", "rounds", "plain", "dead_heat"} | {
    "open_browser",
    "web",
    "host",
    "port",
}
"""The options of a demo that is played; all others make it a match that repeats exactly."""
FASTEST_LIVE = 100.0


def _is_live(context: click.Context, speed: float, options: dict[str, Any]) -> bool:
    given = {
        name
        for name in context.params
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
    }
    return given <= _LIVE and 0 < speed <= FASTEST_LIVE and options["skills"] in SKILLS


def _simulation(context: click.Context, speed: float, options: dict[str, Any], dead_heat: bool) -> Simulation:
    if dead_heat and context.get_parameter_source("speed") is not click.core.ParameterSource.COMMANDLINE:
        speed = DEAD_HEAT_SPEED
    by_default = context.get_parameter_source("skills") is not click.core.ParameterSource.COMMANDLINE
    return Simulation(
        game=options["game"],
        profile=options["profile"],
        seats=options["seats"],
        skill=FIRST_SKILL if by_default else options["skills"],
        language=options["language"],
        speed=speed,
        seed=None,
        rounds=options["rounds"],
        dead_heats=dead_heat or None,
    )


def _mishaps(texts: tuple[str, ...]) -> list[Mishap]:
    mishaps, wrong = [], []
    for text in texts:
        try:
            mishaps.append(parse_mishap(text))
        except MalformedText as error:
            wrong.append(f"--fault: {error}")
    if wrong:
        raise BadSettings(wrong)
    return mishaps


def _record(party: Party, asked: Invitation, seed: int, path: Path) -> WrittenFile:
    from firmware_host.scenario.recording import Recorder

    file = WrittenFile(path)
    try:
        recorder = Recorder(asked, seed, lambda text: file.write(text.encode()))
    except TableError:
        file.drop()
        raise
    party.table.loop.witnesses.append(recorder.arrived)
    party.table.shell.onlookers.append(recorder.observe)
    return file


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


def _show_dead_heat(party: Party, asked: Invitation, recording: WrittenFile | None) -> None:
    from firmware_host.cli.demo_dead_heat import show_dead_heat

    try:
        show_dead_heat(party, asked.settings.language)
    finally:
        party.close()
        if recording is not None:
            recording.put()


def _run(party: Party, over: Callable[[], bool], until_ns: int) -> None:
    """Let time pass, but not beyond the end of the match."""
    while not over() and party.table.loop.step(until_ns) < until_ns:
        pass


def _watch_picture(party: Party, over: Callable[[], bool], look_every_ns: int) -> None:
    from rich.live import Live

    from firmware_host.cli.demo_view import DemoView
    from firmware_host.cli.seen_table import seen_in

    view = DemoView(party.table.shell.referee.session.table.game.name)
    party.table.shell.onlookers.append(lambda step: view.observe(step.effects, step.t_ns))
    world = party.world
    terminal = console()
    with Live(console=terminal, screen=True, auto_refresh=False) as live:
        while not over():
            _run(party, over, world.now_ns + look_every_ns)
            live.update(view.render(seen_in(party), terminal.size), refresh=True)
        time.sleep(min(3.0, look_every_ns / S))


def _watch_lines(party: Party, over: Callable[[], bool], look_every_ns: int) -> None:
    def print_step(step: Step) -> None:
        for effect in step.effects:
            if not isinstance(effect, SlotChanged | Noise):
                line = f"{step.t_ns / S:9.3f}  {effect_sentence(effect)}"
                click.echo("\n".join(for_terminal(line, STAMP_COLUMNS)))

    party.table.shell.onlookers.append(print_step)
    while not over():
        _run(party, over, party.world.now_ns + look_every_ns)


def _print_result(result: MatchEnded, deal: tuple[int, ...], tally: Tally, seed: int) -> None:
    click.echo("\nrank  seat  points  rounds finished first")
    for rank, seat, total in ranking(result.totals, [dice > 0 for dice in deal]):
        click.echo(f"{rank:>4}  {seat:>4}  {total:>+6d}  {tally.finishes[seat]:>21}")
    verdicts = ", ".join(f"{count} {name.replace('-', ' ')}" for name, count in tally.verdicts.most_common())
    rounds = f"{tally.rounds} round{'s' if tally.rounds != 1 else ''}"
    click.echo("\n" + "\n".join(wrapped(f"{rounds}; slaps: {verdicts}", columns_for(80))))
    if tally.margins_ns:
        closest_ms = min(tally.margins_ns) / 1e6
        click.echo(f"closest race: {closest_ms:.2f} ms; dead heats: {tally.dead_heats.total()}")
    click.echo(f"see it again with --seed {seed}")
