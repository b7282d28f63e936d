"""The players that a table knows, and at which seats they sit now.

A player is known by a number in all results, and has a name in one place. So a name can be changed, and
deleted. Guests are not known at all. What changes here is handed to the store as rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from firmware_host.errors import TableError
from firmware_host.player_name import checked_name, name_key
from firmware_host.store import player_rows
from firmware_host.store.corrections import against_correcting, against_merging
from firmware_host.store.store_reader import StoreReader
from firmware_host.store.writer import Row

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
        rows = [row for each in list(self.players.items()) for row in player_rows.player(*each)]
        return rows + player_rows.seats_now(dict(self.seats))

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
        self._put(player_rows.seats_now(seats))
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
        self._change(player_rows.renamed(number, name))

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
        self._change(player_rows.merged(number, into))
        if here:
            self._reseat(self.seats | {here[0]: into})

    def delete(self, number: int) -> None:
        """Nothing is known of that player any more; the results are those of a guest."""
        self._known(number)
        self.leave(*(seat for seat, who in self.seats.items() if who == number))
        del self.players[number]
        self._new.discard(number)
        self._change(player_rows.deleted(number))

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
        self._put(player_rows.corrected(match, seat, number))

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
        self._put(player_rows.player(number, name))
        return number

    def _number_of(self, name: str) -> int | None:
        key = name_key(name)
        return next((number for number, each in self.players.items() if name_key(each) == key), None)

    def _known(self, number: int) -> None:
        if number not in self.players:
            raise PlayerRefused(f"there is no player {number}")
