"""Pages for settings: a page shows a value, the second button changes it, leaving the page confirms it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from firmware_host.engine.games import CARD_GAME, GAMES
from firmware_host.service.choices import PanelSettings
from firmware_host.service.page import ServicePage
from firmware_host.service.panel_context import PanelContext
from firmware_host.settings import BRIGHTEST, LANGUAGES
from firmware_host.show.lamps import Tint, frame_length
from firmware_host.show.lines import TurningLine
from firmware_host.texts import Phrase

_BRIGHTNESSES = (None, BRIGHTEST, *range(BRIGHTEST))
"""That of the profile, then full, then from the darkest up."""


class Setting(ServicePage):
    """A page for one value. It shows at once; if the page times out, the value stays as it was."""

    @property
    def tried(self) -> PanelSettings:
        return self.context.choices.tried

    @abstractmethod
    def changed(self) -> PanelSettings:
        """The setup with the next value."""

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.CHANGE)]

    def second(self) -> None:
        self.context.choices.tried = self.changed()

    def left(self) -> None:
        self.context.choices.confirm()


class LanguageSetting(Setting):
    """The language. Each has its own name for itself, and the panel uses it at once."""

    def text(self, columns: int) -> TurningLine:
        return self.context.say(Phrase.LANGUAGE)

    def changed(self) -> PanelSettings:
        following = LANGUAGES.index(self.tried.language) + 1
        return replace(self.tried, language=LANGUAGES[following % len(LANGUAGES)])


class BrightnessSetting(Setting):
    """The brightness. All lamps burn, so that everybody sees it."""

    def text(self, columns: int) -> TurningLine:
        brightness = self.tried.brightness
        return self.context.say(Phrase.BRIGHTNESS, n="-" if brightness is None else brightness)

    def lit(self) -> dict[int, Tint]:
        lamps = frame_length(self.context.info.seats, self.context.info.piles)
        return dict.fromkeys(range(lamps), Tint.WHITE)

    def changed(self) -> PanelSettings:
        following = _BRIGHTNESSES.index(self.tried.brightness) + 1
        return replace(self.tried, brightness=_BRIGHTNESSES[following % len(_BRIGHTNESSES)])


class GameSetting(Setting):
    """The game that is played from the next match on."""

    def text(self, columns: int) -> TurningLine:
        return self.context.say(Phrase.GAME_CARDS if self.tried.game == CARD_GAME.name else Phrase.GAME_DICE)

    def changed(self) -> PanelSettings:
        games = self.context.info.games
        return replace(self.tried, game=games[(games.index(self.tried.game) + 1) % len(games)])


class OfSeat(Setting):
    """A page for a value of one seat, whose lamp burns meanwhile."""

    def __init__(self, context: PanelContext, seat: int) -> None:
        super().__init__(context)
        self.seat = seat

    def lit(self) -> dict[int, Tint]:
        return {self.panel_lamp(self.seat): Tint.WHITE}


class SeatSetting(OfSeat):
    """Open or closed for one seat; as many as the game needs stay open."""

    def __init__(self, context: PanelContext, seat: int) -> None:
        super().__init__(context, seat)
        self._refused = False

    @property
    def _fewest(self) -> int:
        return GAMES[self.tried.game].fewest_seats

    def text(self, columns: int) -> TurningLine:
        if self._refused:
            return self.context.say(Phrase.FEWEST, n=self._fewest)
        open_ = self.seat in self.tried.seats
        return self.context.say(Phrase.SEAT_OPEN if open_ else Phrase.SEAT_CLOSED, seat=self.seat)

    def changed(self) -> PanelSettings:
        seats = set(self.tried.seats) ^ {self.seat}
        self._refused = len(seats) < self._fewest
        return self.tried if self._refused else replace(self.tried, seats=tuple(sorted(seats)))

    def left(self) -> None:
        super().left()
        self._refused = False


class HandicapSetting(OfSeat):
    """How many dice or Ligretto cards fewer a seat is dealt; after the highest value comes zero."""

    @property
    def _most(self) -> int:
        game = GAMES[self.tried.game]
        return min(game.most_each, game.most_in_all // game.fewest_seats) - 1

    def text(self, columns: int) -> TurningLine:
        return self.context.say(Phrase.HANDICAP, seat=self.seat, n=self.tried.handicap[self.seat - 1])

    def changed(self) -> PanelSettings:
        handicap = list(self.tried.handicap)
        following = handicap[self.seat - 1] + 1
        handicap[self.seat - 1] = following if following <= self._most else 0
        return replace(self.tried, handicap=tuple(handicap))
