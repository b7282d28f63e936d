"""Pages for settings: a page shows a value, the second button changes it, leaving the page confirms it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from firmware_host.games.games import CARD_GAME, GAMES
from firmware_host.model.phrases import Phrase
from firmware_host.model.settings import BRIGHTEST, LANGUAGES, LOUDEST
from firmware_host.service.page import PanelContext, PanelSettings, ServicePage
from firmware_host.show.lamps import Tint, frame_length
from firmware_host.show.lines import TurningLine

_BRIGHTNESSES = (None, BRIGHTEST, *range(BRIGHTEST))
"""That of the profile, then full, then from the darkest up."""
MOST_ROUNDS = 12
"""The most that can be agreed on at the table; a table.toml may say more."""
_MOST_MORE = 2
"""Adults take one or two more, as the rule sheets say; a table.toml may say more."""


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


class VolumeSetting(Setting):
    """The volume of the sounds. Each change plays one."""

    @property
    def _volume(self) -> int:
        return self.tried.volume or 0

    def text(self, columns: int) -> TurningLine:
        return self.context.say(Phrase.VOLUME, n=self._volume)

    def changed(self) -> PanelSettings:
        return replace(self.tried, volume=(self._volume + 1) % (LOUDEST + 1))


class GameSetting(Setting):
    """The game that is played from the next match on."""

    def text(self, columns: int) -> TurningLine:
        return self.context.say(Phrase.GAME_CARDS if self.tried.game == CARD_GAME.name else Phrase.GAME_DICE)

    def changed(self) -> PanelSettings:
        games = self.context.info.games
        return replace(self.tried, game=games[(games.index(self.tried.game) + 1) % len(games)])


class RoundsSetting(Setting):
    """The rounds of the next matches: as many as are usual for the game, or what was agreed."""

    def text(self, columns: int) -> TurningLine:
        rounds = self.tried.rounds
        if rounds is None:
            return self.context.say(Phrase.USUAL_ROUNDS)
        return self.context.say(Phrase.AGREED_ROUNDS, n=rounds)

    def changed(self) -> PanelSettings:
        following = (self.tried.rounds or 0) + 1
        return replace(self.tried, rounds=following if following <= MOST_ROUNDS else None)


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
    """How many dice or Ligretto cards more or fewer a seat is dealt; after the last value comes zero."""

    @property
    def _values(self) -> list[int]:
        """Zero, then one and two more, then one fewer and so on; as a handicap, more is negative."""
        game = GAMES[self.tried.game]
        most_fewer = min(game.most_each, game.most_in_all // game.fewest_seats) - 1
        return [0, *range(-1, -_MOST_MORE - 1, -1), *range(1, most_fewer + 1)]

    def text(self, columns: int) -> TurningLine:
        fewer = self.tried.handicap[self.seat - 1]
        return self.context.say(Phrase.EXTRA if fewer < 0 else Phrase.HANDICAP, seat=self.seat, n=abs(fewer))

    def changed(self) -> PanelSettings:
        handicap, values = list(self.tried.handicap), self._values
        fewer = handicap[self.seat - 1]
        following = values.index(fewer) + 1 if fewer in values else 0
        handicap[self.seat - 1] = values[following % len(values)]
        return replace(self.tried, handicap=tuple(handicap))
