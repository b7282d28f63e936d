"""What all pages of the panel have in common: two lines, lamps, and what the two buttons do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from firmware_host.games.games import CARD_GAME, GAMES
from firmware_host.model.phrases import Phrase, TextKey, say
from firmware_host.model.places import Button, Call, Spot
from firmware_host.model.settings import BRIGHTEST, LANGUAGES, LOUDEST
from firmware_host.model.states import DeviceCondition
from firmware_host.show.lamps import Tint, frame_length, panel_lamp_index
from firmware_host.show.pages import Lines, TurningLine

Choice = str | int | tuple[int, ...] | None
"""A chosen value; None stands for the brightness of the wiring profile, or the usual rounds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelInfo:
    """The table as it is when service mode opens."""

    seats: int
    piles: int = 0
    """The places for piles of cards; a table without them is one of dice."""
    language: str = "en"
    brightness: int | None = None
    """0 to 15; None if LED chips have the brightness of the profile."""
    volume: int | None = None
    """0 to 10; None if there is no speaker."""
    game: str = "dice"
    games: tuple[str, ...] = ("dice",)
    """The games that the table has a wiring for, the present one among them."""
    rounds: int | None = None
    """The rounds of a match; None for as many as are usual."""
    open_seats: tuple[int, ...] = ()
    """The seats that may be played at; empty for all."""
    handicap: tuple[int, ...] = ()
    """How many fewer each seat is dealt, or more if negative; seats that are not listed have no handicap."""
    round_running: bool = False
    match_running: bool = False
    audits: tuple[tuple[str, str], ...] = ()
    """Labels and values; a label that `checks.AUDIT_NAMES` knows is shown in the table's language."""
    health: tuple[DeviceCondition, ...] = ()
    slots: bool = True
    """Whether the places have sensors."""
    readers: bool = False
    call_buttons: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was decided in service mode."""

    void_round: bool = False
    end_match: bool = False
    choices: Mapping[str, Choice] = field(default_factory=dict)
    """Only what differs from before: `language`, `brightness`, `volume`, `game`, `rounds`, `seats` (the open
    ones), `handicap` (of every seat)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelSettings:
    """A value for everything that can be set."""

    language: str
    brightness: int | None
    volume: int | None
    game: str
    rounds: int | None
    seats: tuple[int, ...]
    handicap: tuple[int, ...]


def present_setup(info: PanelInfo) -> PanelSettings:
    """The settings of the table when the panel opens."""
    handicap = (*info.handicap, *(0,) * info.seats)[: info.seats]
    seats = info.open_seats or range(1, info.seats + 1)
    return PanelSettings(
        language=info.language,
        brightness=info.brightness,
        volume=info.volume,
        game=info.game,
        rounds=info.rounds,
        seats=tuple(sorted(seats)),
        handicap=handicap,
    )


class PanelChoices:
    """Settings that show at once while they are tried, and stay only if they are confirmed."""

    def __init__(self, before: PanelSettings) -> None:
        self._before = before
        self._confirmed = before
        self.tried = before

    def confirm(self) -> None:
        self._confirmed = self.tried

    def drop(self) -> None:
        """Back to what was confirmed."""
        self.tried = self._confirmed

    @property
    def changed(self) -> dict[str, Choice]:
        """The confirmed settings that differ from those before."""
        names = [field.name for field in fields(PanelSettings)]
        return {
            name: getattr(self._confirmed, name)
            for name in names
            if getattr(self._confirmed, name) != getattr(self._before, name)
        }


class PanelContext:
    """The open pages and what they share. A page opens another one, goes back, or closes the panel."""

    def __init__(self, info: PanelInfo, now_ns: int) -> None:
        self.info = info
        self.choices = PanelChoices(present_setup(info))
        self.health: dict[str, DeviceCondition] = {each.name: each for each in info.health}
        self.lying: dict[Spot, set[str]] = defaultdict(set)
        self.pages: list[ServicePage] = []
        self.outcome: Outcome | None = None
        self.now_ns = now_ns
        self.last_present_ns = now_ns
        """When somebody last used the panel."""
        self.shown_since_ns = now_ns
        """When the present lines were first shown; texts that take turns begin then."""

    @property
    def page(self) -> ServicePage:
        return self.pages[-1]

    @property
    def language(self) -> str:
        return self.choices.tried.language

    def say(self, what: TextKey, /, **numbers: object) -> str:
        return say(self.language, what, **numbers)

    def note_presence(self) -> None:
        """Somebody uses the panel."""
        self.last_present_ns = self.shown_since_ns = self.now_ns

    def open(self, page: ServicePage) -> None:
        """Open a page."""
        self.pages.append(page)
        self.shown_since_ns = self.now_ns

    def back(self) -> None:
        """Leave the page; leaving the first one closes the panel."""
        self.page.left()
        if len(self.pages) == 1:
            self.close()
        else:
            self.pages.pop()
            self.shown_since_ns = self.now_ns

    def close(self, void_round: bool = False, end_match: bool = False) -> None:
        """Close the panel, with what was confirmed."""
        self.outcome = Outcome(void_round=void_round, end_match=end_match, choices=self.choices.changed)


