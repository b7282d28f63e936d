"""Service mode while it is open: buttons and time go in, two lines and lamps come out, an outcome at the end.

Two buttons do everything, since a table may have only two. The first seat's goes on, or back when it is held;
the second seat's enters or changes something. A short press counts when the button comes up, since only
then it is certain that it was not a long one. A press counts only on the page on which it began: nobody
confirms anything with a button that was down before the question was shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from firmware_host.model.events import SourceEdge
from firmware_host.model.phrases import Phrase
from firmware_host.model.places import Button, Call, Slot, Source, Spot
from firmware_host.model.states import DeviceCondition
from firmware_host.model.times import MS, S
from firmware_host.service.checks import (
    ButtonCheck,
    ColourCheck,
    LampCheck,
    ScoreboardCheck,
    SensorCheck,
    counters,
    devices,
)
from firmware_host.service.page import (
    FIRST,
    SECOND,
    BrightnessSetting,
    HandicapSetting,
    Outcome,
    PanelContext,
    PanelInfo,
    Question,
    SeatSetting,
    ServicePage,
    game_setting,
    language_setting,
    rounds_setting,
    volume_setting,
)
from firmware_host.show.lamps import Tint, frame_length
from firmware_host.show.pages import TURN_NS, TurningLine

PageMaker = Callable[[PanelContext], ServicePage]


class MenuEntry(ServicePage):
    """An entry of a menu that leads somewhere."""

    def __init__(self, context: PanelContext, title: Phrase, enter: Callable[[], None]) -> None:
        super().__init__(context)
        self._title = title
        self._enter = enter

    def text(self, columns: int) -> TurningLine:
        return self.context.say(self._title)

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.OK)]

    def second(self) -> None:
        self._enter()


class Menu(ServicePage):
    """Entries that the first button goes through in a circle; the present entry does the rest."""

    def __init__(self, context: PanelContext, entries: Sequence[ServicePage]) -> None:
        super().__init__(context)
        self._entries = entries
        self._at = 0

    @property
    def _entry(self) -> ServicePage:
        return self._entries[self._at]

    def text(self, columns: int) -> TurningLine:
        return self._entry.text(columns)

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.NEXT), *self._entry.hints(), self.way_back()]

    def lit(self) -> dict[int, Tint]:
        return self._entry.lit()

    def first(self) -> None:
        self._entry.left()
        self._at = (self._at + 1) % len(self._entries)

    def second(self) -> None:
        self._entry.second()

    def left(self) -> None:
        self._entry.left()


def main_menu(context: PanelContext) -> ServicePage:
    """The menu of everything that service mode can do now."""

    def void_round() -> None:
        context.close(void_round=True)

    def end_match() -> None:
        context.close(end_match=True)

    entries: list[ServicePage] = [
        _leading_to(context, Phrase.TESTS, checks_menu),
        _leading_to(context, Phrase.AUDITS, counters),
        _leading_to(context, Phrase.SETTINGS, settings_menu),
    ]
    if context.info.round_running:
        sure = Question(context, Phrase.VOID_SURE, void_round)
        entries.append(_leading_to(context, Phrase.VOID_ROUND, lambda _: sure))
    if context.info.match_running:
        certain = Question(context, Phrase.END_SURE, end_match)
        entries.append(_leading_to(context, Phrase.END_MATCH, lambda _: certain))
    return Menu(context, [*entries, MenuEntry(context, Phrase.LEAVE_SERVICE, context.close)])


def checks_menu(context: PanelContext) -> ServicePage:
    """The menu of the tests that make sense on this table."""
    tests: list[tuple[Phrase, PageMaker]] = [
        (Phrase.LAMPS, LampCheck),
        (Phrase.COLOURS, ColourCheck),
        (Phrase.BUTTONS, ButtonCheck),
    ]
    if context.info.slots or context.info.readers:
        tests.append((Phrase.SENSORS, SensorCheck))
    tests += [(Phrase.SCOREBOARD, ScoreboardCheck), (Phrase.DEVICES, devices)]
    return Menu(context, [_leading_to(context, title, page) for title, page in tests])


def settings_menu(context: PanelContext) -> ServicePage:
    """The menu of settings; those of seats have menus of their own."""
    seats = range(1, context.info.seats + 1)
    entries: list[ServicePage] = [language_setting(context), BrightnessSetting(context)]
    if context.info.volume is not None:
        entries.append(volume_setting(context))
    if len(context.info.games) > 1:
        entries.append(game_setting(context))
    entries += [
        rounds_setting(context),
        _leading_to(context, Phrase.SEATS, lambda _: Menu(context, [SeatSetting(context, s) for s in seats])),
        _leading_to(
            context, Phrase.HANDICAPS, lambda _: Menu(context, [HandicapSetting(context, s) for s in seats])
        ),
    ]
    return Menu(context, entries)


def _leading_to(context: PanelContext, title: Phrase, page: PageMaker) -> MenuEntry:
    return MenuEntry(context, title, lambda: context.open(page(context)))


HOLD_NS = 1 * S
"""A press of this length is a long one; that of the first button leads back."""
CONFIRM_NS = 2 * S
"""How long the second button has to be held to confirm."""
ALONE_NS = 60 * S
"""Service mode is left when nobody has pressed anything for this long."""


class Panel:
    """Opens with the main menu. With an `outcome` it is closed, and inputs have no meaning any more."""

    def __init__(self, info: PanelInfo, now_ns: int) -> None:
        self._context = PanelContext(info, now_ns)
        self._context.open(main_menu(self._context))
        self._down: dict[int, int] = {}
        self._edges: Counter[Source] = Counter()

    # -- what comes in

    def press(self, seat: int, call: bool, now_ns: int) -> None:
        """A seat's button went down: its race button, or its call button."""
        if not self._is_open(now_ns):
            return
        self._context.note_presence()
        self._button(seat, call, down=True)
        if not call and seat in (FIRST, SECOND):
            self._down[seat] = self._context.now_ns

    def release(self, seat: int, call: bool, now_ns: int) -> None:
        """A seat's button came up again."""
        if not self._is_open(now_ns):
            return
        self._button(seat, call, down=False)
        down_ns = None if call else self._down.pop(seat, None)
        if down_ns is not None and self._context.now_ns < down_ns + HOLD_NS:
            page = self._context.page
            self._act(page.first if seat == FIRST else page.second)

    def contact(self, source: Source, active: bool, now_ns: int) -> None:
        """A raw change of any contact; those of buttons are counted, to show how they bounce."""
        if not self._is_open(now_ns):
            return
        if isinstance(source, Slot):
            self._notice(source, "", active)
        else:
            self._edges[source] += 1

    def tag(self, at: Spot, tag_text: str, present: bool, now_ns: int) -> None:
        """A tag came to a reader, or went away."""
        if self._is_open(now_ns):
            self._notice(at, tag_text, present)

    def health(self, device: DeviceCondition) -> None:
        """The condition of a device has changed."""
        self._context.health[device.name] = device

    def tick(self, now_ns: int) -> None:
        """Do everything that is due by now."""
        context = self._context
        while context.outcome is None:
            moment_ns, _, happen = self._next_timeout()
            if moment_ns > now_ns:
                context.now_ns = max(context.now_ns, now_ns)
                return
            context.now_ns = max(context.now_ns, moment_ns)
            self._act(happen)

    # -- what comes out

    @property
    def due_ns(self) -> int | None:
        """When `tick` is needed next, or lines or lamps may change; None when the panel is closed."""
        context = self._context
        if context.outcome is not None:
            return None
        turns = (context.now_ns - context.shown_since_ns) // TURN_NS
        moments = [self._next_timeout()[0], context.shown_since_ns + (turns + 1) * TURN_NS]
        page_ns = context.page.due_ns
        return min(moments if page_ns is None else [*moments, page_ns])

    @property
    def language(self) -> str:
        """The language of the lines."""
        return self._context.language

    def lines(self, columns: int) -> tuple[str, str]:
        """The two lines of the scoreboard."""
        above, below = self._context.page.lines(columns)
        return self._in_turn(above, columns), self._in_turn(below, columns)

    def frame(self) -> bytes:
        """All lamps: a byte a lamp; bit 2 is red, bit 1 green, bit 0 blue."""
        info, lit = self._context.info, self._context.page.lit()
        return bytes(lit.get(lamp, 0) for lamp in range(frame_length(info.seats, info.piles)))

    @property
    def brightness(self) -> int | None:
        """The brightness of the lamps now, confirmed or only tried; None for that of the profile."""
        return self._context.choices.tried.brightness

    @property
    def volume(self) -> int | None:
        """The volume of the sounds now, confirmed or only tried; None if there is no speaker."""
        return self._context.choices.tried.volume

    @property
    def outcome(self) -> Outcome | None:
        """What was decided; None while service mode is open."""
        return self._context.outcome

    # -- how it works

    def _is_open(self, now_ns: int) -> bool:
        self.tick(now_ns)
        return self._context.outcome is None

    def _button(self, seat: int, call: bool, down: bool) -> None:
        source = Call(seat) if call else Button(seat)
        bounces = max(0, self._edges.pop(source, 0) - 1)
        self._context.page.button(source, down, bounces)

    def _notice(self, at: Spot, what: str, there: bool) -> None:
        lying = self._context.lying[at]
        (lying.add if there else lying.discard)(what)
        self._context.page.noticed(at, what, there)

    def _next_timeout(self) -> tuple[int, int, Callable[[], None]]:
        """The next timeout: when it is, its rank among those at the same time, and what it does."""
        context = self._context
        timeouts = [(context.last_present_ns + ALONE_NS, 2, self._time_out)]
        if FIRST in self._down:
            timeouts.append((self._down[FIRST] + HOLD_NS, 0, context.back))
        if SECOND in self._down:
            timeouts.append((self._down[SECOND] + CONFIRM_NS, 1, self._confirm))
        return min(timeouts)

    def _act(self, act: Callable[[], None]) -> None:
        page = self._context.page
        act()
        if self._context.page is not page:
            self._down.clear()

    def _confirm(self) -> None:
        del self._down[SECOND]
        self._context.page.confirmed()

    def _time_out(self) -> None:
        self._context.choices.drop()
        self._context.close()

    def _in_turn(self, line: TurningLine, columns: int) -> str:
        texts = (line,) if isinstance(line, str) else line
        turn = (self._context.now_ns - self._context.shown_since_ns) // TURN_NS
        return texts[turn % len(texts)][:columns]


