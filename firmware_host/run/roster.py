"""The players that a table knows, and at which seats they sit now.

A player is known by a number in all results, and has a name in one place. So a name can be changed, and
deleted. Guests are not known at all. What changes here is handed to the store as rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.model.effects import PhaseEntered, RoundStarted
from firmware_host.model.errors import MalformedText, TableError
from firmware_host.model.places import MOST_SEATS
from firmware_host.model.plain_text import checked_name, name_key, shortened, whole_number
from firmware_host.model.states import Phase
from firmware_host.model.times import S
from firmware_host.referee import Step
from firmware_host.run.recorded_sessions import RecordedSession
from firmware_host.store import result_rows
from firmware_host.store.open_file import Row
from firmware_host.store.result_rows import against_correcting, against_merging
from firmware_host.store.store_reader import StoreReader
from firmware_host.store.writer import Writer

Look = Callable[[Callable[[StoreReader], str]], str | None]
"""Gives what somebody who reads the store says; None if it can't be read now."""


class PlayerRefused(TableError):
    """A player can't be named so, or sit there: why."""


class Roster:
    """Players by their numbers, and their numbers by seat."""

    def __init__(
        self,
        players: Mapping[int, str],
        next_player: int,
        seats: Mapping[int, int],
        put: Callable[[list[Row]], None],
        look: Look,
        secure: Callable[[], Callable[[], bool]] = lambda: lambda: True,
    ) -> None:
        """`put` gets the rows of each change; `look` asks the store what speaks against one. `secure` makes
        changes safe; what it gives says whether they are, and whether old names are gone from the disk.
        """
        self.players = dict(players)
        self.seats = {seat: number for seat, number in seats.items() if number in players}
        self.changes = 0
        """How often a player was renamed, merged or deleted."""
        self.on_seats: Callable[[], None] = lambda: None
        """Called when somebody has sat down or got up."""
        self.secure = secure
        self._next = next_player
        self._new: set[int] = set()
        """Those who were named since the start, and have no result yet."""
        self._put = put
        self._look = look

    @property
    def names(self) -> dict[int, str]:
        """The names of those who sit at the table, by seat."""
        return {seat: self.players[number] for seat, number in sorted(self.seats.items())}

    @property
    def rows(self) -> list[Row]:
        """What a new store begins with."""
        rows = [row for each in list(self.players.items()) for row in result_rows.player(*each)]
        return rows + result_rows.seats_now(dict(self.seats))

    # -- who sits where

    def sit(self, seat: int, name: str) -> None:
        """A player of that name sits there from now on; somebody new, if nobody is called that.

        Whoever was named there before and has not played a match was a slip of the pen, and is deleted.
        """
        name = checked_name(name)
        number = self._number_of(name)
        taken = next((at for at, who in self.seats.items() if who == number and at != seat), None)
        if taken is not None:
            raise PlayerRefused(
                f"{self.players[self.seats[taken]]} sits at seat {taken}: somebody else needs another name; "
                f"whoever changes seats leaves that one first, as in 'name {taken}'"
            )
        before = self.seats.get(seat)
        if number is None:
            number = self._introduce(name)
            self._new.add(number)
        self._reseat(self.seats | {seat: number})
        if before != number and before in self._new:
            self.delete(before)

    def keep(self) -> None:
        """A match is over: those who sit there have a result."""
        self._new.difference_update(self.seats.values())

    def leave(self, *seats: int) -> None:
        """Guests sit there from now on."""
        if self.seats.keys() & set(seats):
            self._reseat({seat: number for seat, number in self.seats.items() if seat not in seats})

    def _reseat(self, seats: dict[int, int]) -> None:
        self.seats = seats
        self._put(result_rows.seats_now(seats))
        self.on_seats()

    # -- who they are

    def rename(self, number: int, name: str) -> None:
        """A player is called that from now on, in earlier results too."""
        self._known(number)
        name = checked_name(name)
        other = self._number_of(name)
        if other not in (None, number):
            raise PlayerRefused(f"{name} is player {other}; if both are the same, merge them")
        self.players[number] = name
        self._change(result_rows.renamed(number, name))

    def merge(self, number: int, into: int) -> None:
        """Two players were the same person: all results of the first are of the second."""
        self._known(number)
        self._known(into)
        if number == into:
            raise PlayerRefused("these are not two players")
        here = sorted(seat for seat, who in self.seats.items() if who in (number, into))
        if len(here) > 1:
            raise PlayerRefused(f"they sit at seats {here[0]} and {here[1]}, so they are two people")
        self._check(lambda book: against_merging(book, number, into))
        self._new -= {number, into}
        del self.players[number]
        self._change(result_rows.merged(number, into))
        if here:
            self._reseat(self.seats | {here[0]: into})

    def delete(self, number: int) -> None:
        """Nothing is known of that player any more; the results are those of a guest."""
        self._known(number)
        self.leave(*(seat for seat, who in self.seats.items() if who == number))
        del self.players[number]
        self._new.discard(number)
        self._change(result_rows.deleted(number))

    def correct(self, match: int, seat: int, name: str) -> None:
        """A player of that name sat there in an earlier match; a guest if there is no name.

        The match has the number that `export` gives it.
        """
        number = None
        if name:
            name = checked_name(name)
        self._check(lambda book: against_correcting(book, match, seat))
        if name:
            number = self._number_of(name) or self._introduce(name)
            self._new.discard(number)
        self._put(result_rows.corrected(match, seat, number))

    def _change(self, rows: list[Row]) -> None:
        """A name is gone from here."""
        self.changes += 1
        self._put(rows)

    def _check(self, against: Callable[[StoreReader], str]) -> None:
        why = self._look(against)
        if why is None:
            raise PlayerRefused("the store does not answer now; try again")
        if why:
            raise PlayerRefused(why)

    def _introduce(self, name: str) -> int:
        number, self._next = self._next, self._next + 1
        self.players[number] = name
        self._put(result_rows.player(number, name))
        return number

    def _number_of(self, name: str) -> int | None:
        key = name_key(name)
        return next((number for number, each in self.players.items() if name_key(each) == key), None)

    def _known(self, number: int) -> None:
        if number not in self.players:
            raise PlayerRefused(f"there is no player {number}")