FIRST, SECOND = 1, 2
"""The seats whose buttons drive the panel; every table has both."""


def filled(parts: Sequence[str], columns: int) -> TurningLine:
    """The parts in one line, or in several texts that take turns, each as full as possible."""
    texts = [""]
    for part in parts:
        joined = f"{texts[-1]} {part}" if texts[-1] else part
        if texts[-1] and len(joined) > columns:
            texts.append(part)
        else:
            texts[-1] = joined
    return texts[0] if len(texts) == 1 else tuple(texts)


class ServicePage(ABC):
    """A page of the panel. By default, inputs have no meaning on it, and the two buttons are lit."""

    def __init__(self, context: PanelContext) -> None:
        self.context = context

    @abstractmethod
    def text(self, columns: int) -> TurningLine:
        """The upper line of the page."""

    @abstractmethod
    def hints(self) -> list[str]:
        """What the buttons do, in short pieces for the lower line."""

    def lines(self, columns: int) -> Lines:
        return self.text(columns), filled(self.hints(), columns)

    def lit(self) -> dict[int, Tint]:
        """The lamps that burn, by their indexes in the frame."""
        return {self.panel_lamp(seat): Tint.WHITE for seat in (FIRST, SECOND)}

    @property
    def due_ns(self) -> int | None:
        """When the page changes if nothing comes in; None if never."""
        return None

    def first(self) -> None:
        """The first seat's button was pressed briefly."""

    def second(self) -> None:
        """The second seat's button was pressed briefly."""

    def confirmed(self) -> None:
        """The second seat's button was pressed on this page and held long enough to confirm."""

    def left(self) -> None:
        """The page is left."""

    def button(self, source: Button | Call, down: bool, bounces: int) -> None:
        """A button changed, and bounced that often."""

    def noticed(self, at: Spot, what: str, there: bool) -> None:
        """Something came to a place or went away: a tag, or (without text) what closes its contact."""

    def panel_lamp(self, seat: int) -> int:
        return panel_lamp_index(seat, self.context.info.piles)

    def way_back(self) -> str:
        """The hint for the long press: it closes the first page, and leads back from all others."""
        return self.context.say(Phrase.EXIT if self.context.pages[0] is self else Phrase.BACK)


class Question(ServicePage):
    """A question; only the second button, pressed on this page and held, means yes."""

    def __init__(self, context: PanelContext, question: Phrase, answered: Callable[[], None]) -> None:
        super().__init__(context)
        self._question = question
        self._answered = answered

    def text(self, columns: int) -> TurningLine:
        return self.context.say(self._question)

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.NO), self.context.say(Phrase.YES)]

    def first(self) -> None:
        self.context.back()

    def confirmed(self) -> None:
        self._answered()


# Pages for settings: a page shows a value, the second button changes it, leaving the page confirms it.


_BRIGHTNESSES = (None, BRIGHTEST, *range(BRIGHTEST))
"""That of the profile, then full, then from the darkest up."""
MOST_ROUNDS = 12
"""The most that can be agreed on at the table; a table.toml may say more."""
_MOST_MORE = 2
"""Adults take one or two more, as the rule sheets say; a table.toml may say more."""


