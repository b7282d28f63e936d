"""The menus: each has entries that the first button goes through in a circle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.service.contact_checks import ButtonCheck, SensorCheck
from firmware_host.service.lamp_checks import ColourCheck, LampCheck
from firmware_host.service.page import ServicePage
from firmware_host.service.panel_context import PanelContext
from firmware_host.service.question import Question
from firmware_host.service.row_pages import CountersCheck, DevicesCheck
from firmware_host.service.scoreboard_check import ScoreboardCheck
from firmware_host.service.setting import (
    BrightnessSetting,
    GameSetting,
    HandicapSetting,
    LanguageSetting,
    RoundsSetting,
    SeatSetting,
    VolumeSetting,
)
from firmware_host.show.lamps import Tint
from firmware_host.show.lines import TurningLine
from firmware_host.texts import Phrase

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
        _leading_to(context, Phrase.AUDITS, CountersCheck),
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
    tests += [(Phrase.SCOREBOARD, ScoreboardCheck), (Phrase.DEVICES, DevicesCheck)]
    return Menu(context, [_leading_to(context, title, page) for title, page in tests])


def settings_menu(context: PanelContext) -> ServicePage:
    """The menu of settings; those of seats have menus of their own."""
    entries: list[ServicePage] = [LanguageSetting(context), BrightnessSetting(context)]
    if context.info.volume is not None:
        entries.append(VolumeSetting(context))
    if len(context.info.games) > 1:
        entries.append(GameSetting(context))
    entries.append(RoundsSetting(context))
    entries.append(_leading_to(context, Phrase.SEATS, _of_every_seat(SeatSetting)))
    entries.append(_leading_to(context, Phrase.HANDICAPS, _of_every_seat(HandicapSetting)))
    return Menu(context, entries)


def _of_every_seat(
    setting: Callable[[PanelContext, int], ServicePage],
) -> PageMaker:
    def menu(context: PanelContext) -> ServicePage:
        return Menu(context, [setting(context, seat) for seat in range(1, context.info.seats + 1)])

    return menu


def _leading_to(context: PanelContext, title: Phrase, page: PageMaker) -> MenuEntry:
    return MenuEntry(context, title, lambda: context.open(page(context)))
