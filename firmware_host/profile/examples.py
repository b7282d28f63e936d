"""A table.toml to begin with: it is valid, and shows everything that can be set."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from firmware_host.games.games import GAMES, STANDARD, VARIANTS
from firmware_host.model.plain_text import both, either
from firmware_host.model.settings import LANGUAGES, LOUDEST, TIMINGS, Settings, time_of
from firmware_host.model.times import format_duration
from firmware_host.profile.profile import (
    BOARD_SETTINGS,
    BUILD_SETTINGS,
    NONE,
    BoardSize,
    BuildChoices,
    BuildSetting,
    Profile,
    ports_of,
)
from firmware_host.profile.table import (
    AUTO_CARD,
    NO_CARD,
    SYNCS,
    USUAL_VOLUME,
    StoreConfig,
    TableConfig,
    open_seats,
)


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


_COMMENT_AT = 33
_SUGGESTED = "dice4"


def example_table(profiles: Sequence[str]) -> str:
    """The text of the example; `profiles` are the names of those that come with the package."""
    return "".join(f"{line}\n" for line in (*_top(profiles), *_timing(), *_ports(), *_sound(), *_store()))


def _top(profiles: Sequence[str]) -> Iterator[str]:
    yield "# A table: what it is, and how it is run. After a change: ligretto-table check"
    yield "# Lines with a # before them show what can be set; most show the default."
    yield ""
    yield "# How the table is wired: the path of a profile of your own, or one of those that are here:"
    yield f"# {both(sorted(profiles))}."
    yield f'wiring = "{_SUGGESTED}"'
    yield '# wiring = { dice = "dice4", cards = "cards4" }   # a table for both games'
    yield from _line('game = "dice"', "the game that is played first; needed only where there are two")
    yield ""
    yield from _line(f'language = "{Settings().language}"', either(LANGUAGES))
    yield from _line('locks = "usual"', "how hard false claims are locked: children, usual or strict")
    yield from _line('event = "Summer party"', "the name under which results are kept; usually none")
    yield from _line("player-names = true", "false: the feed does not have them, nor has any page")
    yield from _line("rounds = 12", "of a match; usually 3 for each who plays with dice, 4 with cards")
    yield from _line(f'variant = "{STANDARD}"', f"{either(VARIANTS)}: the rules of cards")
    yield from _line("handicap = [0, 0, 1, 0]", "so many dice or Ligretto cards fewer for each seat")
    yield from _line("extra = [2, 2, 0, 0]", "so many more, if others are to be dealt the rest evenly")
    yield from _line("seats = [1, 2, 3, 4]", "those that may be played at; usually all")
    yield from _line('tags = "tags.csv"', "which tag is which; a table with readers of tags needs it")
    yield from _line("brightness = 12", "0 to 15 for all LED chips; usually what the profile says")


def _timing() -> Iterator[str]:
    yield ""
    yield "[timing]  # durations: a number and ns, us, ms, s or min"
    for name, timing in TIMINGS.items():
        yield from _line(f"{name} = {quoted(format_duration(time_of(Settings(), name)))}", timing.meaning)


def _ports() -> Iterator[str]:
    yield ""
    yield "[ports]  # serial ports that are not those of the profile; ls /dev/ligretto /dev/serial/by-id"
    yield from _line(
        'scoreboard = "/dev/ligretto/port-1-1.2"', '"none" without one; also readers by name, such as pad-1'
    )


def _sound() -> Iterator[str]:
    yield ""
    yield "[sound]  # one speaker for the table; it is played as well without one"
    yield from _line(
        f"card = {quoted(AUTO_CARD)}", f'"{NO_CARD}", or what ALSA calls it: "plughw:CARD=Device"'
    )
    yield from _line(f"volume = {USUAL_VOLUME}", f"0 to {LOUDEST}; 0 is silent")


def _store() -> Iterator[str]:
    usual = StoreConfig()
    yield ""
    yield "[store]  # where the table keeps results, and the round that is being played"
    yield from _line(f"file = {quoted(usual.file)}", "")
    yield from _line(f"sync = {quoted(usual.sync)}", f"{either(SYNCS)}: when it is made safe from power cuts")
    yield from _line(f"keep-rounds = {usual.keep_rounds}", "so many can be recalled with every touch")


def _line(setting: str, meaning: str) -> Iterator[str]:
    yield f"# {setting:{_COMMENT_AT}} # {meaning}" if meaning else f"# {setting}"


# Every key of a profile, explained: for the template of a profile, and for the docs.
#
# The sections that only building needs have their own rows, in `profile.py`.


class ProfileKey(NamedTuple):
    """A key: its section (empty: above all sections), an example of its value, and its meaning."""

    section: str
    name: str
    example: str
    meaning: str


PROFILE_KEYS = tuple(
    ProfileKey(*row)
    for row in (
        ("", "title", '"Dice for four"', "the name of the table, for people"),
        ("", "game", '"dice"', "dice or cards"),
        ("", "piles", "16", "with cards: places for piles, four for each seat"),
        ("", "ownership", '"slap"', "with dice: whose a die is, by slap or by tag"),
        ("gpio", "chip", '"auto"', "the label of the GPIO chip; auto: that of whichever Pi this is"),
        ("gpio", "path", '"/dev/gpiochip0"', "the chip itself, if it has another label"),
        ("gpio", "driver", '"gpiod"', "gpiod, lgpio, rpigpio or native; gpiod has the best stamps"),
        ("gpio", "board", '"c03111"', "the revision code of the Pi: Revision in /proc/cpuinfo"),
        ("gpio", "pull", '"up"', "up: contacts pull to ground; down: to 3.3 V; floating: own resistors"),
        ("buttons", "SEAT", "5", "the GPIO line of the race button of a seat"),
        ("calls", "SEAT", "22", 'with cards: its call button; a line, or a pin such as "left A0"'),
        ("i2c", "bus", "1", "the number of the bus; 1 is GPIO 2 (data) and 3 (clock)"),
        ("i2c", "reset", "4", "the line to RESET of all expanders; usually none"),
        ("banks.NAME", "address", "0x20", "the address of an expander: 0x20 to 0x27, by its pins A0 to A2"),
        ("banks.NAME", "interrupt", "17", "the line to its INTA"),
        ("slots", "COLOUR", '["left A0", ...]', "with dice: the sensors of a row, lines or pins"),
        ("leds.NAME", "chip", '"ht16k33"', "the kind of LED chip"),
        ("leds.NAME", "address", "0x70", "its address: 0x70 to 0x77, by its jumpers"),
        ("leds.NAME", "brightness", "12", "0 to 15"),
        (
            "lamps",
            "COLOUR",
            '["rows 0 1 2", ...]',
            "with dice: the lamps of a row; one or three LEDs, or a line",
        ),
        ("lamps", "symbols", '["rows 80", ...]', "with dice: the lamps beside the rows"),
        ("lamps", "piles", '["piles 0", ...]', "with cards: the first of 13 LEDs of each pile"),
        ("lamps", "seats", '["gpio 12", ...]', "the lamps of the seats"),
        ("readers.NAME", "seat", "1", "a tag reader at a seat: its pad"),
        ("readers.NAME", "pile", "1", "... or at a pile"),
        ("readers.NAME", "slot", '"red 1"', "... or under a place of the board"),
        ("readers.NAME", "port", '"/dev/ttyUSB1"', "its serial port; better its name in /dev/ligretto"),
        ("readers.NAME", "group", "1", "readers less than 80 mm apart are one group and take turns"),
        ("scoreboard", "sign", '"cd5220"', "alpha, betabrite, cd5220, dm-d, text or vt100"),
        ("scoreboard", "port", '"/dev/ttyUSB0"', "its serial port; none: no scoreboard"),
        ("scoreboard", "columns", "20", "the letters of a line"),
        ("scoreboard", "charset", '"ascii"', "its letters, if not the usual ones of its kind"),
    )
)


def key_table() -> Iterator[str]:
    """The lines of the table in the docs: every key of a profile with an example and its meaning."""
    yield "| section | key | example | |"
    yield "|---|---|---|---|"
    for key in PROFILE_KEYS:
        section = f"`[{key.section}]`" if key.section else "(above all)"
        yield f"| {section} | `{key.name}` | `{key.example}` | {key.meaning} |"


def build_table() -> Iterator[str]:
    """The same for `[build]` and `[build.board]`, with defaults and what is allowed."""
    yield "| section | key | default | allowed | |"
    yield "|---|---|---|---|---|"
    usual = BuildChoices()
    for section, settings, values in (
        ("build", BUILD_SETTINGS, usual),
        ("build.board", BOARD_SETTINGS, usual.board),
    ):
        for key, row in settings.items():
            cells = written(getattr(values, row.field)), allowed(row) or "true or false", row.meaning
            yield f"| `[{section}]` | `{key}` | `{cells[0]}` | {cells[1]} | {cells[2]} |"


def allowed(row: BuildSetting) -> str:
    """What a key of `[build]` may be; empty for true or false."""
    if row.span:
        return f"{row.span[0]:g} to {row.span[1]:g}"
    words = row.words or tuple(f"{number:g}" for number in row.numbers)
    return either(words) if words else ""


def written(value: object) -> str:
    """A value of `[build]` as TOML writes it."""
    if isinstance(value, str):
        return quoted(value)
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


_KEY_COMMENT_AT = 35
_OVERLAYS = 'overlays = ["disable-bt"]'
_HEAD = (
    "# A profile of your own. After a change: ligretto-table wiring FILE, and ligretto-table check for",
    "# the table.toml that names it. All that can be set is explained at the end.",
)
_REFERENCE = "# All keys of a profile, with examples:"
_OWN = re.compile(
    rf"^{re.escape(_HEAD[0])}\n{re.escape(_HEAD[1])}\n\n?|^{re.escape(_REFERENCE)}\n(?:#.*\n)*", re.MULTILINE
)
"""What this module has written into a profile that is copied once more."""
_BUILD = re.compile(r"^\[build(?:\.[a-z-]+)?\].*?(?=^\[(?!build)|\Z)", re.MULTILINE | re.DOTALL)
"""The sections that only building needs."""


def example_profile(text: str, profile: Profile) -> str:
    """The text of the new profile; `text` is that of the profile to begin with."""
    own = _BUILD.sub("", _OWN.sub("", text)).strip("\n")
    parts = ((*_HEAD, "", own, ""), _reference(), _build(profile.build))
    return "".join(f"{line}\n" for part in parts for line in part)


def _reference() -> Iterator[str]:
    """All keys with their meanings, as comments."""
    yield _REFERENCE
    section = None
    for key in PROFILE_KEYS:
        if key.section != section:
            section = key.section
            yield "#"
            yield f"# [{section}]" if section else "# above all sections"
        yield f"#   {f'{key.name} = {key.example}':{_KEY_COMMENT_AT}} # {key.meaning}"


def _build(build: BuildChoices) -> Iterator[str]:
    """The sections for building: what the profile states, and the rest as comments."""
    yield ""
    yield "[build]  # only for building: parts, cables, the board. Lines with a # show the default"
    yield from _settings(BUILD_SETTINGS, build, build.given, "")
    yield _template_line(
        _overlays(build), "lines of config.txt that take GPIO lines or ports", "overlays" in build.given
    )
    yield ""
    yield "[build.board]  # where things lie, in mm"
    yield from _settings(BOARD_SETTINGS, build.board, build.given, "board.")
    places = {name: f"[{x}, {y}]" for name, (x, y) in build.board.places_mm.items()}
    yield from _named("places", "own positions: across and down", places, '"seat 1" = [120, 80]')
    yield from _named("cables", "lengths in mm", _texts(build.cables_mm), '"seat 1" = 900')
    pull_ups = _texts(build.pull_ups_ohm)
    yield from _named(
        "pull-ups", "those of SDA and SCL on a breakout, in ohm; 0: removed", pull_ups, "rows = 10000"
    )


def _settings(
    settings: Mapping[str, BuildSetting], values: BuildChoices | BoardSize, given: frozenset[str], inside: str
) -> Iterator[str]:
    for key, row in settings.items():
        words = f" ({allowed(row)})" if allowed(row) else ""
        text = f"{key} = {written(getattr(values, row.field))}"
        yield _template_line(text, f"{row.meaning}{words}", f"{inside}{row.field}" in given)


def _overlays(build: BuildChoices) -> str:
    texts = ", ".join(map(quoted, build.overlays))
    return f"overlays = [{texts}]" if "overlays" in build.given else _OVERLAYS


def _texts(numbers: Mapping[str, int]) -> dict[str, str]:
    return {name: str(number) for name, number in numbers.items()}


def _named(section: str, meaning: str, values: Mapping[str, str], example: str) -> Iterator[str]:
    yield ""
    yield f"[build.{section}]  # {meaning}"
    yield from (f"{_key(name)} = {value}" for name, value in values.items())
    yield from () if values else (f"# {example}",)


def _key(name: str) -> str:
    """A name as a key: one with spaces needs quotes."""
    return quoted(name) if " " in name else name


def _template_line(text: str, meaning: str, stated: bool) -> str:
    whole = text if stated else f"# {text}"
    return f"{whole:{_KEY_COMMENT_AT}} # {meaning}"
