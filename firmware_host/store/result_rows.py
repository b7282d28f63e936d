"""The rows that are written besides the journal: of matches and rounds, of players, and of audits.

The same effects give the same rows however often they are taken, and rows that exist already keep
their times. So the replay of a session after a crash repairs what had not been written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from firmware_host.model.effects import (
    DeviceReported,
    EdgesLost,
    Effect,
    LateSignal,
    MatchAbandoned,
    MatchEnded,
    Noise,
    PhaseEntered,
    RoundScored,
    RoundStarted,
    RoundVoided,
    SourceMasked,
    TieBroken,
)
from firmware_host.model.events import Input, SourceEdge, TagSeen
from firmware_host.model.places import Button, Call, Slot, Source, Spot
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.store.open_file import Row
from firmware_host.store.results import PARTS
from firmware_host.store.store_reader import StoreReader

# "insert or ignore" would use up a number each time.
_MATCH = (
    "INSERT INTO matches (session, number, begun, day, event, game, state) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
    "WHERE NOT EXISTS (SELECT 1 FROM matches WHERE session = ?1 AND number = ?2)"
)
_ROUND = (
    "INSERT INTO rounds (session, match, attempt, number, begun, state, first_effect) "
    "SELECT ?1, ?2, ?3, ?4, ?5, 'running', ?6 "
    "WHERE NOT EXISTS (SELECT 1 FROM rounds WHERE session = ?1 AND attempt = ?3)"
)
_SCORED = (
    "UPDATE rounds SET state = 'scored', ended = coalesce(ended, ?), last_effect = ?, finisher = ?, "
    "seats = ?, leftovers = ?, scores = ?, totals = ? WHERE session = ? AND attempt = ?"
)
_VOIDED = "UPDATE rounds SET void_reason = ?, void_seats = ? WHERE session = ? AND attempt = ?"
_DEAD_HEAT = "INSERT OR REPLACE INTO dead_heats (session, n, attempt, seats, winner) VALUES (?, ?, ?, ?, ?)"
_ENDED = (
    "UPDATE rounds SET state = ?, ended = coalesce(ended, ?), last_effect = ? "
    "WHERE session = ? AND attempt = ?"
)
_FINISHED = (
    "UPDATE matches SET state = 'finished', ended = coalesce(ended, ?), seats = ?, totals = ?, winners = ? "
    "WHERE session = ? AND number = ?"
)
_ABANDONED = (
    "UPDATE matches SET state = 'abandoned', ended = coalesce(ended, ?), seats = ?, totals = ? "
    "WHERE session = ? AND number = ?"
)

_OPEN_ROUNDS = (
    "UPDATE rounds SET state = 'abandoned', ended = coalesce(ended, ?), last_effect = coalesce(last_effect, "
    "(SELECT max(e.n) FROM effects e WHERE e.session = rounds.session)) "
    "WHERE state = 'running' AND session != ?"
)
_OPEN_MATCHES = (
    "UPDATE matches SET state = 'abandoned', ended = coalesce(ended, ?) "
    "WHERE state = 'running' AND session != ?"
)


def close_open_ends(session: int, now_text: str) -> list[Row]:
    """The rows that end the matches and rounds of all other sessions, which can't be resumed any more."""
    return [(_OPEN_ROUNDS, (now_text, session)), (_OPEN_MATCHES, (now_text, session))]


