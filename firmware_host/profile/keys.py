"""Every key of a table.toml and of a profile, a row each: what it means, an example, and how it is written.

The readers know the names of keys from here. The example, the printed settings, the template of a profile and
the docs are made from the same rows. The keys of `[build]` have rows of their own, in `profile.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from firmware_host.games.games import GAMES, STANDARD, VARIANTS
from firmware_host.model.places import MOST_SEATS, Colour
from firmware_host.model.plain_text import both, either
from firmware_host.model.settings import LANGUAGES, LOUDEST, TIMINGS, Settings, time_of
from firmware_host.model.times import format_duration
from firmware_host.profile.profile import (
    BOARD_SETTINGS,
    BUILD_SETTINGS,
    NONE,
    SCOREBOARD,
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


def quoted(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def written(value: object) -> str:
    """A value as TOML writes it."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{name} = {written(inside)}' for name, inside in value.items())} }}"
    if isinstance(value, Sequence):
        return f"[{', '.join(map(written, value))}]"
    return f"{value:g}" if isinstance(value, float) else str(value).lower()


class Key(NamedTuple):
    """A key: its section (empty: above all sections), an example of its value, and its meaning."""

    section: str
    name: str
    example: str
    meaning: str


_STORE = StoreConfig()
TABLE_KEYS = tuple(
    Key(*row)
    for row in (
        ("", "wiring", '"dice4"', ""),
        ("", "game", '"dice"', "the game that is played first; needed only where there are two"),
        ("", "language", quoted(Settings().language), either(LANGUAGES)),
        ("", "locks", '"usual"', "how hard false claims are locked: children, usual or strict"),
        ("", "event", '"Summer party"', "the name under which results are kept; usually none"),
        ("", "player-names", "true", "false: the feed does not have them, nor has any page"),
        ("", "rounds", "12", "of a match; usually 3 for each who plays with dice, 4 with cards"),
        ("", "variant", quoted(STANDARD), f"{either(VARIANTS)}: the rules of cards"),
        ("", "handicap", "[0, 0, 1, 0]", "so many dice or Ligretto cards fewer for each seat"),
        ("", "extra", "[2, 2, 0, 0]", "so many more, if others are to be dealt the rest evenly"),
        ("", "seats", "[1, 2, 3, 4]", "those that may be played at; usually all"),
        ("", "tags", '"tags.csv"', "which tag is which; a table with readers of tags needs it"),
        ("", "brightness", "12", "0 to 15 for all LED chips; usually what the profile says"),
        *(
            ("timing", name, quoted(format_duration(time_of(Settings(), name))), timing.meaning)
            for name, timing in TIMINGS.items()
        ),
        (
            "ports",
            SCOREBOARD,
            '"/dev/ligretto/port-1-1.2"',
            f'"{NONE}" without one; also readers by name, such as pad-1',
        ),
        ("sound", "card", quoted(AUTO_CARD), f'"{NO_CARD}", or what ALSA calls it: "plughw:CARD=Device"'),
        ("sound", "volume", str(USUAL_VOLUME), f"0 to {LOUDEST}; 0 is silent"),
        ("store", "file", quoted(_STORE.file), ""),
        ("store", "sync", quoted(_STORE.sync), f"{either(SYNCS)}: when it is made safe from power cuts"),
        ("store", "keep-rounds", str(_STORE.keep_rounds), "so many can be recalled with every touch"),
    )
)
"""Those of a table.toml, in the order of the example."""
SECTIONS = {
    "timing": "durations: a number and ns, us, ms, s or min",
    "ports": "serial ports that are not those of the profile; ls /dev/ligretto /dev/serial/by-id",
    "sound": "one speaker for the table; it is played as well without one",
    "store": "where the table keeps results, and the round that is being played",
}
"""What each of its sections is about."""
TABLE_NAMES = tuple(dict.fromkeys(key.section or key.name for key in TABLE_KEYS))
"""The keys and sections above all sections."""
TABLE_SECTIONS = {"wiring": tuple(GAMES)} | {
    section: tuple(key.name for key in TABLE_KEYS if key.section == section)
    for section in SECTIONS
    if section != "ports"  # whose keys are the devices of the profiles
}
"""The keys in each section."""


def format_table(config: TableConfig) -> str:
    """The text; reading it as a table.toml gives the same settings."""
    lines = [f"# All settings of {config.file}"]
    for section in ("", *SECTIONS):
        lines += ["", f"[{section}]"] if section else []
        if section == "ports":
            lines += _given_ports(config)
        else:
            lines += (_setting(key, config) for key in TABLE_KEYS if key.section == section)
    return "".join(f"{line}\n" for line in lines)


def _setting(key: Key, config: TableConfig) -> str:
    if key.section == "timing":
        value: object = format_duration(time_of(config.settings, key.name))
    else:
        value = _VALUES.get(key.name, attrgetter(key.name.replace("-", "_")))(config)
    if key.name in _UNSET and value in (None, ""):
        return f"# {key.name}: {_UNSET[key.name](config)}"
    return f"{key.name} = {written(value)}"


