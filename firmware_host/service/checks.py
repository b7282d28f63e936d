"""Checks of inputs: which button is pressed and how it bounces, and what lies where."""

from __future__ import annotations

from abc import abstractmethod
from itertools import accumulate
from typing import NamedTuple

from firmware_host.model.phrases import Phrase, place_text, say
from firmware_host.model.places import ALL_SLOTS, CARD_NUMBERS, Button, Call, Colour, Pad, Pile, Slot, Spot
from firmware_host.model.states import Condition
from firmware_host.model.times import S
from firmware_host.service.page import PanelContext, ServicePage, filled
from firmware_host.show.lamps import (
    ROW_TINT,
    Tint,
    frame_length,
    panel_lamp_index,
    pile_lamp_index,
    slot_lamp_index,
    symbol_lamp_index,
)
from firmware_host.show.pages import Lines, TurningLine

MOST_BOUNCES = 99
"""More bounces are not counted: the button is worn out anyway."""


class ButtonCheck(ServicePage):
    """Shows the last button and how often it bounced; a seat's panel lamp burns after the first press.

    A short press of the buttons that drive the panel is a test like any other; only a long press leads back.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._last: Button | Call | None = None
        self._bounces = 0
        self._came: set[Button | Call] = set()
        self._down: set[Button | Call] = set()

    def button(self, source: Button | Call, down: bool, bounces: int) -> None:
        if down:
            self._last, self._bounces = source, 0
            self._came.add(source)
            self._down.add(source)
        else:
            self._down.discard(source)
        if source == self._last:
            self._bounces += bounces

    def text(self, columns: int) -> TurningLine:
        if self._last is None:
            return self.context.say(Phrase.PRESS_ANY)
        phrase = Phrase.CALL_BUTTON if isinstance(self._last, Call) else Phrase.SEAT
        name = self.context.say(phrase, seat=self._last.seat)
        bounces = self.context.say(Phrase.BOUNCES, n=min(self._bounces, MOST_BOUNCES))
        return filled([name, bounces], columns)

    def hints(self) -> list[str]:
        info = self.context.info
        buttons = info.seats * 2 if info.call_buttons else info.seats
        return [self.way_back(), f"{len(self._came)}/{buttons}"]

    def lit(self) -> dict[int, Tint]:
        came = {self.panel_lamp(source.seat): Tint.GREEN for source in self._came}
        return came | {self.panel_lamp(source.seat): Tint.WHITE for source in self._down}


class SensorCheck(ServicePage):
    """Shows what came last, and where; a lamp burns white while something is there, and green afterwards.

    Somebody who goes from place to place presses no button, so a place that reports something for the first
    time also counts as presence.
    """

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._last: tuple[Spot, str, bool] | None = None
        self._came: set[Spot] = set()

    def noticed(self, at: Spot, what: str, there: bool) -> None:
        self._last = at, what, there
        self.context.shown_since_ns = self.context.now_ns
        if at not in self._came:
            self._came.add(at)
            self.context.note_presence()

    def text(self, columns: int) -> TurningLine:
        if self._last is None:
            return self.context.say(Phrase.PUT_DOWN if self.context.info.slots else Phrase.SHOW_TAG)
        at, what, there = self._last
        words = what.split()
        if not words:
            words = [self.context.say(Phrase.FILLED if there else Phrase.EMPTY)]
        elif not there:
            words.append(self.context.say(Phrase.TAKEN_AWAY))
        return filled([f"{self._name(at)}:", *words], columns)

    def hints(self) -> list[str]:
        return [self.way_back()]

    def lit(self) -> dict[int, Tint]:
        came = {self._lamp(at): Tint.GREEN for at in self._came}
        return came | {self._lamp(at): Tint.WHITE for at, things in self.context.lying.items() if things}

    def _name(self, at: Spot) -> str:
        if isinstance(at, Slot):
            return place_text(self.context.language, at)
        if isinstance(at, Pile):
            return self.context.say(Phrase.PILE, n=at.number)
        return self.context.say(Phrase.SEAT, seat=at.seat)

    def _lamp(self, at: Spot) -> int:
        if isinstance(at, Slot):
            return slot_lamp_index(at)
        return self.panel_lamp(at.seat) if isinstance(at, Pad) else pile_lamp_index(at.number, 0)


PATTERNS = ("1234567890", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "ÄÖÜäöüßàéèêìòùñ¿¡çïë")
"""The numbers of the columns, then the letters, then the accented letters of the six languages."""


class ScoreboardCheck(ServicePage):
    """Shows a pattern; the first button goes on to the next, through the upper line, then the lower one."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._at = 0

    def text(self, columns: int) -> TurningLine:
        pattern = PATTERNS[self._at % len(PATTERNS)]
        return (pattern * columns)[:columns]

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.NEXT), self.way_back()]

    def lines(self, columns: int) -> Lines:
        pattern, hints = self.text(columns), filled(self.hints(), columns)
        return (pattern, hints) if self._at < len(PATTERNS) else (hints, pattern)

    def first(self) -> None:
        self._at = (self._at + 1) % (2 * len(PATTERNS))


