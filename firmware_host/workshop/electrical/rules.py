"""All rules of electrical sense, and what they find at a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from firmware_host.profile.profile import Profile
from firmware_host.workshop.drawing.board_drawing import Mark
from firmware_host.workshop.electrical.built import (
    Built,
    Finding,
    Rule,
    Strength,
    Trouble,
    built_of,
    findings_of,
)
from firmware_host.workshop.electrical.bus import (
    BUS_SPEED,
    EXPANDERS,
    HALL_SENSORS,
    LED_CHIPS,
    LED_MATRIX,
    PULL_UPS,
)
from firmware_host.workshop.electrical.lines import BUTTON_LAMPS, CONTACTS, FIXED_LINES, OVERLAY_LINES
from firmware_host.workshop.electrical.power import FUSES, POWER_RAILS
from firmware_host.workshop.electrical.serial import (
    READER_LINKS,
    READER_SPACING,
    SIGN_LINKS,
    UART_PORTS,
    USB_DEVICES,
)
from firmware_host.workshop.plan.planning import wiring_plan

_BOARD = "build.board"


def _off(built: Built) -> Iterator[Trouble]:
    """For each own position, and for the sizes of the board, what is not on it."""
    width, height = built.board_mm
    found: dict[str, list[str]] = {}
    for mark in built.marks:
        area = mark.area
        if area.left < 0 or area.top < 0 or area.right > width or area.bottom > height:
            found.setdefault(_key(built, mark), []).append(mark.thing)
    for where, (first, *others) in found.items():
        words = f"{first} is off the board, which is {width:g} x {height:g} mm"
        yield Trouble(where, f"{words}{_more(len(others))}")


def _overlapping(built: Built) -> Iterator[Trouble]:
    """The same for what lies on each other."""
    found: dict[str, list[str]] = {}
    for one, other in _pairs(built.marks):
        keys = (_key(built, one), _key(built, other))
        where = next((key for key in keys if key != _BOARD), _BOARD)
        found.setdefault(where, []).append(f"{one.thing} lies on {other.thing}")
    for where, (first, *others) in found.items():
        yield Trouble(where, f"{first}{_more(len(others))}")


def _pairs(marks: Iterable[Mark]) -> Iterator[tuple[Mark, Mark]]:
    """Those that overlap: each is compared with those that begin left of its right edge."""
    begun: list[Mark] = []
    for mark in sorted(marks, key=lambda each: each.area.left):
        begun = [each for each in begun if each.area.right > mark.area.left]
        for other in begun:
            if mark.area.overlaps(other.area) and not _belong_together(mark, other):
                yield other, mark
        begun.append(mark)


def _belong_together(one: Mark, other: Mark) -> bool:
    """Whether one is a reader below a place or a pile, which is in the middle of it."""
    return one.at == other.at and (one.covered or other.covered)


def _key(built: Built, mark: Mark) -> str:
    """The own position that a mark has, or else the sizes of the board."""
    kind, _, rest = mark.thing.removeprefix("lamp ").partition(" ")
    words = f"seat {rest or kind}" if kind in ("button", "call") or kind.isdigit() else f"{kind} {rest}"
    for reader in built.profile.readers:
        if reader.name == mark.thing:
            words = str(reader.at).replace("pad ", "seat ")
    for name in built.choices.board.places_mm:
        if words == name or words.startswith(f"{name} "):
            return f"build.places.{name}"
    return _BOARD


def _more(count: int) -> str:
    return f"; {count} more like it" if count else ""


BOARD_ROOM = (
    Rule(
        name="off-the-board",
        strength=Strength.WARNING,
        what="things that are off the board, or stand out over its edge",
        why="the board ends before it, so there is nothing to fix it to",
        right="positions on the board, or more margin-mm; the drawing board.svg shows where everything lies",
        rests_on=("board",),
        look=_off,
    ),
    Rule(
        name="overlaps",
        strength=Strength.WARNING,
        what="places, holes and readers that lie on each other",
        why="two things can't be at one place, and two holes that touch are one",
        right="more pitch-mm, row-pitch-mm or margin-mm, or other positions in [build.places]",
        rests_on=("board",),
        look=_overlapping,
    ),
)


RULES: tuple[Rule, ...] = (
    *EXPANDERS,
    *LED_CHIPS,
    *PULL_UPS,
    *BUS_SPEED,
    *HALL_SENSORS,
    *CONTACTS,
    *FIXED_LINES,
    *OVERLAY_LINES,
    *UART_PORTS,
    *BUTTON_LAMPS,
    *LED_MATRIX,
    *SIGN_LINKS,
    *READER_LINKS,
    *READER_SPACING,
    *BOARD_ROOM,
    *USB_DEVICES,
    *POWER_RAILS,
    *FUSES,
)
"""In the order in which a table is wired."""


def judged(profile: Profile) -> tuple[Finding, ...]:
    """What is electrically wrong at a table, errors first."""
    built = built_of(profile, wiring_plan(profile))
    found = [finding for rule in RULES for finding in findings_of(rule, built)]
    return tuple(sorted(found, key=lambda finding: finding.strength is not Strength.ERROR))


_VALUE = r'(?:"[^"]*"|\[[^]]*\]|[0-9.]*[0-9])'
_SETTING = re.compile(rf"([a-z0-9-]+ = {_VALUE}|dtoverlay=\S+|dtparam=\S+|/dev/\w+|/boot/\S+\w)")
"""What is code in the docs: keys with their values, and paths."""
_HEADS = {Strength.ERROR: "Errors", Strength.WARNING: "Warnings"}


def rule_tables() -> Iterator[str]:
    """The lines of a Markdown table for each strength, errors first."""
    for strength, head in _HEADS.items():
        yield from (f"### {head}", "", "| what | why | what to do |", "|---|---|---|")
        yield from (_row(rule) for rule in RULES if rule.strength is strength)
        yield ""


def _row(rule: Rule) -> str:
    cells = (rule.what, rule.why, rule.right)
    return "| " + " | ".join(_sentence(cell) for cell in cells) + " |"


def _sentence(text: str) -> str:
    """A cell, with keys and their values as code; it begins with a capital, unless a key comes first."""
    marked = _SETTING.sub(r"`\1`", text)
    return marked[0].upper() + marked[1:] if marked.split()[0].isalpha() else marked