class ResultRows:
    """Makes the rows of the matches and rounds of one session."""

    def __init__(self, session: int, event: str, game: str, now_text: Callable[[], str]) -> None:
        self._session = session
        self._event = event
        self._game = game
        self._now_text = now_text
        self._match = 0
        self._attempt = 0
        self._match_runs = False
        self._round_runs = False
        self._scored: RoundScored | None = None

    @property
    def matches(self) -> int:
        """How many matches have begun."""
        return self._match

    def take(self, n: int, effect: Effect) -> list[Row]:
        """The rows that change with an effect; `n` is its number in the session."""
        if isinstance(effect, RoundStarted):
            return self._start(n, effect)
        if isinstance(effect, RoundScored):
            return self._score(n, effect)
        if isinstance(effect, RoundVoided) and self._round_runs:  # otherwise it has not begun
            said = (effect.reason, json.dumps(effect.seats))
            return [(_VOIDED, (*said, self._session, self._attempt))]
        if isinstance(effect, TieBroken) and self._round_runs:
            tie = (self._attempt, json.dumps(effect.seats), effect.winner)
            return [(_DEAD_HEAT, (self._session, n, *tie))]
        if isinstance(effect, MatchEnded):
            self._match_runs = False
            parts = map(json.dumps, (effect.seats, effect.totals, effect.winners))
            return [(_FINISHED, (self._now_text(), *parts, self._session, self._match))]
        if isinstance(effect, PhaseEntered):
            return self._enter(n, effect.phase)
        return []

    def _start(self, n: int, started: RoundStarted) -> list[Row]:
        if self._round_runs:
            return []  # it goes on after an interruption
        now = self._now_text()
        rows: list[Row] = []
        if not self._match_runs:
            self._match += 1
            self._match_runs, self._scored = True, None
            begun = (self._session, self._match, now, now[:10], self._event, self._game, "running")
            rows.append((_MATCH, begun))
        self._attempt += 1
        self._round_runs = True
        rows.append((_ROUND, (self._session, self._match, self._attempt, started.number, now, n)))
        return rows

    def _score(self, n: int, scored: RoundScored) -> list[Row]:
        self._round_runs, self._scored = False, scored
        lists = map(json.dumps, (scored.seats, scored.leftovers, scored.scores, scored.totals))
        ended = (self._now_text(), n, scored.finisher)
        return [(_SCORED, (*ended, *lists, self._session, self._attempt))]

    def _enter(self, n: int, phase: Phase) -> list[Row]:
        rows: list[Row] = []
        if self._round_runs and phase in (Phase.CLEAR, Phase.ATTRACT):
            self._round_runs = False
            state = "void" if phase is Phase.CLEAR else "abandoned"
            rows.append((_ENDED, (state, self._now_text(), n, self._session, self._attempt)))
        if self._match_runs and phase is Phase.ATTRACT:
            self._match_runs = False
            last = self._scored
            parts = (json.dumps(last.seats), json.dumps(last.totals)) if last else (None, None)
            rows.append((_ABANDONED, (self._now_text(), *parts, self._session, self._match)))
        return rows


# -- players

_PLAYER = "INSERT OR REPLACE INTO players (n, name) VALUES (?, ?)"
_RENAMED = "UPDATE players SET name = ? WHERE n = ?"
_NO_PLAYER = "DELETE FROM players WHERE n = ?"
_SEAT = "INSERT OR REPLACE INTO named_seats (seat, player) VALUES (?, ?)"
_NO_SEATS = "DELETE FROM named_seats"
_SAT = "INSERT OR REPLACE INTO sat (session, match, seat, player) VALUES (?, ?, ?, ?)"
_NOBODY_SAT = "DELETE FROM sat WHERE session = ? AND match = ?"
_SAT_BY_NUMBER = (
    "INSERT OR REPLACE INTO sat (session, match, seat, player) "
    "SELECT session, number, ?, ? FROM matches WHERE n = ?"
)
_GUEST_BY_NUMBER = (
    "DELETE FROM sat WHERE seat = ? AND (session, match) IN (SELECT session, number FROM matches WHERE n = ?)"
)


def player(number: int, name: str) -> list[Row]:
    """There is such a player."""
    return [(_PLAYER, (number, name))]


def seats_now(seats: Mapping[int, int]) -> list[Row]:
    """These players sit there now, by seat; guests sit at all other seats."""
    return [(_NO_SEATS, ()), *((_SEAT, each) for each in sorted(seats.items()))]


def seats_of_match(session: int, match: int, seats: Mapping[int, int]) -> list[Row]:
    """These players sit there in a match, by seat; it is known by its session and its number there."""
    sat = [(_SAT, (session, match, *each)) for each in sorted(seats.items())]
    return [(_NOBODY_SAT, (session, match)), *sat]


def corrected(match: int, seat: int, number: int | None) -> list[Row]:
    """Another player sat there in that match of the store; None for a guest."""
    return [(_GUEST_BY_NUMBER, (seat, match)) if number is None else (_SAT_BY_NUMBER, (seat, number, match))]


def renamed(number: int, name: str) -> list[Row]:
    """A player is called that from now on, in all results."""
    return [(_RENAMED, (name, number))]


def merged(number: int, into: int) -> list[Row]:
    """Two players were the same: what the first one has played, the other one has."""
    return [
        ("UPDATE sat SET player = ? WHERE player = ?", (into, number)),
        ("UPDATE named_seats SET player = ? WHERE player = ?", (into, number)),
        (_NO_PLAYER, (number,)),
    ]


