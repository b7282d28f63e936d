"""An exhibition match: one match of simulated people, to watch, in this process alone.

The seed and the options fix everything that happens in it, so it can be seen again, recorded, and played with
things going wrong. Nothing of it is stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue

import click

from firmware_host.cli import INTERRUPTED
from firmware_host.cli.table_view import SeenTable
from firmware_host.cli.terminal import columns_for, console, for_terminal, wrapped
from firmware_host.cli.written import WrittenFile
from firmware_host.feed.teller import Surroundings, table_state
from firmware_host.games.games import ranking
from firmware_host.history.finish import ContestBook, Finish
from firmware_host.history.finish_lines import finish_lines
from firmware_host.lab.bots.dice_set import Dice
from firmware_host.lab.bots.page_reading import PageReader
from firmware_host.lab.chips_table import ChipTable
from firmware_host.lab.mishaps import Mishap, plan
from firmware_host.lab.operator import RivalHand
from firmware_host.lab.party import Invitation, Party, hold_party
from firmware_host.lab.tournament import Tally
from firmware_host.model.effect_text import effect_record
from firmware_host.model.effects import (
    Judged,
    MatchEnded,
    Noise,
    PhaseEntered,
    RoundStarted,
    SlotChanged,
    TieBroken,
)
from firmware_host.model.errors import BadSettings, TableError
from firmware_host.model.events import SourceEdge
from firmware_host.model.places import Button, Call
from firmware_host.model.settings import LANGUAGES
from firmware_host.model.times import S
from firmware_host.referee import Step
from firmware_host.run.devices import card_soundboard
from firmware_host.run.equipment import Soundboard
from firmware_host.show.effect_sentences import effect_sentence
from hw.clock import Clock
from hw.ports import Condition, Health
from hw.sim.agenda import PacedClock, VirtualClock

GIVE_UP_NS = 300 * S
WIDTH = 80


class NoDeadHeat(TableError):
    """These people never slapped at the same moment."""


class Photographer:
    """Folds what a table does into photo finishes, as any client of its feed."""

    def __init__(self, party: Party) -> None:
        self.book = ContestBook()
        self.dead_heat: Finish | None = None
        self._n = 0
        self.book.take({"is": "snapshot", "session": "1", "state": {}})
        party.table.shell.on_felt = self._feel
        party.table.shell.onlookers.append(self._look_on)

    def _feel(self, press: SourceEdge) -> None:
        assert isinstance(press.source, Button | Call)
        self.book.take({"is": "felt", "seat": press.source.seat, "t_ns": press.stamp.earliest_ns})

    def _look_on(self, step: Step) -> None:
        self._n += len(step.effects)
        records = [effect_record(effect) for effect in step.effects]
        for finish in self.book.take({"is": "step", "session": "1", "n": self._n, "effects": records}):
            if finish.tied:
                self.dead_heat = finish


def play_to_dead_heat(party: Party) -> Finish:
    """Play without waiting until two have slapped at the same moment; NoDeadHeat if they never do."""
    assert isinstance(party.things, Dice)
    photographer = Photographer(party)
    RivalHand(party.world, party.crowd, party.things, PageReader(LANGUAGES, str))
    while photographer.dead_heat is None:
        if party.table.loop.step(GIVE_UP_NS) >= GIVE_UP_NS:
            raise NoDeadHeat("nobody slapped at the same moment; try another --seed")
    return photographer.dead_heat


def show_dead_heat(party: Party, language: str) -> None:
    """Print what leads to a dead heat, and its photo finish."""
    party.table.shell.onlookers.append(_print_step)
    finish = play_to_dead_heat(party)
    click.echo()
    click.echo("\n".join(finish_lines(finish, language, columns_for(WIDTH))))


def _print_step(step: Step) -> None:
    for effect in step.effects:
        if isinstance(effect, Judged | TieBroken | RoundStarted | PhaseEntered):
            click.echo(f"{step.t_ns / S:9.3f}  {effect_sentence(effect)}")


USUAL_CARD = "default"
"""What ALSA plays on if nobody names a card, also where PipeWire or PulseAudio is behind it."""
FAILS_WITHIN_S = 0.5
"""A card that can't be opened is reported sooner than this."""


def demo_soundboard(card: str, seats: int) -> Soundboard | None:
    """The sounds of a demo on a card; if it can't play that is printed, and the demo goes on."""
    reports: SimpleQueue[Health] = SimpleQueue()
    soundboard = card_soundboard(card, seats, reports.put)
    if soundboard is None:
        click.echo("no sound: there is no card that plays; the demo goes on without", err=True)
        return None
    try:
        health = reports.get(timeout=FAILS_WITHIN_S)
    except Empty:
        return soundboard
    if health.condition is not Condition.OK:
        click.echo(f"no sound: {health.seen} ({health.advice}); the demo goes on without", err=True)
    return soundboard


PICTURES_A_SECOND = 15
STAMP_COLUMNS = 11


@dataclass(frozen=True, slots=True)
class ExhibitionOptions:
    """How a match is shown, and what goes wrong in it."""

    reason: str
    """The option that has made it an exhibition match."""
    speed: float
    """How many times real time; 0 for as fast as possible."""
    picture: bool
    """Whether there is a terminal to draw on."""
    dead_heat: bool = False
    """Whether it goes only to the first dead heat, at once."""
    mishaps: tuple[Mishap, ...] = ()
    card: str | None = None
    """The sound card; None for silence."""
    record: Path | None = None


