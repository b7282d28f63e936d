"""What an operator may tell the table: commands of the game, and settings.

A command of the game is an input of the referee like any other. It is written down, and what the referee
says to it is the answer. Settings and names of players are none of the referee's business.
"""

from __future__ import annotations

import json
import logging
import time
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from firmware_host.feed.addresses import TELL_SOCKET
from firmware_host.feed.teller import possible_commands
from firmware_host.games.games import GAMES, Game
from firmware_host.model.effects import Refused
from firmware_host.model.errors import MalformedText, TableError
from firmware_host.model.events import OPERATOR_WORDS, Command, parse_event_words
from firmware_host.model.plain_text import shortened
from firmware_host.model.settings import BRIGHTEST, LANGUAGES, LOUDEST
from firmware_host.model.states import Phase
from firmware_host.model.times import S, exactly
from firmware_host.profile.table import TableConfig
from firmware_host.run.kept_choices import OFF, ON, PLAYER_NAMES, configured, with_choices
from firmware_host.run.line_server import LineServer, Peer
from firmware_host.run.recorded_sessions import RecordedSession
from firmware_host.run.roster import FORMS, Roster, obey_naming, without_names
from firmware_host.service.page import MOST_ROUNDS

ALLOWED: dict[str, Callable[[TableConfig], str]] = {
    "language": lambda config: f"one of {', '.join(LANGUAGES)}",
    "brightness": lambda config: f"0 to {BRIGHTEST}, or nothing for what the wiring says",
    "volume": lambda config: f"0 to {LOUDEST}",
    "game": lambda config: f"one of {', '.join(sorted(config.profiles))}",
    "rounds": lambda config: f"1 to {MOST_ROUNDS}, or nothing for the usual number",
    "seats": lambda config: (
        f"at least {GAMES[config.game].fewest_seats} of the seats 1 to {config.profile.seats}, as in 1,2,4, "
        "or nothing for all"
    ),
    PLAYER_NAMES: lambda config: f"{ON} or {OFF}: whether the feed has the names of players",
    "handicap": lambda config: (
        "how many fewer each seat is dealt, as in 0,0,2,-1 (negative: more), or nothing for none"
    ),
}


def checked_choice(config: TableConfig, name: str, value: str) -> str:
    """The value as it is kept; MalformedText says what is allowed."""
    if name not in ALLOWED:
        raise MalformedText(f"'{name}' can't be set here; known: {', '.join(ALLOWED)}")
    changed = with_choices(config, {name: value})
    if configured(changed)[name] != value:
        raise MalformedText(f"{name} can't be '{value}'; allowed: {ALLOWED[name](config)}")
    return value


def known_settings(config: TableConfig) -> dict[str, dict[str, object]]:
    """The value of each setting, what is allowed in words, and the values to choose from if there are few."""
    values = configured(config)
    few = {"language": list(LANGUAGES), "game": sorted(config.profiles)}
    few[PLAYER_NAMES] = [ON, OFF]
    few["volume"] = [str(step) for step in range(LOUDEST + 1)]
    few["brightness"] = ["", *(str(step) for step in range(BRIGHTEST + 1))]
    return {
        name: {"value": values[name], "allowed": allowed(config)}
        | ({"one_of": few[name]} if name in few else {})
        for name, allowed in ALLOWED.items()
    }


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
    refused: list[Refused] = []
    number = recorded.journal.inputs

    def look_on(step: Any) -> None:
        refused.extend(effect for effect in step.effects if isinstance(effect, Refused))

    shell.onlookers.append(look_on)
    try:
        shell.command(event)
        shell.advance(table.now_ns)
    finally:
        shell.onlookers.remove(look_on)
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
            f"set needs a setting and a value, as in 'set rounds 3'; settings: {', '.join(ALLOWED)}"
        )
    name, value = words[0], words[1] if len(words) == 2 else ""
    at_once = table.choose(name, checked_choice(table.wanted_config, name, value))
    return Answer(takes_effect="now" if at_once else "as soon as no match is played")


