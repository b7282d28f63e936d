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
from firmware_host.cli.effect_sentences import effect_sentence
from firmware_host.cli.options import invitation, party_options, seed_or_chance
from firmware_host.cli.terminal import can_draw
from firmware_host.cli.widths import columns_for, for_terminal, wrapped
from firmware_host.cli.written import WrittenFile
from firmware_host.durations import S
from firmware_host.effects import MatchEnded, Noise, SlotChanged
from firmware_host.engine.scoring import ranking
from firmware_host.errors import BadSettings, MalformedText, TableError
from firmware_host.referee.step import Step
from firmware_host.runtime.assembly.chips import ChipTable
from firmware_host.simulation.mishaps import KINDS, Mishap, parse_mishap, plan
from firmware_host.simulation.party import Invitation, Party, hold_party
from firmware_host.simulation.statistics import Tally
from firmware_host.system.terminal_streams import console
from hw.clock import Clock
from hw.sim.agenda import PacedClock, VirtualClock

PICTURES_A_SECOND = 15
STAMP_COLUMNS = 11


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
@click.option("--plain", is_flag=True, help="Print line by line, as in a pipe.")
def demo(speed: float, plain: bool, record: Path | None, faults: tuple[str, ...], **options: Any) -> None:
    """Watch simulated people play a match on a simulated table.

    Buttons and sensors are simulated contacts that bounce, chips are simulated to the register;
    everything behind them is the real drivers and the real referee. Ctrl-C stops.

    \b
    Examples:
      ligretto-table demo --speed 4
      ligretto-table demo --game cards --seats 12 --expert --speed 4
      ligretto-table demo --seats 2 --skill expert,novice --lang fr --seed 7
      ligretto-table demo --fault 'unplug left' --fault 'storm seat 2 30s 3s'
      ligretto-table demo --speed max --record match.txt
      ligretto-table replay match.txt
    """
    asked = invitation(options)
    seed = seed_or_chance(options["seed"])
    tally = Tally()
    results: list[MatchEnded] = []

    def notice(step: Step) -> None:
        tally.observe(step)
        results.extend(effect for effect in step.effects if isinstance(effect, MatchEnded))

    clock: Clock = PacedClock(speed) if speed else VirtualClock()
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
    recording = _record(party, asked, seed, record) if record else None
    watch = _watch_lines if plain or not _fits() else _watch_picture
    try:
        watch(party, lambda: bool(results), int(S * (speed or 60) / PICTURES_A_SECOND))
    except KeyboardInterrupt:
        click.echo(f"stopped; see the same match again with --seed {seed}")
        raise SystemExit(INTERRUPTED) from None
    finally:
        party.close()
        if recording is not None:
            recording.put()  # a match that was stopped is recorded up to there
    _print_result(results[0], asked.deal, tally, seed)


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


def _run(party: Party, over: Callable[[], bool], until_ns: int) -> None:
    """Let time pass, but not beyond the end of the match."""
    while not over() and party.table.loop.step(until_ns) < until_ns:
        pass


def _watch_picture(party: Party, over: Callable[[], bool], look_every_ns: int) -> None:
    from rich.live import Live

    from firmware_host.cli.demo_view import DemoView

    view = DemoView(party.table.shell.referee.session.table.game.name)
    party.table.shell.onlookers.append(view.observe)
    world = party.world
    terminal = console()
    with Live(console=terminal, screen=True, auto_refresh=False) as live:
        while not over():
            _run(party, over, world.now_ns + look_every_ns)
            live.update(view.render(party, terminal.size), refresh=True)
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
