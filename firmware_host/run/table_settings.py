"""The settings of a table that people choose: at the table itself, or as its operator.

What they choose is kept as a text. It wins over the configuration until the same setting is changed there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from firmware_host.games.games import GAMES
from firmware_host.model.errors import MalformedText
from firmware_host.model.phrases import LANGUAGES
from firmware_host.model.plain_text import whole_number
from firmware_host.model.settings import BRIGHTEST, LOUDEST
from firmware_host.profile.table import TableConfig
from firmware_host.profile.tags import Registry
from firmware_host.service.page import MOST_ROUNDS, Choice

ON, OFF = "on", "off"
MOST_DIFFERENCE = max(game.most_each for game in GAMES.values())
"""No seat can have more. To look for a deal with an absurd difference would take hours."""
PLAYER_NAMES = "player-names"


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A setting that people choose."""

    field: str
    """What it is called in a TableConfig."""
    read: Callable[[str, TableConfig], object]
    """What a text means; a ValueError if that makes no sense at this table."""
    allowed: Callable[[TableConfig], str]
    """What may be chosen, in words."""
    one_of: Callable[[TableConfig], Sequence[str]] = lambda config: ()
    """The texts to choose from, if there are few."""


def _one_of(text: str, known: Collection[str]) -> str:
    if text not in known:
        raise ValueError(text)
    return text


def _number(text: str, least: int, most: int) -> int:
    number = whole_number(text.removeprefix("-") if least < 0 else text)
    number = -number if number is not None and text.startswith("-") else number
    if number is None or not least <= number <= most:
        raise ValueError(text)
    return number


def _numbers(text: str, least: int, most: int) -> tuple[int, ...]:
    return tuple(_number(each, least, most) for each in text.split(",")) if text else ()


def _open_seats(text: str, config: TableConfig) -> tuple[int, ...]:
    seats = _numbers(text, 1, config.profile.seats)
    if seats and len(set(seats)) < GAMES[config.game].fewest_seats:
        raise ValueError(text)
    return seats


def _handicap(text: str, config: TableConfig) -> tuple[int, ...]:
    handicap = _numbers(text, -MOST_DIFFERENCE, MOST_DIFFERENCE)
    if len(handicap) > config.profile.seats:
        raise ValueError(text)
    return handicap


ROWS = {
    "language": SettingRow(
        "settings",
        lambda text, config: replace(config.settings, language=_one_of(text, LANGUAGES)),
        lambda config: f"one of {', '.join(LANGUAGES)}",
        lambda config: LANGUAGES,
    ),
    "brightness": SettingRow(
        "brightness",
        lambda text, config: _number(text, 0, BRIGHTEST) if text else None,
        lambda config: f"0 to {BRIGHTEST}, or nothing for what the wiring says",
        lambda config: ["", *map(str, range(BRIGHTEST + 1))],
    ),
    "volume": SettingRow(
        "volume",
        lambda text, config: _number(text, 0, LOUDEST),
        lambda config: f"0 to {LOUDEST}",
        lambda config: [str(step) for step in range(LOUDEST + 1)],
    ),
    "game": SettingRow(
        "game",
        lambda text, config: _one_of(text, config.profiles),
        lambda config: f"one of {', '.join(sorted(config.profiles))}",
        lambda config: sorted(config.profiles),
    ),
    "rounds": SettingRow(
        "rounds",
        lambda text, config: _number(text, 1, MOST_ROUNDS) if text else None,
        lambda config: f"1 to {MOST_ROUNDS}, or nothing for the usual number",
    ),
    "seats": SettingRow(
        "open_seats",
        _open_seats,
        lambda config: (
            f"at least {GAMES[config.game].fewest_seats} of the seats 1 to {config.profile.seats}, "
            "as in 1,2,4, or nothing for all"
        ),
    ),
    PLAYER_NAMES: SettingRow(
        "player_names",
        lambda text, config: _one_of(text, (ON, OFF)) == ON,
        lambda config: f"{ON} or {OFF}: whether the feed has the names of players",
        lambda config: (ON, OFF),
    ),
    "handicap": SettingRow(
        "handicap",
        _handicap,
        lambda config: (
            "how many fewer each seat is dealt, as in 0,0,2,-1 (negative: more), or nothing for none"
        ),
    ),
}
"""By what people call them. Which seats there are depends on the game, so that comes before."""


def format_choice(value: Choice) -> str:
    """The text of a choice: numbers with commas between them; empty for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return ON if value else OFF
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def configured(config: TableConfig) -> dict[str, str]:
    """What the configuration itself says of all that people choose."""
    values = {name: getattr(config, row.field) for name, row in ROWS.items()}
    return {
        name: format_choice(value)
        for name, value in (values | {"language": config.settings.language}).items()
    }


def with_choices(config: TableConfig, choices: Mapping[str, str]) -> TableConfig:
    """The configuration with all that was chosen and still makes sense; the rest is passed over."""
    for name, row in ROWS.items():
        if name in choices:
            with suppress(ValueError):
                config = replace(config, **{row.field: row.read(choices[name], config)})  # type: ignore[arg-type]
    return config


def checked_choice(config: TableConfig, name: str, value: str) -> str:
    """The value as it is kept; MalformedText says what is allowed."""
    if name not in ROWS:
        raise MalformedText(f"'{name}' can't be set here; known: {', '.join(ROWS)}")
    if configured(with_choices(config, {name: value}))[name] != value:
        raise MalformedText(f"{name} can't be '{value}'; allowed: {ROWS[name].allowed(config)}")
    return value


def known_settings(config: TableConfig) -> dict[str, dict[str, object]]:
    """The value of each setting, what is allowed in words, and the values to choose from if there are few."""
    told: dict[str, dict[str, object]] = {}
    for name, value in configured(config).items():
        told[name] = {"value": value, "allowed": ROWS[name].allowed(config)}
        if one_of := ROWS[name].one_of(config):
            told[name]["one_of"] = list(one_of)
    return told


class TableSettings:
    """The configuration of a table that plays, and the one that it will have."""

    def __init__(self, config: TableConfig, configured: TableConfig, choices: Mapping[str, str]) -> None:
        """`configured` is what table.toml says, without the `choices`, which others may change."""
        self.config = config
        """In force."""
        self.next: tuple[TableConfig, Registry | None] | None = None
        """What the next session will have, if that is something else, and the tags that go with it."""
        self._configured = configured
        self._choices = choices

    @property
    def wanted(self) -> TableConfig:
        """The configuration that the next session will have."""
        return self.config if self.next is None else self.next[0]

    def reconfigure(self, config: TableConfig, registry: Registry | None) -> None:
        """From the next session on table.toml says this."""
        self._configured = config
        self.next = with_choices(config, self._choices), registry

    def chosen(self) -> None:
        """Something else was chosen."""
        self.reconfigure(self._configured, None if self.next is None else self.next[1])
