"""What is known of a round of dice: one record a place, one a seat, and the slaps that wait for a verdict.

All rules of the folder read and write these records, and nobody else writes them. What follows from an event
or a ruling is seen by looking at the records again: nothing is told to anybody, and nothing is undone. A die
that counts for nobody any more leaves a new record, so who still holds the old one sees it as it was.
"""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from itertools import count
from operator import attrgetter
from typing import NamedTuple

from firmware_host.games.dice.dice import DicePosition
from firmware_host.games.round import Locks
from firmware_host.model.places import ALL_SLOTS, SLOT_INDEX, Slot
from firmware_host.model.settings import Settings
from firmware_host.model.states import SlotState
from firmware_host.model.times import S, Stamp, exactly

_NEVER = exactly(-(1 << 62))
_SLACK_NS = 1 * S
"""More than the stamps of what came may differ from the moment at which it is known."""


@dataclass(slots=True, eq=False)
class Place:
    """What lies on a place, and what has happened to it."""

    slot: Slot
    state: SlotState = SlotState.FREE  # of its die, whether or not that was knocked off
    missing: bool = False  # its die was knocked off
    placed: Stamp | None = None  # None if it has lain there since before the round or the leftover check
    since: Stamp | None = None  # earlier than that if it had lapsed below others and was set down again
    doubtful: bool = False  # it may have come at another time than its stamp says
    owner: int | None = None
    slap: Stamp | None = None  # by which its owner has signed for it
    told: set[int] = field(default_factory=set)  # the seats whose slap for it was too late, or for nothing
    order: int = 0  # in which dice were awarded, or came where they do not belong
    lifted: Stamp | None = None  # when a counted die was lifted that may be taken back
    set_down: Stamp | None = None  # when a counted die was set down again that may be reclaimed
    moved: int = 0  # the order in which they were lifted or set down

    @property
    def visible(self) -> SlotState:
        """The state that players see."""
        return SlotState.MISSING if self.missing else self.state

    @property
    def came(self) -> Stamp:
        """When the die came that can be signed for: when it was set down again if it was counted before."""
        stamp = self.set_down or self.placed
        assert stamp is not None
        return stamp


@dataclass(slots=True, eq=False)
class Slap:
    """A slap that waits for its verdict."""

    seat: int
    stamp: Stamp
    expiry_ns: int  # up to then a die may come down for which it was early
    late: bool  # it was made after the end
    lost: Place | None = None  # the die whose dead heat it has just lost


@dataclass(slots=True)
class Told:
    """A slap that had its verdict: whether it got a die (None: it was for an illegal one)."""

    stamp: Stamp
    won: bool | None
    too_late: bool = False


class Reason(NamedTuple):
    """Why a seat may reclaim a die: a slap of it that has got nothing, as is known since that stamp."""

    slap: Stamp
    since: Stamp


@dataclass(slots=True, eq=False)
class Seat:
    """What a seat has left, and what its slaps came to."""

    dealt: int
    left: int
    out_at: Stamp | None = None  # when it had got rid of its last die
    last: Stamp = _NEVER  # its last slap that had a verdict of its own
    last_won: bool = False
    told: list[Told] = field(default_factory=list)  # its latest slaps, in the order of their stamps
    failed: int = 0  # how many older ones got nothing
    reasons: list[Reason] = field(default_factory=list)

    def tell(self, told: Told, kept_ns: int) -> None:
        """A slap has got its verdict. Of those that are much older only how many got nothing is kept."""
        insort(self.told, told, key=attrgetter("stamp"))
        old_ns = told.stamp.earliest_ns - kept_ns - _SLACK_NS
        while len(self.told) > 2 and self.told[1].won is not None and self.told[1].stamp.latest_ns < old_ns:
            self.failed += self.told.pop(0).won is False
        self.reasons = [each for each in self.reasons if each.since.latest_ns >= old_ns]

    def tell_again(self, slap: Stamp, *, won: bool) -> None:
        """A die that was counted for that slap is another seat's, or the other way round."""
        for each in self.told:
            if each.stamp == slap:
                each.won = won
                return
        self.failed += -1 if won else 1

    def failed_before(self, press: Stamp) -> int:
        """How many slaps before that press got nothing, and this press too if a rival was first."""
        failed = self.failed
        for each in self.told:
            before = each.won is False and each.stamp.surely_before(press)
            failed += before or (each.too_late and each.stamp == press)
        return failed


