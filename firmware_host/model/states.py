"""The states of the table, its places and its devices, and the reasons for changes of them.

Logs, stores and `--json` have the values of a `StrEnum`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, IntEnum, StrEnum

from hw.ports import Condition as Condition
from hw.ports import Health


class Phase(Enum):
    """What the table is doing."""

    ATTRACT = "attract"  # nobody plays: lights run, and the last standings are shown
    JOIN = "join"  # seats press to sit down
    COUNTDOWN = "countdown"  # three, two, one
    PLAY = "play"  # a round is running
    PAUSED = "paused"  # a round stands still for a while
    SETTLE = "settle"  # late stamps come in, then everybody checks the leftover dice
    SCORES = "scores"  # the points of the round
    CLEAR = "clear"  # the board is emptied, and the dice or cards of a round are dealt
    RESULT = "result"  # the standings of the match


class SlotState(IntEnum):
    """What lies on a place, as the referee sees it."""

    FREE = 0  # nothing
    OPEN = 1  # a legal die that waits for a slap
    COUNTED = 2  # a die that a seat has claimed
    LAPSED = 3  # a legal die that nobody claimed in time; lift it and place it again
    MISSING = 4  # a counted or unclaimed die was knocked off: put it back
    ILLEGAL = 5  # a die that must not be there: take it off

    def __init__(self, _: int) -> None:
        self.word = self.name.lower()


DeviceCondition = Health
"""The condition of a device is the very value that its driver reports."""


class MaskReason(StrEnum):
    """Why a button or slot is not listened to."""

    CHATTERS = "chatters"  # it changes more often than a hand can make it
    STUCK = "stuck"  # a button that has been down for too long


class AwayReason(StrEnum):
    """Why the table was away."""

    POWER = "power"  # it was off, or its daemon was not running
    SERVICE = "service"  # somebody was in service mode


class VoidReason(StrEnum):
    """Why a round does not count."""

    STUCK = "stuck"  # nobody could play any more
    INTERRUPTED = "interrupted"  # the table was away, and the players did not want to go on
    UNSETTLED = "unsettled"  # nobody knew any more what each seat had left
    OPERATOR = "operator"  # the operator decided so


class AbandonReason(StrEnum):
    """Why a match was given up."""

    PAUSED = "paused"  # nobody went on after a pause
    UNREADY = "unready"  # nobody was ready for a round
    OPERATOR = "operator"  # the operator decided so


class Corrector(StrEnum):
    """Who corrected a leftover count."""

    PLAYERS = "players"  # after a dispute, with their buttons
    OWNER = "owner"  # its player, asked for a die that lay there without an owner
    OPERATOR = "operator"  # by a command


MASKED = {MaskReason.CHATTERS: "chatters", MaskReason.STUCK: "is stuck"}
_VOIDED = {
    VoidReason.STUCK: "nobody could play",
    VoidReason.INTERRUPTED: "it was not resumed after the interruption",
    VoidReason.UNSETTLED: "the counts were unclear",
    VoidReason.OPERATOR: "by the operator",
}
_AGREED = {VoidReason.STUCK: "that nobody could play", VoidReason.INTERRUPTED: "not to resume it"}


def void_words(reason: VoidReason, seats: Sequence[int] = ()) -> str:
    """`seats 1 to 4 agreed that nobody could play`; `seats` held their buttons to say so."""
    if not seats or reason not in _AGREED:
        return _VOIDED[reason]
    return f"{_seats(seats)} agreed {_AGREED[reason]}"


def _seats(seats: Sequence[int]) -> str:
    if len(seats) > 2 and list(seats) == list(range(seats[0], seats[-1] + 1)):
        return f"seats {seats[0]} to {seats[-1]}"
    *others, last = map(str, seats)
    return f"seats {', '.join(others)} and {last}" if others else f"seat {last}"