class Setting(ServicePage):
    """A page for one value, which the second button changes to the next; after the last comes the first.

    The value shows at once; if the page times out, it stays as it was.
    """

    def __init__(
        self, context: PanelContext, name: str, values: Sequence[Choice], text: Callable[[Any], str]
    ) -> None:
        super().__init__(context)
        self._name = name
        self._values = values
        self._text = text

    @property
    def tried(self) -> PanelSettings:
        return self.context.choices.tried

    @property
    def value(self) -> Any:
        return getattr(self.tried, self._name)

    def text(self, columns: int) -> TurningLine:
        return self._text(self.value)

    def hints(self) -> list[str]:
        return [self.context.say(Phrase.CHANGE)]

    def second(self) -> None:
        self.choose(self.following(self.value))

    def following(self, value: Choice) -> Any:
        """The next value; one that is not among them is followed by the first."""
        at = self._values.index(value) + 1 if value in self._values else 0
        return self._values[at % len(self._values)]

    def choose(self, value: object) -> None:
        changes: dict[str, Any] = {self._name: value}
        self.context.choices.tried = replace(self.tried, **changes)

    def left(self) -> None:
        self.context.choices.confirm()


def language_setting(context: PanelContext) -> Setting:
    """The language. Each has its own name for itself, and the panel uses it at once."""
    return Setting(context, "language", LANGUAGES, lambda _: context.say(Phrase.LANGUAGE))


class BrightnessSetting(Setting):
    """The brightness. All lamps burn, so that everybody sees it."""

    def __init__(self, context: PanelContext) -> None:
        def text(value: int | None) -> str:
            return context.say(Phrase.BRIGHTNESS, n="-" if value is None else value)

        super().__init__(context, "brightness", _BRIGHTNESSES, text)

    def lit(self) -> dict[int, Tint]:
        lamps = frame_length(self.context.info.seats, self.context.info.piles)
        return dict.fromkeys(range(lamps), Tint.WHITE)


def volume_setting(context: PanelContext) -> Setting:
    """The volume of the sounds. Each change plays one."""
    return Setting(context, "volume", range(LOUDEST + 1), lambda value: context.say(Phrase.VOLUME, n=value))


def game_setting(context: PanelContext) -> Setting:
    """The game that is played from the next match on."""
    names = {game: Phrase.GAME_CARDS if game == CARD_GAME.name else Phrase.GAME_DICE for game in GAMES}
    return Setting(context, "game", context.info.games, lambda game: context.say(names[game]))


def rounds_setting(context: PanelContext) -> Setting:
    """The rounds of the next matches: as many as are usual for the game, or what was agreed."""

    def text(rounds: int | None) -> str:
        phrase = Phrase.USUAL_ROUNDS if rounds is None else Phrase.AGREED_ROUNDS
        return context.say(phrase, n=rounds)

    return Setting(context, "rounds", (None, *range(1, MOST_ROUNDS + 1)), text)


class SeatSetting(Setting):
    """Open or closed for one seat, whose lamp burns; as many as the game needs stay open."""

    def __init__(self, context: PanelContext, seat: int) -> None:
        def text(seats: Sequence[int]) -> str:
            if self._refused:
                return context.say(Phrase.FEWEST, n=self._fewest)
            return context.say(Phrase.SEAT_OPEN if seat in seats else Phrase.SEAT_CLOSED, seat=seat)

        super().__init__(context, "seats", (), text)
        self.seat = seat
        self._refused = False

    @property
    def _fewest(self) -> int:
        return GAMES[self.tried.game].fewest_seats

    def lit(self) -> dict[int, Tint]:
        return {self.panel_lamp(self.seat): Tint.WHITE}

    def second(self) -> None:
        seats = set(self.value) ^ {self.seat}
        self._refused = len(seats) < self._fewest
        if not self._refused:
            self.choose(tuple(sorted(seats)))

    def left(self) -> None:
        super().left()
        self._refused = False


class HandicapSetting(Setting):
    """How many dice or Ligretto cards more or fewer a seat is dealt, whose lamp burns.

    After zero come one and two more, then one fewer and so on; as a handicap, more is negative.
    """

    def __init__(self, context: PanelContext, seat: int) -> None:
        def text(handicap: Sequence[int]) -> str:
            fewer = handicap[seat - 1]
            return context.say(Phrase.EXTRA if fewer < 0 else Phrase.HANDICAP, seat=seat, n=abs(fewer))

        super().__init__(context, "handicap", (), text)
        self.seat = seat

    def lit(self) -> dict[int, Tint]:
        return {self.panel_lamp(self.seat): Tint.WHITE}

    def second(self) -> None:
        game = GAMES[self.tried.game]
        most_fewer = min(game.most_each, game.most_in_all // game.fewest_seats) - 1
        self._values = [0, *range(-1, -_MOST_MORE - 1, -1), *range(1, most_fewer + 1)]
        handicap = list(self.value)
        handicap[self.seat - 1] = self.following(handicap[self.seat - 1])
        self.choose(tuple(handicap))
