"""What was chosen at the table itself, kept as texts.

It wins over the configuration until the same setting is changed there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from firmware_host.games.games import GAMES
from firmware_host.model.plain_text import whole_number
from firmware_host.model.settings import BRIGHTEST, LANGUAGES, LOUDEST
from firmware_host.profile.table import TableConfig
from firmware_host.service.page import MOST_ROUNDS, Choice

ON, OFF = "on", "off"
MOST_DIFFERENCE = max(game.most_each for game in GAMES.values())
"""No seat can have more. To look for a deal with an absurd difference would take hours."""
PLAYER_NAMES = "player-names"


def format_choice(value: Choice) -> str:
    """The text of a choice: numbers with commas between them; empty for None."""
    if value is None:
        return ""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def configured(config: TableConfig) -> dict[str, str]:
    """What the configuration itself says of all that can be chosen at the table."""
    return {
        "language": config.settings.language,
        "brightness": format_choice(config.brightness),
        "volume": format_choice(config.volume),
        "game": config.game,
        "rounds": format_choice(config.rounds),
        "seats": format_choice(config.open_seats),
        "handicap": format_choice(config.handicap),
        PLAYER_NAMES: ON if config.player_names else OFF,
    }


def with_choices(config: TableConfig, choices: Mapping[str, str]) -> TableConfig:
    """The configuration with all that was chosen and still makes sense; the rest is passed over."""
    language = choices.get("language")
    if language in LANGUAGES:
        config = replace(config, settings=replace(config.settings, language=language))
    game = choices.get("game")
    if game is not None and game in config.profiles:
        config = replace(config, game=game)
    bright = choices.get("brightness")
    brightness = whole_number(bright or "")
    if bright == "" or (brightness is not None and brightness <= BRIGHTEST):
        config = replace(config, brightness=brightness)
    agreed = choices.get("rounds")
    rounds = whole_number(agreed or "")
    if agreed == "" or (rounds is not None and 1 <= rounds <= MOST_ROUNDS):
        config = replace(config, rounds=rounds)
    volume = whole_number(choices.get("volume") or "")
    if volume is not None and volume <= LOUDEST:
        config = replace(config, volume=volume)
    told = choices.get(PLAYER_NAMES)
    if told in (ON, OFF):
        config = replace(config, player_names=told == ON)
    seats = config.profile.seats
    opened = choices.get("seats")
    open_seats = _numbers(opened)
    fewest = GAMES[config.game].fewest_seats
    if opened == "":
        config = replace(config, open_seats=())
    elif open_seats and all(1 <= seat <= seats for seat in open_seats) and len(set(open_seats)) >= fewest:
        config = replace(config, open_seats=open_seats)
    dealt = choices.get("handicap")
    handicap = () if dealt == "" else _numbers(dealt)
    if (
        handicap is not None
        and len(handicap) <= seats
        and all(abs(less) <= MOST_DIFFERENCE for less in handicap)
    ):
        config = replace(config, handicap=handicap)
    return config


def _signed_number(text: str) -> int | None:
    number = whole_number(text.removeprefix("-"))
    return -number if number is not None and text.startswith("-") else number


def _numbers(text: str | None) -> tuple[int, ...] | None:
    numbers = [_signed_number(part) for part in text.split(",")] if text else [None]
    known = tuple(number for number in numbers if number is not None)
    return known if len(known) == len(numbers) else None
