"""What the rounds of both games have in common: when a round runs, what is in doubt, and who is locked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from typing import NamedTuple

from firmware_host.model.effects import Effect
from firmware_host.model.events import Emptied, Filled, Pressed, TagEvent, TagSeen
from firmware_host.model.places import Slot, Spot, Tag
from firmware_host.model.times import MS, Stamp


class Outbox(list[Effect]):
    """The effects in the order in which they were decided, until they are taken."""

    emit = list.append
    """Add an effect."""

    def take(self) -> list[Effect]:
        """All effects; the outbox is empty afterwards."""
        if not self:
            return []
        effects = self[:]
        self.clear()
        return effects


NOTICED_NS = 250 * MS
"""A device that is found to be lost may have been lost for about this long."""


class End(NamedTuple):
    """When a round ended, and by whom."""

    stamp: Stamp
    seats: tuple[int, ...]
    """The seat that ended it, then those that may have been as early; empty if the round was stuck."""


class Round(ABC):
    """Judges what players do between the start call and the end."""

    def __init__(self, out: Outbox) -> None:
        self.out = out
        self.end: End | None = None
        self.started_ns: int | None = None  # when the first start call was given
        self.called = False  # the start call was given: the counts have been shown to the players
        self._spans: list[tuple[int, int | None]] = []
        self._doubts: list[Stamp] = []
        self._impaired_ns: int | None = None

    # -- what is known

    @property
    @abstractmethod
    def dealt(self) -> tuple[int, ...]:
        """What each seat had to get rid of at the start."""

    @property
    @abstractmethod
    def tally(self) -> tuple[int, ...]:
        """The count of each seat that players want to see during the round."""

    @property
    @abstractmethod
    def owed(self) -> tuple[int, ...]:
        """What each seat has to get rid of, as far as the table knows."""

    @property
    def misplaced(self) -> tuple[Slot, ...]:
        """The places with a missing or an illegal die."""
        return ()

    # -- the clock of the round

    def go(self, t_ns: int) -> None:
        """The round runs from now on."""
        self._spans.append((t_ns, None))

    def stop(self, t_ns: int) -> None:
        """The round stands still: what is surely later does not count."""
        start_ns, _ = self._spans[-1]
        self._spans[-1] = (start_ns, t_ns)

    def running_at(self, stamp: Stamp) -> bool:
        """Whether the round may have been running at that stamp."""
        earliest_ns, latest_ns = stamp
        for start_ns, stop_ns in self._spans:
            if latest_ns >= start_ns and (stop_ns is None or earliest_ns <= stop_ns):
                return True
        return False

    def end_at(self, end: End) -> None:
        """The round has ended; its end may be earlier than now."""
        self.end = end
        end_ns = end.stamp.latest_ns
        self._spans = [
            (start_ns, end_ns if stop_ns is None else min(stop_ns, end_ns))
            for start_ns, stop_ns in self._spans
        ]

    def go_on(self) -> None:
        """The round has not ended after all; the counts will be shown to the players again."""
        self.end = None
        self.called = False

    # -- what is in doubt

    def doubt(self, stamp: Stamp) -> None:
        """Edges were lost in that interval: verdicts that may depend on them are doubtful."""
        self._doubts.append(stamp)

    def impair(self, impaired: bool, t_ns: int) -> None:
        """From then on something is missing that verdicts depend on, or nothing is missing any more."""
        if impaired and self._impaired_ns is None:
            self._impaired_ns = t_ns - NOTICED_NS
        elif not impaired and self._impaired_ns is not None:
            self._doubts.append(Stamp(self._impaired_ns, t_ns))
            self._impaired_ns = None

    def in_doubt(self, first_ns: int, last_ns: int) -> bool:
        """Whether an edge may have been missed between those moments."""
        if self._impaired_ns is not None and last_ns >= self._impaired_ns:
            return True
        return any(doubt.latest_ns >= first_ns and doubt.earliest_ns <= last_ns for doubt in self._doubts)

    # -- what happens

    @abstractmethod
    def slapped(self, event: Pressed, now_ns: int) -> None:
        """Take a slap of a seat."""

    def judge_press(self, seat: int) -> None:
        """A press of that seat can't become a call any more: its button came up, or was masked."""

    def was_long_press(self, seat: int) -> None:
        """A press of that seat was a long one, not a slap."""

    def call_stop(self, seat: int, stamp: Stamp, known_ns: int) -> None:
        """A seat calls stop; it ends a round of cards."""

    def landed(self, event: Filled | Emptied) -> None:
        """Take a change of a slot."""

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        """Take a tag that comes or goes."""

    @abstractmethod
    def decide(self, known_ns: int, now_ns: int) -> None:
        """Decide everything that is due now that everything up to `known_ns` is known."""

    @abstractmethod
    def awaits_after_ns(self, known_ns: int) -> int | None:
        """The next moment up to which everything has to be known for a decision; those before are taken."""

    def close(self, now_ns: int) -> None:
        """The round is settled: dice that nobody has claimed by now have no owner."""


