"""A wiring profile: the sole source of which line belongs to which button or slot."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from firmware_host.errors import BadSettings
from firmware_host.places import PLACES_PER_ROW, Button, Colour, Slot, Source

CHIPS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
PULLS = ("up", "down", "floating")
MOST_LINES = 54
_REVISION = re.compile(r"[0-9a-f]{4,8}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One table's wiring."""

    title: str
    game: str
    chip: str
    board: str
    pull: str
    lines: Mapping[int, Source]
    seats: int
    columns: int

    def line_of(self, source: Source) -> int:
        """The line that a button or slot is wired to."""
        return {each: line for line, each in self.lines.items()}[source]

    def renumbered(self, new_line: Mapping[int, int]) -> Profile:
        """The same table with its wires on other lines."""
        lines = {new_line.get(line, line): source for line, source in self.lines.items()}
        return replace(self, lines=lines)


_KEYS: dict[str, tuple[str, ...]] = {
    "": ("title", "game", "gpio", "buttons", "slots", "scoreboard"),
    "gpio": ("chip", "board", "pull"),
    "scoreboard": ("columns",),
    "slots": tuple(colour.word for colour in Colour),
}


def parse_profile(text: str, name: str) -> Profile:
    """The profile that a TOML text describes; BadSettings has a line for each fault in it."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings([f"{name}: {error}"]) from None
    reader = _Reader(name, data)
    profile = reader.profile()
    if reader.faults:
        raise BadSettings(reader.faults)
    return profile


class _Reader:
    """Reads on after a fault, so that all of them are told at once."""

    def __init__(self, name: str, data: dict[str, Any]) -> None:
        self.faults: list[str] = []
        self._name = name
        self._data = data
        self._lines: dict[int, Source] = {}

    def profile(self) -> Profile:
        self._check_keys("", self._data)
        gpio, scoreboard = self._section("gpio"), self._section("scoreboard")
        seats = self._buttons()
        self._slots()
        return Profile(
            title=self._text("title", self._data.get("title")),
            game=self._one_of("game", self._data.get("game"), ("dice",)),
            chip=self._one_of("gpio.chip", gpio.get("chip"), CHIPS),
            board=self._board(gpio.get("board")),
            pull=self._one_of("gpio.pull", gpio.get("pull", "up"), PULLS),
            lines=self._lines,
            seats=seats,
            columns=self._number("scoreboard.columns", scoreboard.get("columns", 20), 20, 80),
        )

    def _buttons(self) -> int:
        buttons = self._section("buttons")
        seats = range(1, len(buttons) + 1)
        if not 2 <= len(buttons) <= 4:
            self._fault("buttons", len(buttons), "2 to 4 seats for dice")
        for seat, line in buttons.items():
            if seat not in map(str, seats):
                self._fault(f"buttons.{seat}", seat, f"the seats 1 to {len(buttons)}")
            else:
                self._claim(f"buttons.{seat}", line, Button(int(seat)))
        return len(buttons)

    def _slots(self) -> None:
        slots = self._section("slots")
        for colour in Colour:
            key = f"slots.{colour.word}"
            lines = slots.get(colour.word)
            if not isinstance(lines, list) or len(lines) != PLACES_PER_ROW:
                self._fault(key, lines, f"a list of {PLACES_PER_ROW} lines")
                continue
            for number, line in enumerate(lines, start=1):
                self._claim(f"{key}[{number}]", line, Slot(colour, number))

    def _claim(self, key: str, line: object, source: Source) -> None:
        number = self._number(key, line, 0, MOST_LINES - 1)
        if number < 0:
            return
        if number in self._lines:
            self._fault(key, f"line {number}", f"a line of its own; it is taken by {self._lines[number]}")
        else:
            self._lines[number] = source

    def _section(self, name: str) -> dict[str, Any]:
        section = self._data.get(name, {})
        if not isinstance(section, dict):
            self._fault(name, section, f"a section [{name}]")
            return {}
        if name in _KEYS:
            self._check_keys(name, section)
        return section

    def _check_keys(self, section: str, keys: Iterable[str]) -> None:
        known = _KEYS[section]
        for key in keys:
            if key not in known:
                near = get_close_matches(key, known, n=1)
                hint = f"did you mean '{near[0]}'?" if near else f"known: {', '.join(known)}"
                where = f"{section}.{key}" if section else key
                self.faults.append(f"{self._name}: '{where}' is unknown; {hint}")

    def _text(self, key: str, value: object) -> str:
        if isinstance(value, str) and value:
            return value
        self._fault(key, value, "a text")
        return ""

    def _board(self, value: object) -> str:
        if isinstance(value, str) and _REVISION.fullmatch(value):
            return value
        self._fault("gpio.board", value, "the revision code of a Raspberry Pi, such as 'a020a0'")
        return ""

    def _one_of(self, key: str, value: object, allowed: tuple[str, ...]) -> str:
        if isinstance(value, str) and value in allowed:
            return value
        self._fault(key, value, " or ".join(allowed))
        return ""

    def _number(self, key: str, value: object, least: int, most: int) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self._fault(key, value, f"a number from {least} to {most}")
        return -1

    def _fault(self, key: str, found: object, allowed: str) -> None:
        what = "is missing" if found is None else f"is {found!r}"
        self.faults.append(f"{self._name}: {key} {what}; allowed: {allowed}")
