"""What the rounds of both games have in common: the clock of a round, and what is in doubt about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

from firmware_host.durations import MS
from firmware_host.events import Emptied, Filled, Pressed, TagEvent
from firmware_host.places import Slot
from firmware_host.stamps import Stamp
from firmware_host.table.outbox import Outbox

NOTICED_NS = 250 * MS
"""A device that is found to be lost may have been so for about this long."""


class End(NamedTuple):
    """When a round ended, and by whom."""

    stamp: Stamp
    seats: tuple[int, ...]
    """Who ended it; whoever may have been as early follows. Nobody, if all say that they can't play on."""


class Round(ABC):
    """Judges what hands do between the start call and the end."""

    def __init__(self, out: Outbox) -> None:
        self.out = out
        self.end: End | None = None
        self.started_ns: int | None = None  # when the first start call was given
        self.called = False  # the start call was given: players know what each of them holds
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
        """What people want to see of each seat while they play."""

    @property
    @abstractmethod
    def owed(self) -> tuple[int, ...]:
        """What each seat has to get rid of, as far as the table knows."""

    @property
    def misplaced(self) -> tuple[Slot, ...]:
        """The places that look otherwise than they should."""
        return ()

    # -- the clock of the round

    def go(self, t_ns: int) -> None:
        """What hands do counts from here on."""
        self._spans.append((t_ns, None))

    def stop(self, t_ns: int) -> None:
        """What hands do surely after this counts for nothing."""
        start_ns, _ = self._spans[-1]
        self._spans[-1] = (start_ns, t_ns)

    def running_at(self, stamp: Stamp) -> bool:
        """Whether the round may have been running at that stamp."""
        return any(
            stamp.latest_ns >= start_ns and (stop_ns is None or stamp.earliest_ns <= stop_ns)
            for start_ns, stop_ns in self._spans
        )

    def end_at(self, end: End) -> None:
        """The round has ended, whatever happened since."""
        self.end = end
        end_ns = end.stamp.latest_ns
        self._spans = [
            (start_ns, end_ns if stop_ns is None else min(stop_ns, end_ns))
            for start_ns, stop_ns in self._spans
        ]

    def go_on(self) -> None:
        """It has not ended after all; players are told again what each of them holds."""
        self.end = None
        self.called = False

    # -- what is in doubt

    def doubt(self, stamp: Stamp) -> None:
        """Edges were lost in that interval: what may have hung on them is doubtful."""
        self._doubts.append(stamp)

    def impair(self, impaired: bool, t_ns: int) -> None:
        """From then on something is missing that verdicts hang on, or all is there again."""
        if impaired and self._impaired_ns is None:
            self._impaired_ns = t_ns - NOTICED_NS
        elif not impaired and self._impaired_ns is not None:
            self._doubts.append(Stamp(self._impaired_ns, t_ns))
            self._impaired_ns = None

    def in_doubt(self, first_ns: int, last_ns: int) -> bool:
        """Whether something may have been missed between those moments."""
        if self._impaired_ns is not None and last_ns >= self._impaired_ns:
            return True
        return any(doubt.latest_ns >= first_ns and doubt.earliest_ns <= last_ns for doubt in self._doubts)

    # -- what happens

    @abstractmethod
    def slapped(self, event: Pressed, now_ns: int) -> None:
        """Take a slap of a seat."""

    def judge_press(self, seat: int, now_ns: int) -> None:
        """A press of that seat can't become a call any more: its button came up, or was lost sight of."""

    def was_long_press(self, seat: int) -> None:
        """A press of that seat was a long one, and no slap."""

    def call_stop(self, seat: int, stamp: Stamp, now_ns: int) -> None:
        """A seat calls stop, where that ends a round."""

    def landed(self, event: Filled | Emptied) -> None:
        """Take a change of a slot."""

    def tagged(self, event: TagEvent, now_ns: int) -> None:
        """Take a tag that comes or goes."""

    @abstractmethod
    def tick(self, now_ns: int) -> None:
        """Decide everything that is ripe by now."""

    @abstractmethod
    def due_after_ns(self, now_ns: int) -> int | None:
        """When `tick` is needed next."""

    def close(self, now_ns: int) -> None:
        """The round is settled: what nobody has got by now belongs to nobody."""