AUDIT_NAMES = {
    "matches": Phrase.MATCHES,
    "rounds": Phrase.ROUNDS,
    "void rounds": Phrase.VOID_ROUNDS,
    "dead heats": Phrase.DEAD_HEATS,
    "false claims": Phrase.FALSE_CLAIMS,
    "lost edges": Phrase.LOST_EDGES,
    "late signals": Phrase.LATE_SIGNALS,
    "faults": Phrase.FAULTS,
    "restarts": Phrase.RESTARTS,
    "unused buttons": Phrase.UNUSED_BUTTONS,
}
"""The phrases of counters by their labels; other counters are shown by their labels."""

TINT_NAMES: dict[Tint, Phrase | Colour] = {
    **{ROW_TINT[colour]: colour for colour in Colour},
    Tint.CYAN: Phrase.CYAN,
    Tint.MAGENTA: Phrase.MAGENTA,
    Tint.WHITE: Phrase.WHITE,
}

CONDITION_NAMES = {Condition.DEGRADED: Phrase.DEVICE_DEGRADED, Condition.LOST: Phrase.DEVICE_LOST}
"""The phrases for the conditions other than `ok`."""
STEP_NS = 1 * S
"""How long each lamp burns."""
TINTS = (Tint.RED, Tint.GREEN, Tint.BLUE, Tint.YELLOW, Tint.CYAN, Tint.MAGENTA, Tint.WHITE)
"""Each of the three LEDs of a lamp by itself comes first."""


class Symbol(NamedTuple):
    """The lamp behind a row's symbol."""

    colour: Colour


class CheckedLamp(NamedTuple):
    """A pile's light for a number; 0 is its head."""

    pile: int
    number: int


LampPlace = Slot | Symbol | CheckedLamp | Button


def lamp_groups(seats: int, piles: int) -> list[list[LampPlace]]:
    """All lamps of a table: row by row and the symbols, or pile by pile; then the seats' panels."""
    middle: list[list[LampPlace]]
    if piles:
        numbers = range(CARD_NUMBERS + 1)
        middle = [[CheckedLamp(pile, number) for number in numbers] for pile in range(1, piles + 1)]
    else:
        middle = [[slot for slot in ALL_SLOTS if slot.colour is colour] for colour in Colour]
        middle.append([Symbol(colour) for colour in Colour])
    return [*middle, [Button(seat) for seat in range(1, seats + 1)]]


def lamp_index(place: LampPlace, piles: int) -> int:
    """The index of a lamp in the frame."""
    if isinstance(place, Slot):
        return slot_lamp_index(place)
    if isinstance(place, Symbol):
        return symbol_lamp_index(place.colour)
    if isinstance(place, CheckedLamp):
        return pile_lamp_index(place.pile, place.number)
    return panel_lamp_index(place.seat, piles)


