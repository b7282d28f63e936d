"""The options of `run` that only a simulated table has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from firmware_host.engine.games import GAMES
from firmware_host.errors import BadSettings
from firmware_host.players.skill import SKILLS
from firmware_host.settings import LANGUAGES

F = TypeVar("F", bound=Callable[..., Any])
_NAMES = {"language": "lang", "dead_heats": "dead-heats"}
_OPTIONS = {
    "game": click.option("--game", type=click.Choice(list(GAMES)), help="[default: dice]"),
    "profile": click.option("--profile", help="Wiring profile.  [default: by game and seats]"),
    "seats": click.option("--seats", type=click.IntRange(2, 12), help="How many play.  [default: 4]"),
    "skill": click.option(
        "--skill", type=click.Choice(list(SKILLS)), help="How well they play.  [default: regular]"
    ),
    "language": click.option("--lang", "language", type=click.Choice(LANGUAGES), help="[default: en]"),
    "speed": click.option(
        "--speed", type=click.FloatRange(0.1, 100), help="How many times real time.  [default: 1]"
    ),
    "rounds": click.option(
        "--rounds", type=click.IntRange(min=1), help="Rounds of a match.  [default: by game and seats]"
    ),
    "seed": click.option(
        "--seed", type=click.IntRange(min=0), help="Seed of the simulated people.  [default: random]"
    ),
    "dead_heats": click.option(
        "--dead-heats",
        is_flag=True,
        default=None,
        help="Dice: every few seconds two hands slap at the same microsecond.",
    ),
}


def simulation_options(command: F) -> F:
    """The options that only a simulated table has."""
    for option in reversed(_OPTIONS.values()):
        command = option(command)
    return command


def refuse_all(options: dict[str, Any]) -> None:
    """BadSettings if any of them was given for another table."""
    given = [_NAMES.get(name, name) for name, value in options.items() if value is not None]
    if given:
        names = ", ".join(f"--{name}" for name in given)
        raise BadSettings([f"{names}: only for a simulated table; add --simulated, without a socket"])