OWN_GROUP = 0o660
"""The user of the table and its group; an operator is put into that group."""
_NOT_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""What would begin a line of its own in a log, or can't be written down: half a character."""
SAFE_S = 4.0
"""So long an answer waits for the disk; whoever has asked waits a little longer."""
MOST_OWED = 16
"""Whoever waits for so many answers asks for too much."""
NOT_SAFE = (
    "it is done, but not safe on the disk yet, where an old name may still be; see ligretto-table status"
)

log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Owed:
    """An answer that may have to wait until what was done is safe."""

    peer: Peer
    answer: dict[str, Any]
    safe: Callable[[], bool] | None = None
    until_s: float = field(default_factory=lambda: time.monotonic() + SAFE_S)


class CommandDesk:
    """Takes commands; `obey` does them while the table runs."""

    def __init__(self, folder: Path, *, must_listen: bool = True) -> None:
        """As with `LineServer`."""
        self.obey: Callable[[str], Answer] | None = None
        self._owed: list[_Owed] = []
        self.server = LineServer(folder / TELL_SOCKET, OWN_GROUP, self._take, must_listen=must_listen)

    def fileno(self) -> int:
        """A descriptor that is readable while somebody wants something."""
        return self.server.fileno()

    def look(self) -> None:
        """Do what was asked for meanwhile; called at least once a second."""
        self.server.look()
        self._answer_what_is_safe()

    @property
    def owes(self) -> bool:
        """Whether somebody waits for an answer."""
        return bool(self._owed)

    def close(self) -> None:
        """No more commands are taken; whoever still waits for the disk is told so."""
        self._answer_what_is_safe(at_last=True)
        self.server.close()

    def _take(self, peer: Peer, line: bytes) -> None:
        owed = _Owed(peer, _refusal("too much at once"))
        if peer.owed < MOST_OWED:
            owed.answer = self._answer(line, owed)
        peer.owed += 1
        self._owed.append(owed)

    def _answer_what_is_safe(self, at_last: bool = False) -> None:
        """Give all answers that need not wait any longer, to each peer in the order in which it asked."""
        owed, self._owed = self._owed, []
        waiting: set[Peer] = set()
        for each in owed:
            if each.peer.gone:
                continue
            safe = each.safe is None or each.safe()
            due = safe or at_last or time.monotonic() >= each.until_s
            if each.peer in waiting or not due:
                waiting.add(each.peer)
                self._owed.append(each)
                continue
            if not safe:
                each.answer |= _refusal(NOT_SAFE)
            text = json.dumps(each.answer, separators=(",", ":"), ensure_ascii=False) + "\n"
            each.peer.send(text.encode(errors="backslashreplace"))  # half a character may have been sent
            each.peer.owed -= 1

    def _answer(self, line: bytes, owed: _Owed) -> dict[str, Any]:
        try:
            asked = json.loads(line)
            text = asked["tell"]
            number = asked.get("id")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return _refusal('a line looks like {"tell": "pause", "id": 1}')
        named = {"id": number} if isinstance(number, int | str) else {}
        if not isinstance(text, str):
            return named | _refusal("what to tell is a text, such as 'leftover 3 2'")
        if any(unicodedata.category(letter) in _NOT_TEXT for letter in text):
            return named | _refusal("what to tell is one line, without control characters or half ones")
        if self.obey is None:
            return named | _refusal("the table is not ready yet; try again")
        try:
            done = self.obey(text)
        except TableError as error:
            return named | _refusal(str(error))
        if done.settings is None:  # else it was only a question
            log.info("told: %s", done.logged or text)
        owed.safe = done.safe
        return named | {"ok": True} | done.record


def _refusal(why: str) -> dict[str, Any]:
    return {"ok": False, "why": why}
