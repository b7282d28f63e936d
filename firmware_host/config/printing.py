"""All settings in force as the text of a table.toml, including the defaults."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from firmware_host.config.ports import NONE, ports_of
from firmware_host.config.seating import open_seats
from firmware_host.config.table import TableConfig
from firmware_host.durations import format_duration
from firmware_host.engine.games import GAMES
from firmware_host.settings import TIMINGS, time_of


def format_table(config: TableConfig) -> str:
    """The text; reading it as a table.toml gives the same settings."""
    return "".join(f"{line}\n" for line in _lines(config))


def quoted(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _lines(config: TableConfig) -> Iterator[str]:
    settings, store = config.settings, config.store
    yield f"# All settings of {config.file}"
    yield f"wiring = {_wiring(config)}"
    yield f"game = {quoted(config.game)}"
    yield f"language = {quoted(settings.language)}"
    yield f"locks = {quoted(settings.locks)}"
    yield f"event = {quoted(config.event)}"
    yield f"player-names = {str(config.player_names).lower()}"
    yield f"rounds = {config.rounds}" if config.rounds else f"# rounds: {_usual_rounds(config)}"
    yield f"variant = {quoted(config.variant)}"
    yield f"handicap = {_numbers(_without_zeros([max(0, fewer) for fewer in config.handicap]))}"
    yield f"extra = {_numbers(_without_zeros([max(0, -fewer) for fewer in config.handicap]))}"
    yield f"seats = {_numbers(_seats(config))}"
    yield f"tags = {quoted(config.tags_file)}" if config.tags_file else "# tags: none"
    if config.brightness is None:
        yield f"# brightness: {_usual_brightness(config)}"
    else:
        yield f"brightness = {config.brightness}"
    yield from ("", "[timing]")
    yield from (f"{name} = {quoted(format_duration(time_of(settings, name)))}" for name in TIMINGS)
    yield from ("", "[ports]")
    yield from _given_ports(config)
    yield from ("", "[sound]", f"card = {quoted(config.sound_card)}", f"volume = {config.volume}")
    yield from ("", "[store]", f"file = {quoted(store.file)}", f"sync = {quoted(store.sync)}")
    yield f"keep-rounds = {store.keep_rounds}"


def _wiring(config: TableConfig) -> str:
    if len(config.wiring) == 1:
        return quoted(config.wiring[config.game])
    return f"{{ {', '.join(f'{game} = {quoted(name)}' for game, name in config.wiring.items())} }}"


def _usual_rounds(config: TableConfig) -> str:
    """How many rounds a match has by default."""
    each = []
    for name in config.profiles:
        game = GAMES[name]
        rounds = f"{game.rounds} for each who plays" if game.rounds_a_seat else str(game.rounds)
        each.append(f"{rounds} with {name}")
    return ", ".join(each)


def _seats(config: TableConfig) -> Iterable[int]:
    biggest = max(config.profiles.values(), key=lambda profile: profile.seats)
    return open_seats(biggest, config.open_seats)


def _usual_brightness(config: TableConfig) -> str:
    chips = {chip.name: chip.brightness for profile in config.profiles.values() for chip in profile.led_chips}
    return ", ".join(f"{name} has {brightness}" for name, brightness in chips.items()) or "no LED chips"


def _given_ports(config: TableConfig) -> Iterator[str]:
    """The ports that differ from the profile, and the others as comments."""
    for device, port in config.ports.items():
        yield f"{device} = {quoted(port or NONE)}"
    for game, profile in config.profiles.items():
        for device, port in ports_of(profile).items():
            if device not in config.ports and port:
                yield f"# {device} = {quoted(port)}  # {config.wiring[game]}"


def _without_zeros(numbers: list[int]) -> list[int]:
    """The numbers up to the last that is not 0."""
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers


def _numbers(numbers: Iterable[int]) -> str:
    return f"[{', '.join(map(str, numbers))}]"
