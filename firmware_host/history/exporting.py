"""Results for programs: rows with a fixed order of named columns, records of rounds, and the audits."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from firmware_host.games.games import Table
from firmware_host.history.story import StampedVerdict, Story, apart_ns, contests
from firmware_host.model.effects import DeviceReported, Effect, Judged, RoundStarted, TieBroken, format_effect
from firmware_host.model.errors import DamagedRecord
from firmware_host.model.places import ALL_SLOTS, Button, Call, Pad
from firmware_host.model.plain_text import visible, whole_number
from firmware_host.store.results import (
    ALL,
    DAY,
    EVENT,
    PARTS,
    Audit,
    PlayedMatch,
    RoundRow,
    Standing,
    played_matches,
    player_standings,
    standings,
)
from firmware_host.store.store_reader import EVERY, StoreReader

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""A spreadsheet would compute what begins like this, unless an apostrophe marks it as text."""
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
Row = tuple[Any, ...]

_ABOUT = ("day", "event", "game")
MATCH_COLUMNS = ("match", *_ABOUT, "begun", "ended", "state", "seats", "totals", "winners")
ROUND_COLUMNS = (
    *("round", "match", "number", *_ABOUT, "begun", "ended", "state"),
    *("finisher", "leftovers", "scores", "totals"),
)
VERDICT_COLUMNS = (
    *("round", "match", *_ABOUT, "t_ns", "seat", "verdict", "what"),
    *("earliest_ns", "latest_ns", "width_ns", "decided_ns", "margin_ns", "rival", "doubtful", "cue"),
    *("locked_until_ns", "tied_seats", "ties_won_before", "drawn"),
)
_TALLY = (
    *("matches", "wins", "rounds", "rounds_ended", "points"),
    *("best_round", "dead_heats", "dead_heats_won", "dead_heat_share"),
)
STANDING_COLUMNS = ("scope", "name", "game", "seat", *_TALLY)
PLAYER_COLUMNS = ("scope", "name", "game", "player", "player_name", *_TALLY)
SITTING_COLUMNS = ("match", *_ABOUT, "seat", "player", "player_name")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of which day and which event; empty means all."""

    day: str = ""
    event: str = ""

    @property
    def scopes(self) -> tuple[str, ...]:
        """The standings that are asked for: all, if no day and no event is."""
        if self.day or self.event:
            return (EVENT,) if self.event else (DAY,)
        return DAY, EVENT, ALL


@dataclass(frozen=True, slots=True)
class Export:
    """One kind of rows."""

    columns: tuple[str, ...]
    rows: Callable[[StoreReader, Wanted], Iterator[Row]]


def _matches(book: StoreReader, wanted: Wanted) -> Iterator[Row]:
    """One row a match, the oldest first; totals hold one number a seat of the table."""
    for each in book.matches(wanted.day, wanted.event):
        about = (each.n, each.day, each.event, each.game, each.begun, each.ended, each.state)
        yield (*about, each.seats, each.totals, each.winners)


def _rounds(book: StoreReader, wanted: Wanted) -> Iterator[Row]:
    """One row a round, the oldest first; counts and points hold one number a seat of the table."""
    numbers = _match_numbers(book)
    for each in _rounds_of(book, wanted):
        match = numbers.get((each.session, each.match))
        about = (each.n, match, each.number, each.day, each.event, each.game)
        ending = (each.finisher, each.leftovers, each.scores, each.totals)
        yield (*about, each.begun, each.ended, each.state, *ending)


def _verdicts(book: StoreReader, wanted: Wanted) -> Iterator[Row]:
    """One row a verdict, in the order in which they were given; times are since the start call."""
    numbers = _match_numbers(book)
    rounds: dict[int, list[RoundRow]] = {}
    for each in _rounds_of(book, wanted):
        rounds.setdefault(each.session, []).append(each)
    start_ns = 0
    tie: TieBroken | None = None
    for session, n, _, effect in book.decided((RoundStarted, Judged, TieBroken)):
        if isinstance(effect, RoundStarted):
            start_ns = start_ns if effect.again else effect.t_ns
        elif isinstance(effect, TieBroken):
            tie = effect
        else:
            assert isinstance(effect, Judged)
            given, tie = StampedVerdict(n, effect, tie), None
            round_ = next((each for each in rounds.get(session, ()) if each.holds(n)), None)
            if round_ is not None:
                match = numbers.get((session, round_.match))
                about = (round_.n, match, round_.day, round_.event, round_.game)
                record = verdict_record(given, start_ns)
                yield (*about, *(record[column] for column in VERDICT_COLUMNS[len(about) :]))


def _standings(book: StoreReader, wanted: Wanted) -> Iterator[Row]:
    """One row a seat: of each day, each event and all time; of what was asked for, if anything was."""
    for each in standings(_played(book, wanted), wanted.scopes):
        yield (each.scope, each.name, each.game, each.who, *tally(each).values())


def _players(book: StoreReader, wanted: Wanted) -> Iterator[Row]:
    """The same, one row a player."""
    players = book.players()
    for each in standings_of_players(book, wanted):
        yield (each.scope, each.name, each.game, each.who, players[each.who], *tally(each).values())


def standings_of_players(book: StoreReader, wanted: Wanted) -> list[Standing]:
    """The standings of the players, of what is asked for."""
    return player_standings(_played(book, wanted), book.sittings(), book.players(), wanted.scopes)


def _played(book: StoreReader, wanted: Wanted) -> list[PlayedMatch]:
    matches, rounds = book.matches(wanted.day, wanted.event), _rounds_of(book, wanted)
    return played_matches(matches, rounds, book.dead_heats())


def tally(standing: Standing) -> dict[str, Any]:
    """What a standing counts, by its names in the order of the columns."""
    return {name: getattr(standing, name) for name in _TALLY}


def sittings_of_matches(book: StoreReader, wanted: Wanted) -> Iterator[Row]:
    """One row for each player in each match: at which seat."""
    players = book.players()
    matches = {(each.session, each.number): each for each in book.matches(wanted.day, wanted.event)}
    sat = [each for each in book.sittings() if (each.session, each.match) in matches]
    for each in sorted(sat, key=lambda each: (matches[each.session, each.match].n, each.seat)):
        match = matches[each.session, each.match]
        if each.player in players:
            about = (match.n, match.day, match.event, match.game)
            yield (*about, each.seat, each.player, players[each.player])


EXPORTS = {
    "matches": Export(MATCH_COLUMNS, _matches),
    "rounds": Export(ROUND_COLUMNS, _rounds),
    "verdicts": Export(VERDICT_COLUMNS, _verdicts),
    "standings": Export(STANDING_COLUMNS, _standings),
    "players": Export(PLAYER_COLUMNS, _players),
    "seats": Export(SITTING_COLUMNS, sittings_of_matches),
}


def as_csv(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """A table as in RFC 4180: a header, lines that end in CR and LF; lists are separated by spaces."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([[_cell(value) for value in row] for row in rows])
    return out.getvalue()