# The tags on each reader, now and a while ago.
#
# A tag counts from a moment that depends on its stamp alone (see timing/lanes.py). The same holds for
# the moment from which it is gone.


class Tags:
    """The tags on all readers; those that went away are remembered for a while."""

    def __init__(self, remember_ns: int) -> None:
        self._remember_ns = remember_ns
        self._lying: dict[Spot, dict[Tag, tuple[int, Stamp]]] = {}
        self._gone: dict[Spot, list[tuple[Tag, int, int]]] = {}

    def take(self, event: TagEvent, counts_ns: int) -> bool:
        """Take an event of a tag, which counts from that moment; True if it changes what lies there."""
        lying = self._lying.setdefault(event.at, {})
        if isinstance(event, TagSeen):
            news = event.tag not in lying
            lying.setdefault(event.tag, (counts_ns, event.stamp))
            return news
        known = lying.pop(event.tag, None)
        if known is None:
            return False
        since_ns, _ = known
        horizon_ns = counts_ns - self._remember_ns
        gone = [each for each in self._gone.get(event.at, ()) if each[2] >= horizon_ns]
        self._gone[event.at] = [*gone, (event.tag, since_ns, counts_ns)]
        return True

    def is_news(self, event: TagEvent) -> bool:
        """Whether the event changes what lies there."""
        return isinstance(event, TagSeen) is not (event.tag in self._lying.get(event.at, {}))

    @property
    def everywhere(self) -> dict[Spot, set[Tag]]:
        """All tags that count now, reader by reader."""
        return {at: set(lying) for at, lying in self._lying.items() if lying}

    def lying(self, at: Spot) -> list[Tag]:
        """The tags that count there now."""
        return list(self._lying.get(at, ()))

    def has_found(self, at: Spot, after_ns: int) -> bool:
        """Whether a tag lies there that was found after that moment."""
        return any(stamp.latest_ns >= after_ns for _, stamp in self._lying.get(at, {}).values())

    def newest(self, at: Spot, after_ns: int) -> list[Tag]:
        """The tags that were found there after that moment; all that lie there if there is none."""
        lying = self._lying.get(at, {})
        return [tag for tag, (_, stamp) in lying.items() if stamp.latest_ns >= after_ns] or list(lying)

    def at(self, at: Spot, stamp: Stamp) -> list[Tag]:
        """The tags that counted there at that stamp."""
        lying = self._lying.get(at, {})
        there = [tag for tag, (since_ns, _) in lying.items() if since_ns <= stamp.latest_ns]
        there += [
            tag
            for tag, since_ns, until_ns in self._gone.get(at, ())
            if since_ns <= stamp.latest_ns and until_ns >= stamp.earliest_ns
        ]
        return list(dict.fromkeys(there))

    def gone_within(self, at: Spot, stamp: Stamp, within_ns: int) -> list[Tag]:
        """The tags that had gone at most that long before that stamp."""
        return [
            tag
            for tag, _, until_ns in self._gone.get(at, ())
            if stamp.earliest_ns - within_ns <= until_ns < stamp.earliest_ns
        ]


# Which seats are locked, and until when.
#
# A lock begins at the stamp of the slap that it is for, so a slap that the seat made meanwhile is
# locked as well. Each slap while locked restarts the lock, so that hammering never gets through by chance.
# How soon a seat is locked, and how fast its locks grow, is a setting.


class LockScale(NamedTuple):
    """How hard a table is on false claims."""

    warnings: int
    """So many false claims of a round are only warned about."""
    most_doublings: int
    """Each further lock of a round is twice as long, so many times."""


LOCK_SCALES = {
    "children": LockScale(warnings=2, most_doublings=0),
    "usual": LockScale(warnings=1, most_doublings=3),
    "strict": LockScale(warnings=0, most_doublings=3),
}


class Locks:
    """The locks of one round."""

    def __init__(self, lock_ns: int, scale: str) -> None:
        self._lock_ns = lock_ns
        self._scale = LOCK_SCALES[scale]
        self._until_ns: dict[int, int] = {}
        self._count: Counter[int] = Counter()

    def until_ns(self, seat: int) -> int:
        """When the last lock of this seat ends; 0 if it never had one."""
        return self._until_ns.get(seat, 0)

    def holds(self, seat: int, stamp: Stamp) -> bool:
        """Whether its seat is locked at the stamp of a slap."""
        return stamp.earliest_ns < self._until_ns.get(seat, 0)

    def begin(self, seat: int, stamp: Stamp) -> None:
        """Lock a seat for what it did at that stamp, or only warn it."""
        self._count[seat] += 1
        if self._count[seat] > self._scale.warnings:
            self.restart(seat, stamp)

    def restart(self, seat: int, stamp: Stamp) -> None:
        """Lock a seat for a moment from that stamp on, for instance because it has slapped while locked."""
        doublings = max(0, min(self._count[seat] - 1 - self._scale.warnings, self._scale.most_doublings))
        self._until_ns[seat] = stamp.latest_ns + (self._lock_ns << doublings)
