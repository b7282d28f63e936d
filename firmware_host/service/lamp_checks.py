"""Checks of the lamps: one after another, with its name, and all together in each colour."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from firmware_host.durations import S
from firmware_host.places import ALL_SLOTS, CARD_NUMBERS, Button, Colour, Slot
from firmware_host.service.labels import TINT_NAMES
from firmware_host.service.page import ServicePage
from firmware_host.service.panel_context import PanelContext
from firmware_host.show.lamps import (
    Tint,
    frame_length,
    panel_lamp_index,
    pile_lamp_index,
    slot_lamp_index,
    symbol_lamp_index,
)
from firmware_host.show.lines import TurningLine
from firmware_host.texts import Phrase, place_text, say

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