class Records:
    """All that is known of one round."""

    def __init__(self, settings: Settings, position: DicePosition) -> None:
        self.heights = list(position.heights)
        self.claimed = position.claimed
        """How many dice have been claimed."""
        self.finisher = position.finisher
        hands = zip(position.dealt, position.left, strict=True)
        self.seats = {number: Seat(dealt, left) for number, (dealt, left) in enumerate(hands, start=1)}
        self.places = [Place(slot) for slot in ALL_SLOTS]
        for slot in position.board:
            self.at(slot).state = SlotState.COUNTED
        self.waiting: list[Place] = []
        """The open places, in the order in which their dice came."""
        self.slaps: list[Slap] = []
        self.locks = Locks(settings.lock_ns, settings.locks)
        self.last_win = exactly(0)
        """The last slap that got a die."""
        self.end: Stamp | None = None
        self.ends: list[Stamp] = []
        """When seats had placed all their dice, while it may still be undecided which was first."""
        self.next_order = count(1).__next__
        """Rises with each call."""

    @property
    def position(self) -> DicePosition:
        """The round as a value."""
        r, y, g, b = self.heights
        dealt = tuple(seat.dealt for seat in self.seats.values())
        return DicePosition((r, y, g, b), dealt, self.left, self.finisher)

    @property
    def left(self) -> tuple[int, ...]:
        """The dice that each seat has left."""
        return tuple(seat.left for seat in self.seats.values())

    @property
    def set_down(self) -> list[Place]:
        """The counted dice that were set down again and may be reclaimed, in that order."""
        return sorted((place for place in self.places if place.set_down), key=_came)

    def at(self, slot: Slot) -> Place:
        """The record of a place."""
        return self.places[SLOT_INDEX[slot]]

    def is_next(self, slot: Slot) -> bool:
        """Whether a die may be placed there now."""
        return slot.number == self.heights[slot.colour] + 1

    # -- what happens to a die

    def open(self, place: Place, stamp: Stamp) -> None:
        """A legal die waits for a slap. If it had lapsed it has been there for longer."""
        if place.state is not SlotState.LAPSED:
            place.since = stamp
        place.state, place.placed = SlotState.OPEN, stamp
        insort(self.waiting, place, key=_came)
        if place.slot.number > 1:
            self.places[SLOT_INDEX[place.slot] - 1].lifted = None  # nobody can take that one back any more

    def clear(self, place: Place, state: SlotState = SlotState.FREE) -> Place:
        """What lies there counts for nobody, or nobody knows any more for whom: the new record."""
        if place.state is SlotState.OPEN:
            self.waiting.remove(place)
        new = self.places[SLOT_INDEX[place.slot]] = Place(place.slot, state)
        return new

    def claim(self, number: int) -> bool:
        """A seat has got rid of one of its dice; whether it was the last one."""
        seat = self.seats[number]
        seat.left -= 1
        self.claimed += 1
        if not seat.left and self.finisher is None:
            self.finisher = number
        return not seat.left

    def give_back(self, number: int) -> None:
        """A seat has one of its dice again."""
        self.seats[number].left += 1
        self.claimed -= 1

    def end_at(self, end: Stamp) -> list[Place]:
        """The round has ended then. What came surely after that counts for nobody: these places.

        What lies on such a die came after it, even where their stamps leave that open.
        """
        self.end = end
        for slap in self.slaps:
            slap.late = end.surely_before(slap.stamp)
        undone = []
        above: set[int] = set()
        for place in self.places:
            colour, number = place.slot
            if place.since is not None and (colour in above or end.surely_before(place.since)):
                if colour not in above:
                    above.add(colour)
                    self.heights[colour] = number - 1
                if place.owner is not None:
                    self.give_back(place.owner)
                new = self.clear(place, SlotState.ILLEGAL)
                new.missing = place.missing
                undone.append(new)
        return undone[::-1]

    def go_on(self, left: tuple[int, ...]) -> list[Place]:
        """The round has not ended, and these counts are right: the places of dice that have an owner by them.

        Nobody knows which dice have none, so of those that lapsed the oldest have one.
        """
        self.end = self.finisher = None
        self.ends.clear()
        for seat, has_left in zip(self.seats.values(), left, strict=True):
            seat.left, seat.out_at, seat.failed, seat.told, seat.reasons = has_left, None, 0, [], []
        self.claimed = self.position.claimed
        lapsed = sorted((place for place in self.places if place.state is SlotState.LAPSED), key=_came)
        owned = lapsed[: max(0, len(lapsed) - (sum(self.heights) - self.claimed))]
        for place in self.places[:]:
            if place in owned or place.state is SlotState.COUNTED:
                self.clear(place, SlotState.COUNTED).missing = place.missing
        return [self.at(place.slot) for place in owned]


def _came(place: Place) -> tuple[Stamp, int]:
    return place.came, place.moved