def as_json(columns: Sequence[str], rows: Iterable[Row]) -> str:
    """A list of objects, one a row."""
    return json.dumps([dict(zip(columns, row, strict=True)) for row in rows], indent=1) + "\n"


def _cell(value: Any) -> Any:
    """A value as it is put into a cell; a list of numbers is neither a number nor a formula.

    Control characters are escaped: many a CSV ends on a terminal.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    if isinstance(value, str):
        is_formula = value.startswith(_FORMULA) and not _NUMBER.fullmatch(value)
        return ("'" if is_formula else "") + visible(value)
    return value


def _rounds_of(book: StoreReader, wanted: Wanted) -> list[RoundRow]:
    """The rounds that are asked for, the oldest first."""
    return book.rounds(EVERY, wanted.day, wanted.event)[::-1]


def _match_numbers(book: StoreReader) -> dict[tuple[int, int], int]:
    """How matches are counted in the whole store."""
    return {(match.session, match.number): match.n for match in book.matches()}


# A story as plain values with stable names, for JSON.
#
# Times are nanoseconds since the start call, also those of effects. Only `start_table_ns`, the start call, is
# in the time of the table: the sum of it and another time is that time in the journal.


def record_of(story: Story) -> dict[str, Any]:
    """All that is known about a round."""
    start_ns = story.start_ns
    return {
        "start_table_ns": start_ns,
        "ended_ns": None if story.ended_ns is None else story.ended_ns - start_ns,
        "voided": _voided_record(story),
        "seats": list(story.seats),
        "verdicts": [verdict_record(given, start_ns) for given in story.verdicts],
        "contests": [
            {
                "what": str(contest.winner.judged.what),
                "winner": contest.winner.n,
                "losers": [
                    {
                        "verdict": loser.n,
                        "margin_ns": loser.judged.margin_ns,
                        "surely_apart_ns": apart_ns(contest.winner.stamp, loser.stamp),
                    }
                    for loser in contest.losers
                ],
            }
            for contest in contests(story.verdicts)
        ],
        "pauses": [
            {
                "from_ns": pause.from_ns - start_ns,
                "to_ns": None if pause.to_ns is None else pause.to_ns - start_ns,
            }
            for pause in story.pauses
        ],
        "events": [
            {
                "n": each.n,
                "t_ns": each.t_ns - start_ns,
                "decided_ns": each.decided_ns - start_ns,
                "effect": _effect_record(each.effect, start_ns),
            }
            for each in story.events
            if not isinstance(each.effect, Judged | TieBroken)
        ],
    }


def _voided_record(story: Story) -> dict[str, Any] | None:
    """Why it does not count, and the verdicts on the presses that were held to void it."""
    voided = story.voided
    if voided is None:
        return None
    t_ns = voided.t_ns - story.start_ns
    return {
        "t_ns": t_ns,
        "reason": voided.reason,
        "seats": list(voided.seats),
        "verdicts": list(story.held),
    }


def _effect_record(effect: Effect, start_ns: int) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(format_effect(effect))
    if "t_ns" in record:
        record["t_ns"] -= start_ns
    if "stamp" in record:
        record["stamp"] = [t_ns - start_ns for t_ns in record["stamp"]]
    if isinstance(effect, DeviceReported):
        record["words"] = effect.device.words
    if "held" in record:
        record["held"] = [[t_ns - start_ns for t_ns in stamp] for stamp in record["held"]]
    return record


def verdict_record(given: StampedVerdict, start_ns: int) -> dict[str, Any]:
    """One verdict with all its fields."""
    judged, tie = given.judged, given.tie
    return {
        "n": given.n,
        "t_ns": given.t_ns - start_ns,
        "seat": judged.seat,
        "verdict": judged.verdict.value,
        "what": None if judged.what is None else str(judged.what),
        "earliest_ns": given.stamp.earliest_ns - start_ns,
        "latest_ns": given.stamp.latest_ns - start_ns,
        "width_ns": given.stamp.latest_ns - given.stamp.earliest_ns,
        "decided_ns": judged.decided_ns - start_ns,
        "margin_ns": judged.margin_ns,
        "rival": judged.rival,
        "doubtful": judged.doubtful,
        "cue": None if judged.cue is None else judged.cue.value,
        "locked_until_ns": judged.locked_until_ns - start_ns if judged.locked_until_ns else None,
        "tied_seats": None if tie is None else list(tie.seats),
        "ties_won_before": None if tie is None else list(tie.won_before),
        "drawn": None if tie is None else tie.drawn,
    }


IDLE_GAMES = 5
"""A part that was not used in more games than that, while others of its kind were, needs a look."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A count, and whether the part needs a look."""

    audit: Audit
    idle: bool


