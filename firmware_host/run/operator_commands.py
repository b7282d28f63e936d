"""What an operator may tell the table: commands of the game, and settings.

A command of the game is an input of the referee like any other. It is written down, and what the referee
says to it is the answer. Settings and names of players are none of the referee's business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from firmware_host.feed.teller import possible_commands
from firmware_host.games.games import Game
from firmware_host.model.effects import Refused
from firmware_host.model.errors import MalformedText, TableError
from firmware_host.model.events import OPERATOR_WORDS, Command, parse_event_words
from firmware_host.model.plain_text import shortened
from firmware_host.model.states import Phase
from firmware_host.model.times import S, exactly
from firmware_host.profile.table import TableConfig
from firmware_host.run.recorded_sessions import RecordedSession
from firmware_host.run.roster import FORMS, Roster, obey_naming, without_names
from firmware_host.run.table_settings import ROWS, checked_choice, known_settings
from hw.ports import Scoreboard

SET = "set"
SETTINGS = "settings"
SHOW_PIN = "show-pin"
"""Asked by the web process: only who stands at the table can read it there."""
PIN_NS = 60 * S
LONGEST_PIN = 12
ROUND_PHASES = (Phase.COUNTDOWN, Phase.PLAY, Phase.SETTLE)
"""Now people need the sign for the round; at its end it asks them whether the counts are right."""


class NotPossible(TableError):
    """The table can't do that now: why, and what it can do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the operator is told: the number of the input in its session, when a setting takes effect, or who
    sits where.
    """

    session: str = ""
    input: int | None = None
    takes_effect: str = ""
    logged: str = ""
    """What the log says instead of the command."""
    seats: Mapping[int, Mapping[str, Any]] | None = None
    """The player at each seat that is not a guest's."""
    settings: Mapping[str, Mapping[str, object]] | None = None
    """All settings, if they were asked for: their values, and what is allowed."""
    usual_deal: str = ""
    """What `start` alone deals, if that was asked for and is possible."""
    safe: Callable[[], bool] | None = None
    """Whether it is safe on the disk by now, if the answer has to wait for that."""

    @property
    def record(self) -> dict[str, Any]:
        """For JSON, without what is empty."""
        fields = {
            "session": self.session,
            "input": self.input,
            "takes_effect": self.takes_effect,
            "seats": self.seats,
            "settings": self.settings,
            "usual_deal": self.usual_deal,
        }
        return {name: value for name, value in fields.items() if value not in ("", None)}


class NoticeSign:
    """A scoreboard that shows a notice instead of what it is given, until the notice is over.

    A notice is on the device only. The referee's page goes on underneath, and so does what the feed tells of
    it: who wants to read the notice has to stand at the table.
    """

    def __init__(self, sign: Scoreboard) -> None:
        self._sign = sign
        self._below: tuple[tuple[str, ...], str] | None = None
        self.until_ns: int | None = None
        """When the notice is over; None if there is none."""

    @property
    def columns(self) -> int:
        """How many characters fit in a line."""
        return self._sign.columns

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        """Show these lines from now on, or as soon as the notice is over."""
        self._below = lines, language
        if self.until_ns is None:
            self._sign.show(lines, language)

    def notice(self, lines: tuple[str, ...], until_ns: int) -> None:
        """Show this until then."""
        self.until_ns = until_ns
        self._sign.show(lines)

    def end_notice(self) -> None:
        """Show again what is underneath."""
        if self.until_ns is not None:
            self.until_ns = None
            if self._below is not None:
                self._sign.show(*self._below)

    def look(self, now_ns: int) -> None:
        """End the notice if it is over."""
        if self.until_ns is not None and now_ns >= self.until_ns:
            self.end_notice()

    def close(self) -> None:
        """Leave a blank display behind."""
        self._sign.close()


