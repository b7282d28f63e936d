"""The menus: rings of entries, one behind the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.service.contact_checks import ButtonCheck, SensorCheck
from firmware_host.service.desk import Desk
from firmware_host.service.lamp_checks import ColourCheck, LampCheck
from firmware_host.service.page import Page
from firmware_host.service.question import Question
from firmware_host.service.readings import CountersCheck, Devices
from firmware_host.service.scoreboard_check import ScoreboardCheck
from firmware_host.service.setting import (
    BrightnessSetting,
    GameSetting,
    HandicapSetting,
    LanguageSetting,
    SeatSetting,
)
from firmware_host.show.lamps import Tint
from firmware_host.show.lines import Line
from firmware_host.texts import Phrase


class MenuEntry(Page):
    """One line of a menu that leads somewhere."""

    def __init__(self, desk: Desk, title: Phrase, enter: Callable[[], None]) -> None:
        super().__init__(desk)
        self._title = title
        self._enter = enter

    def text(self, columns: int) -> Line:
        return self.desk.say(self._title)

    def hints(self) -> list[str]:
        return [self.desk.say(Phrase.OK)]

    def second(self) -> None:
        self._enter()


class Ring(Page):
    """Entries that the first button goes through, round and round; they say and do the rest."""

    def __init__(self, desk: Desk, entries: Sequence[Page]) -> None:
        super().__init__(desk)
        self._entries = entries
        self._at = 0

    @property
    def _entry(self) -> Page:
        return self._entries[self._at]

    def text(self, columns: int) -> Line:
        return self._entry.text(columns)

    def hints(self) -> list[str]:
        return [self.desk.say(Phrase.NEXT), *self._entry.hints(), self.way_back()]

    def lit(self) -> dict[int, Tint]:
        return self._entry.lit()

    def first(self) -> None:
        self._entry.left()
        self._at = (self._at + 1) % len(self._entries)

    def second(self) -> None:
        self._entry.second()

    def left(self) -> None:
        self._entry.left()


def main_menu(desk: Desk) -> Page:
    """Everything that service mode can do now."""

    def void_round() -> None:
        desk.close(void_round=True)

    def end_match() -> None:
        desk.close(end_match=True)

    entries: list[Page] = [
        _leading_to(desk, Phrase.TESTS, checks_menu),
        _leading_to(desk, Phrase.AUDITS, CountersCheck),
        _leading_to(desk, Phrase.SETTINGS, settings_menu),
    ]
    if desk.info.round_running:
        sure = Question(desk, Phrase.VOID_SURE, void_round)
        entries.append(_leading_to(desk, Phrase.VOID_ROUND, lambda _: sure))
    if desk.info.match_running:
        certain = Question(desk, Phrase.END_SURE, end_match)
        entries.append(_leading_to(desk, Phrase.END_MATCH, lambda _: certain))
    return Ring(desk, [*entries, MenuEntry(desk, Phrase.LEAVE_SERVICE, desk.close)])


def checks_menu(desk: Desk) -> Page:
    """The tests that make sense on this table."""
    tests: list[tuple[Phrase, Callable[[Desk], Page]]] = [
        (Phrase.LAMPS, LampCheck),
        (Phrase.COLOURS, ColourCheck),
        (Phrase.BUTTONS, ButtonCheck),
    ]
    if desk.info.slots or desk.info.readers:
        tests.append((Phrase.SENSORS, SensorCheck))
    tests += [(Phrase.SCOREBOARD, ScoreboardCheck), (Phrase.DEVICES, Devices)]
    return Ring(desk, [_leading_to(desk, title, page) for title, page in tests])


def settings_menu(desk: Desk) -> Page:
    """What can be set; seats one by one, in rings of their own."""
    entries: list[Page] = [LanguageSetting(desk), BrightnessSetting(desk)]
    if len(desk.info.games) > 1:
        entries.append(GameSetting(desk))
    entries.append(_leading_to(desk, Phrase.SEATS, _of_every_seat(SeatSetting)))
    entries.append(_leading_to(desk, Phrase.HANDICAPS, _of_every_seat(HandicapSetting)))
    return Ring(desk, entries)


def _of_every_seat(setting: Callable[[Desk, int], Page]) -> Callable[[Desk], Page]:
    def ring(desk: Desk) -> Page:
        return Ring(desk, [setting(desk, seat) for seat in range(1, desk.info.seats + 1)])

    return ring


def _leading_to(desk: Desk, title: Phrase, page: Callable[[Desk], Page]) -> MenuEntry:
    return MenuEntry(desk, title, lambda: desk.open(page(desk)))