def checked(book: StoreReader) -> list[Checked]:
    """All counts, and those of the parts that were never used at all."""
    counted = book.audits()
    numbers = book.session_ids()
    if numbers:
        known = {(audit.kind, audit.name) for audit in counted}
        built = _built(book, numbers[max(numbers)])
        counted += [Audit(kind, name, 0, "", book.games) for kind, name in built if (kind, name) not in known]

    def order(audit: Audit) -> tuple[str, list[tuple[int, str]]]:
        return audit.kind, [(whole_number(word) or 0, word) for word in audit.name.split()]  # seat 10 after 2

    return [Checked(audit, _is_idle(audit, counted)) for audit in sorted(counted, key=order)]


def _built(book: StoreReader, session: int) -> list[tuple[str, str]]:
    """The parts of the table as it was in that session; none if that can't be read."""
    try:
        return _parts(book.head(session).table)
    except DamagedRecord as error:
        book.losses.add(error)
        return []


def _parts(table: Table) -> list[tuple[str, str]]:
    """What everybody at such a table uses in every match."""
    seats = [seat for seat in range(1, table.seats + 1) if seat not in table.closed]
    parts = [("button", str(Button(seat))) for seat in seats]
    parts += [("call", str(Call(seat))) for seat in seats if table.call_buttons]
    parts += [("slot", str(slot)) for slot in ALL_SLOTS if not table.piles]
    parts += [("reader", str(Pad(seat))) for seat in seats if table.pads]
    parts += [("reader", str(slot)) for slot in ALL_SLOTS if table.identified]
    return parts


def _is_idle(audit: Audit, counted: Sequence[Audit]) -> bool:
    """Whether it was not used for long while others of its kind were."""
    if audit.kind not in PARTS or audit.games_since <= IDLE_GAMES or audit.name.startswith("pile "):
        return False  # few games need all piles
    return any(each.kind == audit.kind and each.games_since <= IDLE_GAMES for each in counted)


def audits_record(found: Sequence[Checked], games: int) -> dict[str, Any]:
    """All counts, for programs."""
    return {"games": games, "audits": [asdict(each.audit) | {"idle": each.idle} for each in found]}
