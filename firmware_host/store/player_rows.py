"""The rows of players: who they are, where they sit, and where they sat in which match."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.store.writer import Row

_PLAYER = "INSERT OR REPLACE INTO players (n, name) VALUES (?, ?)"
_RENAMED = "UPDATE players SET name = ? WHERE n = ?"
_NO_PLAYER = "DELETE FROM players WHERE n = ?"
_SEAT = "INSERT OR REPLACE INTO named_seats (seat, player) VALUES (?, ?)"
_NO_SEATS = "DELETE FROM named_seats"
_SAT = "INSERT OR REPLACE INTO sat (chapter, match, seat, player) VALUES (?, ?, ?, ?)"
_NOBODY_SAT = "DELETE FROM sat WHERE chapter = ? AND match = ?"
_SAT_BY_NUMBER = (
    "INSERT OR REPLACE INTO sat (chapter, match, seat, player) "
    "SELECT chapter, number, ?, ? FROM matches WHERE n = ?"
)
_GUEST_BY_NUMBER = (
    "DELETE FROM sat WHERE seat = ? AND (chapter, match) IN (SELECT chapter, number FROM matches WHERE n = ?)"
)


def player(number: int, name: str) -> list[Row]:
    """There is such a player."""
    return [(_PLAYER, (number, name))]


def seats_now(seats: Mapping[int, int]) -> list[Row]:
    """These players sit there now, by seat; guests sit at all other seats."""
    return [(_NO_SEATS, ()), *((_SEAT, each) for each in sorted(seats.items()))]


def seats_of_match(session_log: int, match: int, seats: Mapping[int, int]) -> list[Row]:
    """These players sit there in a match, by seat; it is known by its session and its number there."""
    sat = [(_SAT, (session_log, match, *each)) for each in sorted(seats.items())]
    return [(_NOBODY_SAT, (session_log, match)), *sat]


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
