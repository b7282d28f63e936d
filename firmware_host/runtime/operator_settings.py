"""The settings that an operator can change while the table runs: those of service mode, as texts."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.config.table import TableConfig
from firmware_host.engine.games import GAMES
from firmware_host.errors import MalformedText
from firmware_host.runtime.kept_choices import OFF, ON, PLAYER_NAMES, configured, with_choices
from firmware_host.service.setting import MOST_ROUNDS
from firmware_host.settings import BRIGHTEST, LANGUAGES, LOUDEST

ALLOWED: dict[str, Callable[[TableConfig], str]] = {
    "language": lambda config: f"one of {', '.join(LANGUAGES)}",
    "brightness": lambda config: f"0 to {BRIGHTEST}, or nothing for what the wiring says",
    "volume": lambda config: f"0 to {LOUDEST}",
    "game": lambda config: f"one of {', '.join(sorted(config.profiles))}",
    "rounds": lambda config: f"1 to {MOST_ROUNDS}, or nothing for the usual number",
    "seats": lambda config: (
        f"at least {GAMES[config.game].fewest_seats} of the seats 1 to {config.profile.seats}, as in 1,2,4, "
        "or nothing for all"
    ),
    PLAYER_NAMES: lambda config: f"{ON} or {OFF}: whether the feed has the names of players",
    "handicap": lambda config: (
        "how many fewer each seat is dealt, as in 0,0,2,-1 (negative: more), or nothing for none"
    ),
}


def checked_choice(config: TableConfig, name: str, value: str) -> str:
    """The value as it is kept; MalformedText says what is allowed."""
    if name not in ALLOWED:
        raise MalformedText(f"'{name}' can't be set here; known: {', '.join(ALLOWED)}")
    changed = with_choices(config, {name: value})
    if configured(changed)[name] != value:
        raise MalformedText(f"{name} can't be '{value}'; allowed: {ALLOWED[name](config)}")
    return value


def known_settings(config: TableConfig) -> dict[str, dict[str, object]]:
    """The value of each setting, what is allowed in words, and the values to choose from if there are few."""
    values = configured(config)
    few = {"language": list(LANGUAGES), "game": sorted(config.profiles)}
    few[PLAYER_NAMES] = [ON, OFF]
    few["volume"] = [str(step) for step in range(LOUDEST + 1)]
    few["brightness"] = ["", *(str(step) for step in range(BRIGHTEST + 1))]
    return {
        name: {"value": values[name], "allowed": allowed(config)}
        | ({"one_of": few[name]} if name in few else {})
        for name, allowed in ALLOWED.items()
    }
