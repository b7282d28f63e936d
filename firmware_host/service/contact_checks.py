"""Checks of inputs: which button is pressed and how it bounces, and what lies where."""

from __future__ import annotations

from firmware_host.places import Button, Call, Pad, Pile, Slot, Spot
from firmware_host.service.page import ServicePage, filled
from firmware_host.service.panel_context import PanelContext
from firmware_host.show.lamps import Tint, pile_lamp_index, slot_lamp_index
from firmware_host.show.lines import TurningLine
from firmware_host.texts import Phrase, place_text

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