# How an operator enters service mode: the race buttons of the first and the last seat, held together.
#
# The combination takes raw signals, bounce and all, so that it also works while nothing else listens. A
# button that is up for less than 30 ms only bounces: it has not been released. The time counts from the
# moment at which both are down and every other race button is up. It restarts when another one is touched.


BOUNCE_NS = 30 * MS
"""A button that is up for less than this has not been released."""
COMBINATION_NS = 3 * S
"""Longer than any hold in a game, and over before a match that it may have called has begun."""


class _RaceButton:
    """One race button: whether it is down, since when, and when it last came up."""

    __slots__ = ("down", "since_ns", "up_ns")

    def __init__(self) -> None:
        self.down = False
        self.since_ns = 0
        self.up_ns: int | None = None


class ServiceCombination:
    """Is complete when both buttons have been held long enough; again only after both were released."""

    def __init__(self, first_seat: int, last_seat: int, hold_ns: int = COMBINATION_NS) -> None:
        self._hold_ns = hold_ns
        self._both = {first_seat: _RaceButton(), last_seat: _RaceButton()}
        self._others: dict[int, _RaceButton] = {}
        self._used: set[int] = set()

    def take(self, edge: SourceEdge) -> None:
        """Take an edge of any source; only those of race buttons matter."""
        if not isinstance(edge.source, Button):
            return
        seat = edge.source.seat
        button = self._both.get(seat) or self._others.setdefault(seat, _RaceButton())
        t_ns = edge.stamp.latest_ns
        if edge.active and not button.down:
            button.down = True
            if button.up_ns is None or t_ns - button.up_ns >= BOUNCE_NS:
                button.since_ns = t_ns
                self._used.discard(seat)
        elif button.down and not edge.active:
            button.down = False
            button.up_ns = t_ns

    @property
    def due_ns(self) -> int | None:
        """When it is complete if no button changes before; None if it will not be."""
        both, others = self._both.values(), self._others.values()
        if self._used or not all(button.down for button in both) or any(other.down for other in others):
            return None
        touched = [other.up_ns for other in others if other.up_ns is not None]
        return max([button.since_ns for button in both] + touched) + self._hold_ns

    def completed(self, now_ns: int) -> bool:
        """Whether it is complete by now; true once, and again only after both were released."""
        due_ns = self.due_ns
        if due_ns is None or due_ns > now_ns:
            return False
        self._used = set(self._both)
        return True