def deleted(number: int) -> list[Row]:
    """Nothing is known of a player any more; results stay, as those of a guest."""
    return [
        ("DELETE FROM sat WHERE player = ?", (number,)),
        ("DELETE FROM named_seats WHERE player = ?", (number,)),
        (_NO_PLAYER, (number,)),
    ]


def against_merging(book: StoreReader, one: int, other: int) -> str:
    """Why two players can't be the same person."""
    numbers = {(each.session, each.number): each.n for each in book.matches()}
    sat = book.sittings()
    played = [{(each.session, each.match) for each in sat if each.player == who} for who in (one, other)]
    both = sorted(numbers[each] for each in played[0] & played[1] if each in numbers)
    if not both:
        return ""
    return f"they have played against each other in match {both[0]}, so they are two people"


def against_correcting(book: StoreReader, match: int, seat: int) -> str:
    """Why nobody can have sat there in that match of the store."""
    row = next((each for each in book.matches() if each.n == match), None)
    if row is None:
        return f"there is no match {match}; ligretto-table export --what matches lists them"
    if row.state == "running":
        return f"match {match} is not over: ligretto-table tell name {seat} ..."
    if seat not in row.seats:
        played = ", ".join(map(str, row.seats)) or "none that can be known"
        return f"nobody sat at seat {seat} in match {match}; seats that played: {played}"
    return ""


# -- audits: how often each part of the table was used, and when it was last used

_COUNT = (
    "INSERT INTO audits (kind, name, count, last, game) VALUES (?, ?, ?, ?, ?) "
    "ON CONFLICT (kind, name) DO UPDATE "
    "SET count = count + excluded.count, last = excluded.last, game = excluded.game"
)
MATCHES = ("table", "matches")


class Audits:
    """Counts in memory; `take_rows` gives the rows for the store."""

    def __init__(self, now_text: Callable[[], str], games: int = 0) -> None:
        self._now_text = now_text
        self._counts: dict[tuple[str, str], int] = {}
        self._lost: set[str] = set()
        self.counted: dict[str, int] = {}
        """What has happened since the table was switched on; faults and noise have one counter each."""
        self.games = games

    def count(self, kind: str, name: str, by: int = 1) -> None:
        """Count a use of a part, or something that has happened."""
        self._counts[kind, name] = self._counts.get((kind, name), 0) + by
        if kind not in PARTS:
            said = name if kind == "table" else f"{kind}s" if kind == "fault" else kind
            self.counted[said] = self.counted.get(said, 0) + by

    def saw(self, seen: Input) -> None:
        """Count an input."""
        if type(seen) is SourceEdge:
            if seen.active:
                self.count(kind_of(seen.source), str(seen.source))
        elif isinstance(seen, TagSeen):
            self.count("reader", str(seen.at))

    def decided(self, effect: Effect) -> None:
        """Count an effect."""
        match effect:
            case TieBroken():
                self.count("table", "dead heats")
            case EdgesLost():
                self.count("table", "lost edges", max(1, effect.count))
            case LateSignal():
                self.count("table", "late signals")
            case Noise():
                self.count("noise", str(effect.source))
            case SourceMasked():
                self.count("fault", f"{effect.source} {effect.reason}")
            case DeviceReported():
                self._reported(effect.device)
            case RoundVoided():
                self.count("table", "rounds void")
            case MatchAbandoned():
                self.count("table", "matches given up")
            case RoundScored():
                self.count("table", "rounds")
            case MatchEnded():
                self.games += 1
                self.count(*MATCHES)
            case _:
                pass

    def _reported(self, device: DeviceCondition) -> None:
        """Count a lost device once, although each session gets a report of it."""
        if device.condition is not Condition.LOST:
            self._lost.discard(device.name)
        elif device.name not in self._lost:
            self._lost.add(device.name)
            self.count("fault", f"{device.name} lost")

    def counters(self) -> tuple[tuple[str, str], ...]:
        """The counters since the table was switched on, as labels and values."""
        return tuple((name, str(count)) for name, count in sorted(self.counted.items()))

    def take_rows(self) -> list[Row]:
        """The rows for what was counted since the last call."""
        if not self._counts:
            return []
        counts, self._counts = self._counts, {}
        now = self._now_text()
        return [(_COUNT, (kind, name, by, now, self.games)) for (kind, name), by in counts.items()]


def kind_of(source: Source | Spot) -> str:
    """The kind of part that a source is."""
    if isinstance(source, Slot):
        return "slot"
    if isinstance(source, Call):
        return "call"
    return "button" if isinstance(source, Button) else "reader"