# What an operator may say about players: who sits where, what they are called, and who sat where.
#
# None of this is an input of the referee: it does not know who plays.


FORMS = {
    "name": "'name 3 Anna', or 'name 3' for a guest",
    "guests": "'guests': all players have left, and guests sit there",
    "names": "'names': who sits where",
    "player": "'player 7 name Anna', 'player 7 merge 4' or 'player 7 delete'",
    "correct": "'correct 12 3 Anna': in match 12 it was Anna at seat 3; without a name it was a guest",
}
"""The commands, and what they look like."""
_NAMED_AFTER = {"name": 2, "player": 3, "correct": 3}
"""After so many words comes a name."""


def obey_naming(roster: Roster, words: list[str], seats: int = MOST_SEATS) -> None:
    """Do what the operator says; MalformedText or PlayerRefused says why not, and nothing has changed."""
    kind, rest = words[0], words[1:]
    match kind, rest:
        case (("names" | "guests"), []):
            if kind == "guests":
                roster.leave(*roster.seats)
        case "name", [seat]:
            roster.leave(_seat(seat, seats))
        case "name", [seat, *name]:
            roster.sit(_seat(seat, seats), " ".join(name))
        case "player", [number, "name", *name] if name:
            roster.rename(_number(number, kind), " ".join(name))
        case "player", [number, "merge", into]:
            roster.merge(_number(number, kind), _number(into, kind))
        case "player", [number, "delete"]:
            roster.delete(_number(number, kind))
        case "correct", [number, seat, *name]:
            roster.correct(_number(number, kind), _seat(seat, MOST_SEATS), " ".join(name))
        case _:
            raise _malformed(kind)


def without_names(text: str) -> str:
    """A command as it may be put into a log."""
    words = text.split()
    known = _NAMED_AFTER.get(words[0], len(words)) if words else 0
    return " ".join([*words[:known], "…"]) if words[known:] else text


def _number(word: str, kind: str) -> int:
    number = whole_number(word)
    if number is None:
        raise _malformed(kind)
    return number


def _seat(word: str, seats: int) -> int:
    seat = whole_number(word)
    if seat is None or not 1 <= seat <= seats:
        raise PlayerRefused(f"there is no seat '{shortened(word)}'; seats are 1 to {seats}")
    return seat


def _malformed(kind: str) -> MalformedText:
    return MalformedText(f"{kind} looks like {FORMS[kind]}")


# Who sits at the table while it is played, and when a name leaves its seat.
#
# People play several matches, and strangers follow them without a word. So a name stays for the next match.
# It leaves when a match begins in which nothing is dealt to its seat, and when nobody has played for ten
# minutes. In the results of a match there are the names of those who sit there at its end, so a name can be
# given late.


GONE_NS = 600 * S
"""After so long without a match everybody has gone."""
_OVER = (Phase.ATTRACT, Phase.JOIN)


class NamedSeats:
    """Follows one session after the other, and writes who sat where in each match."""

    def __init__(self, roster: Roster, writer: Writer) -> None:
        self.roster = roster
        self._writer = writer
        self._recorded: RecordedSession | None = None
        self._match: int | None = None
        """The number of the match that is played, in its session."""
        self._busy_ns: int | None = None
        """When somebody played last, or was named."""
        roster.on_seats = self._reseated

    def begin(self, recorded: RecordedSession) -> None:
        """From now on this session is played: `follow` gets each step. A match may be under way in it."""
        self._recorded = recorded
        session, matches = recorded.shell.referee.session, recorded.journal.results.matches
        self._match = matches if matches and session.phase not in _OVER else None
        self._write()

    def look(self, now_ns: int, idle: bool) -> None:
        """Called while time goes by; `idle` says that nobody plays."""
        if self._busy_ns is None or not idle or now_ns < self._busy_ns:
            self._busy_ns = now_ns
        elif self.roster.seats and now_ns - self._busy_ns >= GONE_NS:
            self.roster.leave(*self.roster.seats)

    def _reseated(self) -> None:
        self._busy_ns = None
        self._write()

    def follow(self, step: Step) -> None:
        """This was decided."""
        for effect in step.effects:
            if isinstance(effect, RoundStarted):
                self._round(effect)
            elif isinstance(effect, PhaseEntered) and effect.phase in _OVER and self._match is not None:
                self._match = None
                self.roster.keep()

    def _round(self, started: RoundStarted) -> None:
        """A round has started; with the first one of a match, whoever is not dealt anything has left."""
        assert self._recorded is not None
        matches = self._recorded.journal.results.matches
        if matches == self._match:
            return
        self._match = matches
        hands = started.hands
        absent = [seat for seat in self.roster.seats if seat > len(hands) or not hands[seat - 1]]
        if absent:
            self.roster.leave(*absent)  # which writes the others
        else:
            self._write()

    def _write(self) -> None:
        if self._match is not None and self._recorded is not None:
            id = self._recorded.journal.id
            self._writer.put(result_rows.seats_of_match(id, self._match, self.roster.seats))
