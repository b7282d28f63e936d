"""What was chosen at the table itself, kept as texts.

It wins over the configuration until the same setting is changed there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from firmware_host.config.table import TableConfig
from firmware_host.engine.games import GAMES
from firmware_host.numerals import whole_number
from firmware_host.service.info import Choice
from firmware_host.settings import BRIGHTEST, LANGUAGES


def format_choice(value: Choice) -> str:
    """The text of a choice: numbers with commas between them; empty for what the profile says."""
    if value is None:
        return ""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def configured(config: TableConfig) -> dict[str, str]:
    """What the configuration itself says of all that can be chosen at the table."""
    return {
        "language": config.settings.language,
        "brightness": format_choice(config.brightness),
        "game": config.game,
        "seats": format_choice(config.open_seats),
        "handicap": format_choice(config.handicap),
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
    seats = config.profile.seats
    open_seats = _numbers(choices.get("seats"))
    fewest = GAMES[config.game].fewest_seats
    if open_seats and all(1 <= seat <= seats for seat in open_seats) and len(set(open_seats)) >= fewest:
        config = replace(config, open_seats=open_seats)
    handicap = _numbers(choices.get("handicap"))
    if handicap is not None and len(handicap) <= seats:
        config = replace(config, handicap=handicap)
    return config


def _numbers(text: str | None) -> tuple[int, ...] | None:
    numbers = [whole_number(part) for part in text.split(",")] if text else [None]
    known = tuple(number for number in numbers if number is not None)
    return known if len(known) == len(numbers) else None