def lamp_name(language: str, place: LampPlace) -> str:
    """The name of a lamp for people."""
    if isinstance(place, Slot):
        return place_text(language, place)
    if isinstance(place, Symbol):
        return say(language, Phrase.SYMBOL, tint=say(language, place.colour))
    if isinstance(place, Button):
        return say(language, Phrase.SEAT, seat=place.seat)
    if place.number == 0:
        return say(language, Phrase.PILE_HEAD, n=place.pile)
    return f"{say(language, Phrase.PILE, n=place.pile)}: {place.number}"


class LampCheck(ServicePage):
    """Lights one lamp after another, each for a second; the second button jumps to the next row or pile."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        groups = lamp_groups(context.info.seats, context.info.piles)
        self._lamps = [place for group in groups for place in group]
        self._starts = list(accumulate((len(group) for group in groups[:-1]), initial=0))
        self._from = 0
        self._since_ns = context.now_ns

    @property
    def _steps(self) -> int:
        return (self.context.now_ns - self._since_ns) // STEP_NS

    @property
    def _at(self) -> int:
        return (self._from + self._steps) % len(self._lamps)

    def text(self, columns: int) -> TurningLine:
        return lamp_name(self.context.language, self._lamps[self._at])

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.NEXT), self.context.say(Phrase.JUMP), self.way_back()]

    def lit(self) -> dict[int, Tint]:
        return {lamp_index(self._lamps[self._at], self.context.info.piles): Tint.WHITE}

    @property
    def due_ns(self) -> int:
        return self._since_ns + (self._steps + 1) * STEP_NS

    def first(self) -> None:
        self._go((self._at + 1) % len(self._lamps))

    def second(self) -> None:
        self._go(min((start for start in self._starts if start > self._at), default=0))

    def _go(self, lamp: int) -> None:
        self._from, self._since_ns = lamp, self.context.now_ns


class ColourCheck(ServicePage):
    """Lights all lamps in one colour; the first button goes on to the next."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._at = 0

    def text(self, columns: int) -> TurningLine:
        return self.context.say(Phrase.ALL_LAMPS_IN, tint=self.context.say(TINT_NAMES[TINTS[self._at]]))

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.NEXT), self.way_back()]

    def lit(self) -> dict[int, Tint]:
        lamps = frame_length(self.context.info.seats, self.context.info.piles)
        return dict.fromkeys(range(lamps), TINTS[self._at])

    def first(self) -> None:
        self._at = (self._at + 1) % len(TINTS)


class RowsPage(ServicePage):
    """Rows to go through, forwards and backwards; the parts of a row that is too long take turns."""

    nothing: Phrase

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._at = 0

    @abstractmethod
    def rows(self) -> list[str]:
        """The present rows."""

    def text(self, columns: int) -> TurningLine:
        rows = self.rows()
        if not rows:
            return self.context.say(self.nothing)
        return filled(rows[self._at % len(rows)].split(), columns)

    def hints(self) -> list[str]:
        turning = [Phrase.NEXT, Phrase.PREVIOUS] if len(self.rows()) > 1 else []
        return [*map(self.context.say, turning), self.way_back()]

    def first(self) -> None:
        self._turn(1)

    def second(self) -> None:
        self._turn(-1)

    def _turn(self, by: int) -> None:
        self._at = (self._at + by) % max(1, len(self.rows()))


class CountersCheck(RowsPage):
    """What the table has counted."""

    nothing = Phrase.NOT_COUNTED

    def rows(self) -> list[str]:
        return [f"{self._name(label)}: {value}" for label, value in self.context.info.audits]

    def _name(self, label: str) -> str:
        return self.context.say(AUDIT_NAMES[label]) if label in AUDIT_NAMES else label


class DevicesCheck(RowsPage):
    """The devices that do not work well, and what to do about it."""

    nothing = Phrase.ALL_WELL

    def rows(self) -> list[str]:
        return [
            f"{device.name}: {self.context.say(CONDITION_NAMES[device.condition])} {device.words}"
            for device in self.context.health.values()
            if device.condition in CONDITION_NAMES
        ]
