"""Why the table ignores a contact, or voids a round: in words, for logs and reports."""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.states import MaskReason, VoidReason

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
