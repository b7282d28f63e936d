"""An exhibition match with `--dead-heat`: it goes on until two have slapped in the same moment."""

from __future__ import annotations

import click

from firmware_host.cli.widths import columns_for
from firmware_host.durations import S
from firmware_host.effect_text import effect_record
from firmware_host.effects import Judged, PhaseEntered, RoundStarted, TieBroken
from firmware_host.errors import TableError
from firmware_host.events import Signal
from firmware_host.places import Button, Call
from firmware_host.players.dice_set import Dice
from firmware_host.players.page_reading import PageReader
from firmware_host.recall.contest_book import ContestBook
from firmware_host.recall.finish import Finish
from firmware_host.recall.finish_lines import finish_lines
from firmware_host.referee.step import Step
from firmware_host.settings import LANGUAGES
from firmware_host.show.effect_sentences import effect_sentence
from firmware_host.simulation.dead_heat import RivalHand
from firmware_host.simulation.party import Party

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

    def _feel(self, press: Signal) -> None:
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