class OperatedTable(Protocol):
    """What the commands need of a table that plays."""

    @property
    def away(self) -> str:
        """Why the game stands still, such as `service`; empty if it does not."""

    @property
    def recorded(self) -> RecordedSession:
        """The session that is played."""

    @property
    def roster(self) -> Roster:
        """The players that are known, and who of them sits where."""

    @property
    def wanted_config(self) -> TableConfig:
        """The configuration that the next session will have."""

    @property
    def now_ns(self) -> int:
        """The time of the table."""

    def choose(self, name: str, value: str) -> bool:
        """Keep a setting; whether it is in force at once."""

    def notify(self, lines: tuple[str, ...], for_ns: int) -> None:
        """Show a notice at the sign for so long; NotPossible without a sign."""


def obey(table: OperatedTable, text: str) -> Answer:
    """Do what the operator says; MalformedText or NotPossible says why not, and nothing has changed."""
    words = text.split()
    if not words:
        raise MalformedText(f"the command is missing; known: {_known()}")
    if words[0] == SET:
        return _set(table, words[1:])
    if words[0] == SHOW_PIN:
        return _show_pin(table, words[1:])
    if words[0] in FORMS:
        obey_naming(table.roster, words, table.recorded.head.table.seats)
        return _seated(table.roster, text)
    if words == [SETTINGS]:
        return _settings(table)
    if words[0] not in OPERATOR_WORDS:
        raise MalformedText(f"'{shortened(words[0])}' is unknown; known: {_known()}")
    if table.away:
        raise NotPossible(f"{words[0]} is not possible now: {table.away}")
    if words == ["start"]:
        words = ["start", _usual_deal(table)]
    event = parse_event_words(words[0], words[1:], exactly(table.now_ns))
    assert isinstance(event, Command)
    return _command(table, words[0], event)


def _known() -> str:
    return ", ".join([*OPERATOR_WORDS, SET, SETTINGS, *FORMS])


def _seated(roster: Roster, text: str) -> Answer:
    seats = {seat: {"player": who, "name": roster.players[who]} for seat, who in sorted(roster.seats.items())}
    safe = None if text.split() == ["names"] else roster.secure()
    return Answer(seats=seats, logged=without_names(text), safe=safe)


def _usual_deal(table: OperatedTable) -> str:
    """What is dealt if every seat that is open plays."""
    of = table.recorded.head.table
    game: Game = of.game
    present = [seat not in of.closed for seat in range(1, of.seats + 1)]
    if sum(present) < game.fewest_seats:
        raise NotPossible("start: too few seats are open")
    return ",".join(map(str, of.usual_deal(present)))


def _command(table: OperatedTable, word: str, event: Command) -> Answer:
    recorded = table.recorded
    shell = recorded.shell
    number = recorded.journal.inputs
    shell.command(event)
    steps = shell.advance(table.now_ns)
    refused = [effect for step in steps for effect in step.effects if isinstance(effect, Refused)]
    if refused:
        possible = ", ".join(possible_commands(shell.referee.session.phase)) or "nothing"
        why = refused[0].reason.replace(type(event).__name__, word)
        raise NotPossible(f"{why}; possible now: {possible}")
    return Answer(str(recorded.journal.id), number)


def _show_pin(table: OperatedTable, words: list[str]) -> Answer:
    if len(words) != 1 or not (words[0].isascii() and words[0].isdigit()) or len(words[0]) > LONGEST_PIN:
        raise MalformedText("show-pin needs the digits of a PIN")
    if table.away or table.recorded.shell.referee.session.phase in ROUND_PHASES:
        raise NotPossible("the sign is needed for the game now; try again between two rounds")
    table.notify((f"PIN {words[0]}", ""), PIN_NS)
    return Answer(takes_effect="now", logged=SHOW_PIN)


def _settings(table: OperatedTable) -> Answer:
    """What can be set, and what would be dealt; nothing changes."""
    try:
        deal = _usual_deal(table)
    except TableError:
        deal = ""
    return Answer(settings=known_settings(table.wanted_config), usual_deal=deal)


def _set(table: OperatedTable, words: list[str]) -> Answer:
    if not 1 <= len(words) <= 2:
        raise MalformedText(
            f"set needs a setting and a value, as in 'set rounds 3'; settings: {', '.join(ROWS)}"
        )
    name, value = words[0], words[1] if len(words) == 2 else ""
    at_once = table.choose(name, checked_choice(table.wanted_config, name, value))
    return Answer(takes_effect="now" if at_once else "as soon as no match is played")