def _wiring(config: TableConfig) -> Mapping[str, str] | str:
    return config.wiring if len(config.wiring) > 1 else config.wiring[config.game]


def _seats(config: TableConfig) -> Sequence[int]:
    return open_seats(max(config.profiles.values(), key=lambda each: each.seats), config.open_seats)


def _usual_rounds(config: TableConfig) -> str:
    """How many rounds a match has by default."""
    each = []
    for name in config.profiles:
        game = GAMES[name]
        rounds = f"{game.rounds} for each who plays" if game.rounds_a_seat else str(game.rounds)
        each.append(f"{rounds} with {name}")
    return ", ".join(each)


def _usual_brightness(config: TableConfig) -> str:
    chips = {chip.name: chip.brightness for profile in config.profiles.values() for chip in profile.led_chips}
    return ", ".join(f"{name} has {brightness}" for name, brightness in chips.items()) or "no LED chips"


_UNSET: Mapping[str, Callable[[TableConfig], str]] = {
    "rounds": _usual_rounds,
    "tags": lambda config: "none",
    "brightness": _usual_brightness,
}
"""What holds where a key is left out, in words."""


def without_zeros(numbers: list[int]) -> list[int]:
    """The numbers up to the last that is not 0."""
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers


_VALUES: Mapping[str, Callable[[TableConfig], object]] = {
    "wiring": _wiring,
    "language": attrgetter("settings.language"),
    "locks": attrgetter("settings.locks"),
    "handicap": lambda config: without_zeros([max(0, fewer) for fewer in config.handicap]),
    "extra": lambda config: without_zeros([max(0, -fewer) for fewer in config.handicap]),
    "seats": _seats,
    "tags": attrgetter("tags_file"),
    "card": attrgetter("sound_card"),
    "file": attrgetter("store.file"),
    "sync": attrgetter("store.sync"),
    "keep-rounds": attrgetter("store.keep_rounds"),
}
"""Where the values are that are not called like their keys."""


def _given_ports(config: TableConfig) -> Iterator[str]:
    """The ports that differ from the profile, and the others as comments."""
    for device, port in config.ports.items():
        yield f"{device} = {quoted(port or NONE)}"
    for game, profile in config.profiles.items():
        for device, port in ports_of(profile).items():
            if device not in config.ports and port:
                yield f"# {device} = {quoted(port)}  # {config.wiring[game]}"


_COMMENT_AT = 33


def example_table(profiles: Sequence[str]) -> str:
    """A table.toml to begin with: it is valid, and shows everything that can be set.

    `profiles` are the names of those that come with the package.
    """
    wiring, *keys = TABLE_KEYS
    lines = [
        "# A table: what it is, and how it is run. After a change: ligretto-table check",
        "# Lines with a # before them show what can be set; most show the default.",
        "",
        "# How the table is wired: the path of a profile of your own, or one of those that are here:",
        f"# {both(sorted(profiles))}.",
        f"{wiring.name} = {wiring.example}",
        '# wiring = { dice = "dice4", cards = "cards4" }   # a table for both games',
    ]
    section = ""
    for key in keys:
        if key.section != section:
            section = key.section
            lines += ["", f"[{section}]  # {SECTIONS[section]}"]
        setting = f"{key.name} = {key.example}"
        lines.append(f"# {setting:{_COMMENT_AT}} # {key.meaning}" if key.meaning else f"# {setting}")
        lines += [""] if key.name == "game" else []  # it goes with the wiring
    return "".join(f"{line}\n" for line in lines)


PROFILE_KEYS = tuple(
    Key(*row)
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


_STANDS_FOR = {
    "SEAT": tuple(map(str, range(1, MOST_SEATS + 1))),
    "COLOUR": tuple(colour.word for colour in Colour),
}
PROFILE_NAMES = (*dict.fromkeys(key.section.partition(".")[0] or key.name for key in PROFILE_KEYS), "build")
"""The keys and sections above all sections."""
PROFILE_SECTIONS: Mapping[str, Sequence[str]] = {
    section.replace("NAME", "*"): [
        name
        for key in PROFILE_KEYS
        if key.section == section
        for name in _STANDS_FOR.get(key.name, (key.name,))
    ]
    for section in dict.fromkeys(key.section for key in PROFILE_KEYS if key.section)
} | {"build": [*BUILD_SETTINGS, "overlays", "board", "places", "cables", "pull-ups"]}
"""The keys in each section; `banks.*` stands for each of the sections in [banks]."""
PROFILE_LISTS = tuple(dict.fromkeys(key.section for key in PROFILE_KEYS if key.example.startswith("[")))
"""The sections whose keys are lists."""
KEY_NAMES = frozenset(
    (*TABLE_NAMES, *PROFILE_NAMES, *chain(*TABLE_SECTIONS.values()), *chain(*PROFILE_SECTIONS.values()))
)
"""The names of all keys and sections."""


def allowed(row: BuildSetting) -> str:
    """What a key of `[build]` may be; empty for true or false."""
    if row.span:
        return f"{row.span[0]:g} to {row.span[1]:g}"
    words = row.words or tuple(f"{number:g}" for number in row.numbers)
    return either(words) if words else ""


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