@dataclass(slots=True)
class _Match:
    """A match while it is played."""

    party: Party
    tally: Tally
    results: list[MatchEnded] = field(default_factory=list)

    def over(self) -> bool:
        return bool(self.results)

    def observe(self, step: Step) -> None:
        self.tally.observe(step)
        self.results.extend(effect for effect in step.effects if isinstance(effect, MatchEnded))


def play_exhibition(asked: Invitation, seed: int, options: ExhibitionOptions) -> None:
    """Show a match to its end, and its standings; BadSettings says what can't be."""
    with _match(asked, seed, options) as match:
        click.echo(f"an exhibition match, because of {options.reason}: to watch only", err=True)
        try:
            _show(match, asked, options)
        except KeyboardInterrupt:
            click.echo(f"stopped; see the same match again with --seed {seed}")
            raise SystemExit(INTERRUPTED) from None
    if not options.dead_heat:
        _print_result(match.results[0], asked.deal, match.tally)
    click.echo(f"see it again with --seed {seed}")


def _show(match: _Match, asked: Invitation, options: ExhibitionOptions) -> None:
    if options.dead_heat:
        show_dead_heat(match.party, asked.settings.language)
        click.echo()
        return
    watch = _watch_picture if options.picture else _watch_lines
    watch(match.party, match.over, int(S * (options.speed or 60) / PICTURES_A_SECOND))


@contextmanager
def _match(asked: Invitation, seed: int, options: ExhibitionOptions) -> Iterator[_Match]:
    """The match before its first press. However it ends, it is recorded up to there."""
    paced = options.speed and not options.dead_heat
    clock: Clock = PacedClock(options.speed) if paced else VirtualClock()
    party = hold_party(asked, seed, clock=clock, chips=_has_chips(asked, options.mishaps))
    match = _Match(party, Tally())
    party.table.shell.onlookers.append(match.observe)
    if isinstance(party.table, ChipTable):
        plan(list(options.mishaps), party.table)
    soundboard = None if options.card is None else demo_soundboard(options.card, asked.profile.seats)
    party.table.shell.soundboard = soundboard
    recording = _record(party, asked, seed, options.record) if options.record else None
    try:
        yield match
    finally:
        party.close()
        if soundboard is not None:
            soundboard.close()
        if recording is not None:
            recording.put()


def _has_chips(asked: Invitation, mishaps: tuple[Mishap, ...]) -> bool:
    """Whether the devices are simulated down to the registers of their chips."""
    if asked.misbehaviour.late:  # something that the simulated chips don't do
        if mishaps:
            raise BadSettings(
                ["--fault and --late can't be combined: late edges are simulated without chips"]
            )
        return False
    # Chips light nothing where a profile wires no lamps, and nobody can play in the dark.
    if mishaps and not asked.profile.lamp_wires:
        raise BadSettings(["--fault needs simulated chips, and this profile wires no [lamps] to play by"])
    return bool(asked.profile.lamp_wires)


def _record(party: Party, asked: Invitation, seed: int, path: Path) -> WrittenFile:
    from firmware_host.lab.scenarios.recording import Recorder

    file = WrittenFile(path)
    try:
        recorder = Recorder(asked, seed, lambda text: file.write(text.encode()))
    except TableError:
        file.drop()
        raise
    party.table.loop.witnesses.append(recorder.arrived)
    party.table.shell.onlookers.append(recorder.observe)
    return file


def _run(party: Party, over: Callable[[], bool], until_ns: int) -> None:
    """Let time pass, but not beyond the end of the match."""
    while not over() and party.table.loop.step(until_ns) < until_ns:
        pass


def _watch_picture(party: Party, over: Callable[[], bool], look_every_ns: int) -> None:
    from rich.live import Live

    from firmware_host.cli.table_view import DemoView

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


def _print_result(result: MatchEnded, deal: tuple[int, ...], tally: Tally) -> None:
    click.echo("\nrank  seat  points  rounds finished first")
    for rank, seat, total in ranking(result.totals, [dice > 0 for dice in deal]):
        click.echo(f"{rank:>4}  {seat:>4}  {total:>+6d}  {tally.finishes[seat]:>21}")
    verdicts = ", ".join(f"{count} {name.replace('-', ' ')}" for name, count in tally.verdicts.most_common())
    rounds = f"{tally.rounds} round{'s' if tally.rounds != 1 else ''}"
    click.echo("\n" + "\n".join(wrapped(f"{rounds}; slaps: {verdicts}", columns_for(80))))
    if tally.margins_ns:
        closest_ms = min(tally.margins_ns) / 1e6
        click.echo(f"closest race: {closest_ms:.2f} ms; dead heats: {tally.dead_heats.total()}")


def seen_in(party: Party) -> SeenTable:
    """A table of this process, with the real light of its lamps."""
    referee = party.table.shell.referee
    state = table_state(referee, Surroundings(simulated=True), {})
    lamps = tuple((int(lamp.tint), int(lamp.beat)) for lamp in referee.lamps)
    return SeenTable(state, lamps, party.world.lines, party.world.now_ns, party.world.leds.frame)
