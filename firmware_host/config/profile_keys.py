"""Every key of a profile, explained: for the template of a profile, and for the docs.

The sections that only building needs have their own rows, in `build_choices.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.config.build_choices import BOARD_SETTINGS, BUILD_SETTINGS, BuildSetting, Choices
from firmware_host.config.fault_words import either
from firmware_host.config.printing import quoted


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
    usual = Choices()
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
