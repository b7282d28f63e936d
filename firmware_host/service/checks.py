"""Checks of inputs: which button is pressed and how it bounces, and what lies where."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.model.phrases import Phrase, place_text, say
from firmware_host.model.places import ALL_SLOTS, PLACES_PER_ROW, Button, Call, Colour, Pad, Pile, Slot, Spot
from firmware_host.model.states import Condition
from firmware_host.model.times import S
from firmware_host.service.page import PanelContext, ServicePage, filled
from firmware_host.show.lamps import (
    LAMPS_A_PILE,
    ROW_TINT,
    Tint,
    frame_length,
    panel_lamp_index,
    pile_lamp_index,
    slot_lamp_index,
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


def lamp_name(language: str, lamp: int, piles: int) -> str:
    """The name of a lamp for people, by its index in the frame."""
    panels = panel_lamp_index(1, piles)
    if lamp >= panels:
        return say(language, Phrase.SEAT, seat=lamp - panels + 1)
    if piles:
        pile, number = divmod(lamp, LAMPS_A_PILE)
        if number == 0:
            return say(language, Phrase.PILE_HEAD, n=pile + 1)
        return f"{say(language, Phrase.PILE, n=pile + 1)}: {number}"
    if lamp < len(ALL_SLOTS):
        return place_text(language, ALL_SLOTS[lamp])
    return say(language, Phrase.SYMBOL, tint=say(language, Colour(lamp - len(ALL_SLOTS))))


class LampCheck(ServicePage):
    """Lights one lamp after another, each for a second; the second button jumps to the next row or pile."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._lamps = frame_length(context.info.seats, context.info.piles)
        panels = panel_lamp_index(1, context.info.piles)
        a_group = LAMPS_A_PILE if context.info.piles else PLACES_PER_ROW
        self._starts = [*range(0, panels, a_group), panels]  # of each row or pile, of symbols and panels
        self._from = 0
        self._since_ns = context.now_ns

    @property
    def _steps(self) -> int:
        return (self.context.now_ns - self._since_ns) // STEP_NS

    @property
    def _at(self) -> int:
        return (self._from + self._steps) % self._lamps

    def text(self, columns: int) -> TurningLine:
        return lamp_name(self.context.language, self._at, self.context.info.piles)

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.NEXT), self.context.say(Phrase.JUMP), self.way_back()]

    def lit(self) -> dict[int, Tint]:
        return {self._at: Tint.WHITE}

    @property
    def due_ns(self) -> int:
        return self._since_ns + (self._steps + 1) * STEP_NS

    def first(self) -> None:
        self._go((self._at + 1) % self._lamps)

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

    def __init__(self, context: PanelContext, nothing: Phrase, rows: Callable[[], list[str]]) -> None:
        super().__init__(context)
        self._nothing = nothing
        self._rows = rows
        self._at = 0

    def text(self, columns: int) -> TurningLine:
        rows = self._rows()
        if not rows:
            return self.context.say(self._nothing)
        return filled(rows[self._at % len(rows)].split(), columns)

    def hints(self) -> list[str]:
        turning = [Phrase.NEXT, Phrase.PREVIOUS] if len(self._rows()) > 1 else []
        return [*map(self.context.say, turning), self.way_back()]

    def first(self) -> None:
        self._at = (self._at + 1) % max(1, len(self._rows()))

    def second(self) -> None:
        self._at = (self._at - 1) % max(1, len(self._rows()))


def counters(context: PanelContext) -> RowsPage:
    """What the table has counted."""

    def rows() -> list[str]:
        names = {label: context.say(phrase) for label, phrase in AUDIT_NAMES.items()}
        return [f"{names.get(label, label)}: {value}" for label, value in context.info.audits]

    return RowsPage(context, Phrase.NOT_COUNTED, rows)


def devices(context: PanelContext) -> RowsPage:
    """The devices that do not work well, and what to do about it."""

    def rows() -> list[str]:
        return [
            f"{device.name}: {context.say(CONDITION_NAMES[device.condition])} {device.words}"
            for device in context.health.values()
            if device.condition in CONDITION_NAMES
        ]

    return RowsPage(context, Phrase.ALL_WELL, rows)
