"""Edges straight from the kernel, through libgpiod: the recommended driver for race buttons.

All lines are in one request, so that the kernel counts their interrupts together. The
kernel's own debounce stays off: it would stamp a press when the bounce is over.

A Pi's chip may lose an edge that comes close to another line's, and no number shows it. So each
batch of events is followed by a look at all levels, and whoever reads calls `resync` now and then.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hw.gpio.gpio_chips import (
    BIAS,
    BROKEN,
    CONSUMER,
    ChipInfo,
    GpioError,
    explained,
    found_again,
    gpiod_module,
)
from hw.gpio.known_level import UNDER_WAY_NS, KnownLevel
from hw.ports import Condition, Edge, Gap, Health, Tell
from hw.work import Backoff, Mailbox

# From the kernel's edge events to edges and gaps.
#
# The kernel counts and stamps an interrupt when it comes (the request's number), but
# a thread of each line's own reads the line's level a little later and queues the event (the
# line's number). The numbers are read accordingly.
#
# * Events may be queued in another order than that of their numbers. That is no fault, and they
#   are not sorted here: whoever compares stamps does that.
# * If the queue is full, its oldest event is dropped. That event had both numbers, so it leaves
#   a hole in the line's numbers, or (if nothing more comes from that line) the queue was found
#   full and there is a hole in the request's. Edges are lost: a gap, and a look at the levels.
# * If a line changes again before its thread has run, the second interrupt takes the place of
#   the first: a hole in the request's numbers alone. Nothing is lost but a bounce; the stamp is
#   late by no more than the thread was, which is below the driver's uncertainty.
# * The level belongs to the moment at which the thread ran. An event whose level is the one
#   that the line had anyway means that it went away and came back: both edges are reported,
#   at the event's stamp, or the second at that of the line's next event if that has the same level.
#   Without this a button that bounces at once would be dated by a later bounce. The last
#   event of a burst has the right level, since its thread ran after it.
# * Some chips lose an interrupt altogether when another line's comes at the same time: no event,
#   and no hole in any number. Only the line's level shows it. So the levels are read after each
#   batch of events and every so often, and a level that no event explains in time is a lost edge.


class KernelEvent(NamedTuple):
    """One event as the kernel queues it; both numbers count from 1."""

    line: int
    high: bool
    t_ns: int
    number: int
    line_number: int


class EventReader:
    """Reads the events of one request. `now_ns` is the moment at which its lines had those levels."""

    def __init__(self, levels: Mapping[int, bool], now_ns: int, under_way_ns: int = UNDER_WAY_NS) -> None:
        self._lines = {line: KnownLevel(high, now_ns, under_way_ns) for line, high in levels.items()}
        self._line_numbers = dict.fromkeys(levels, 0)
        self._number = 0
        self._newest_ns = now_ns
        self._next_seq = 0
        self._dropped_since_ns: int | None = None  # since the last look

    def restart(self) -> None:
        """The lines were requested again: the kernel counts from 1, and edges until now are lost."""
        self._line_numbers = dict.fromkeys(self._lines, 0)
        self._number = 0
        self._dropped_since_ns = 0

    def levels(self) -> dict[int, bool]:
        """The levels as they have been reported."""
        return {line: known.high for line, known in self._lines.items()}

    def take(self, events: Sequence[KernelEvent], full: bool) -> list[Edge | Gap]:
        """Edges in the order of their arrival, after the gap if there is one. `full`: the queue was full."""
        if not events:
            return []
        reports: list[Edge | Gap] = []
        dropped = [self._dropped_before(event) for event in events]
        gap = self._gap(events, sum(dropped), full)
        if gap is not None:
            reports.append(gap)
            if self._dropped_since_ns is None:
                self._dropped_since_ns = gap.since_ns
        following = _followed(events)
        for event, lost, next_high in zip(events, dropped, following, strict=True):
            reports += self._edges(event, lost > 0, next_high)
        return reports

    def look(self, levels: Mapping[int, bool], before_ns: int, after_ns: int) -> list[Edge | Gap]:
        """What levels add that were read between those two moments, after the events queued by then.

        After a gap: a wide edge for each line that has changed. Otherwise: a gap and a wide edge for
        each line whose change left no trace in the events.
        """
        found: list[Edge | Gap] = []
        dropped_since_ns, self._dropped_since_ns = self._dropped_since_ns, None
        for line, high in levels.items():
            known = self._lines[line]
            if dropped_since_ns is None:
                found += self._found(line, known.look(high, before_ns, after_ns))
            else:
                wide_ns = known.compare(high, before_ns, after_ns, dropped_since_ns)
                found += [] if wide_ns is None else [self._edge(line, high, after_ns, wide_ns)]
        return found

    def _dropped_before(self, event: KernelEvent) -> int:
        """How many events of its line were dropped before this one."""
        dropped = event.line_number - self._line_numbers[event.line] - 1
        self._line_numbers[event.line] = event.line_number
        return dropped

    def _gap(self, events: Sequence[KernelEvent], dropped: int, full: bool) -> Gap | None:
        """What was lost before or between these events; it may count a bounce or two too many."""
        since_ns, self._newest_ns = self._newest_ns, max(self._newest_ns, *(event.t_ns for event in events))
        missing = 0
        until_ns = min(event.t_ns for event in events)
        for event in sorted(events, key=_number):
            if event.number > self._number:
                hole = event.number - self._number - 1
                self._number = event.number
                missing += hole
                until_ns = event.t_ns if hole else until_ns
        if not dropped and not (full and missing):
            return None
        return Gap(max(dropped, missing), since_ns, max(since_ns, until_ns))

    def _edges(self, event: KernelEvent, after_loss: bool, next_high: bool | None) -> list[Edge | Gap]:
        """The edges of an event; `next_high` is the level of the next event of its line, if there is one."""
        line, high, t_ns, _, _ = event
        known = self._lines[line]
        edges = self._found(line, known.confirm(t_ns))
        if high is known.high and t_ns >= known.since_ns and not after_loss:
            edges.append(self._edge(line, not high, t_ns))
            if next_high is high:  # the way back has an event of its own
                known.reported(not high, t_ns)
                return edges
        known.reported(high, t_ns)
        edges.append(self._edge(line, high, t_ns))
        return edges

    def _found(self, line: int, lost: tuple[int, int] | None) -> list[Edge | Gap]:
        """A gap and a wide edge for a change that was lost between those two moments."""
        if lost is None:
            return []
        since_ns, until_ns = lost
        high = self._lines[line].high
        return [Gap(1, since_ns, until_ns), self._edge(line, high, until_ns, until_ns - since_ns)]

    def _edge(self, line: int, high: bool, t_ns: int, wide_ns: int = 0) -> Edge:
        seq = self._next_seq
        self._next_seq += 1
        return Edge(line, high, t_ns, seq, wide_ns)


def _followed(events: Sequence[KernelEvent]) -> list[bool | None]:
    """For each event the level of the next one of its line, or None if there is none."""
    levels: dict[int, bool] = {}
    following: list[bool | None] = []
    for event in reversed(events):
        following.append(levels.get(event.line))
        levels[event.line] = event.high
    following.reverse()
    return following


def _number(event: KernelEvent) -> int:
    return event.number


UNCERTAINTY_NS = 100_000
MOST_QUEUED = 1024
"""The longest queue that the kernel allows."""
AWAY = "look whether gpiodetect still shows it; it is tried again"


class GpiodLines:
    """Input lines of one chip. `queue` is how many events the kernel keeps while nobody reads."""

    def __init__(
        self,
        chip: ChipInfo,
        lines: Iterable[int],
        pull: str,
        *,
        uncertainty_ns: int = UNCERTAINTY_NS,
        under_way_ns: int = UNDER_WAY_NS,
        queue: int = MOST_QUEUED,
        now_ns: Callable[[], int] = time.monotonic_ns,
        tell: Tell | None = None,
        name: str = "gpio",
    ) -> None:
        self.name = name
        self.uncertainty_ns = uncertainty_ns
        self.chip = chip
        self._numbers = sorted(lines)
        self._pull = pull
        self._queue = queue
        self._queue_really = 1 << (queue - 1).bit_length()  # what the kernel makes of it
        self._now_ns = now_ns
        self._tell = tell
        self._backoff = Backoff()
        self._lost_ns: int | None = None
        self._retry_ns = 0
        self._request: Any = self._open()
        self._found: Mailbox[Edge | Gap] = Mailbox()
        self._waiting = select.epoll()  # the request may come and go, this descriptor stays
        self._waiting.register(self._found.fileno(), select.EPOLLIN)
        self._waiting.register(self._request.fd, select.EPOLLIN)
        self._reader = EventReader(self._look(), now_ns(), under_way_ns)

    def read(self) -> list[Edge | Gap]:
        if self._waiting.closed:
            return []
        reports = self._found.take()
        if self._request is None:
            return reports
        try:
            events, full = self._drain()
            reports += self._reader.take(events, full)
            if events:
                reports += self._look_again()
        except BROKEN as error:
            self._lose(error)
        return reports

    def levels(self) -> dict[int, bool]:
        """The level of each line now; while the chip is away, the last that were reported."""
        if self._waiting.closed:
            return {}
        if self._request is not None:
            try:
                return self._look()
            except BROKEN as error:
                self._lose(error)
        return self._reader.levels()

    def resync(self) -> None:
        """Compare each line with the level that was reported; if it differs twice, `read` gives a wide edge.

        Call it now and then: it also tries to open a chip again that went away.
        """
        if self._waiting.closed:
            return
        if self._request is None and not self._reopen():
            return
        try:
            for report in self._look_again():
                self._found.post(report)
        except BROKEN as error:
            self._lose(error)

    def fileno(self) -> int:
        return self._waiting.fileno()

    def close(self) -> None:
        if not self._waiting.closed:
            self._release()
            self._waiting.close()
            self._found.close()

    # -- the request

    def _open(self) -> Any:
        gpiod = gpiod_module()
        line = gpiod.line
        settings = gpiod.LineSettings(
            direction=line.Direction.INPUT,
            edge_detection=line.Edge.BOTH,
            bias=getattr(line.Bias, BIAS[self._pull]),
            event_clock=line.Clock.MONOTONIC,
        )
        try:
            request = gpiod.request_lines(
                self.chip.path,
                {tuple(self._numbers): settings},
                consumer=CONSUMER,
                event_buffer_size=self._queue,
            )
        except BROKEN as error:
            raise explained(error, self.chip, self._numbers) from error
        os.set_blocking(request.fd, False)
        self._rising = gpiod.EdgeEvent.Type.RISING_EDGE
        self._active = line.Value.ACTIVE
        return request

    def _look(self) -> dict[int, bool]:
        values = self._request.get_values(self._numbers)
        return {line: value is self._active for line, value in zip(self._numbers, values, strict=True)}

    def _drain(self) -> tuple[list[KernelEvent], bool]:
        """All that is queued, and whether the queue was full. A storm that never ends is left for later."""
        events: list[KernelEvent] = []
        while len(events) < 2 * self._queue_really:
            try:
                queued = self._request.read_edge_events(self._queue_really)
            except BlockingIOError:
                break
            events += [self._event(event) for event in queued]
        return events, len(events) >= self._queue_really

    def _event(self, event: Any) -> KernelEvent:
        return KernelEvent(
            event.line_offset,
            event.event_type is self._rising,
            event.timestamp_ns,
            event.global_seqno,
            event.line_seqno,
        )

    def _look_again(self) -> list[Edge | Gap]:
        """Look at the lines in case an edge was lost; first comes whatever was queued until then."""
        before_ns = self._now_ns()
        levels = self._look()
        after_ns = self._now_ns()
        reports = self._reader.take(*self._drain())
        return [*reports, *self._reader.look(levels, before_ns, after_ns)]

    # -- its loss and return

    def _lose(self, error: Exception) -> None:
        self._release()
        now_ns = self._now_ns()
        self._lost_ns = now_ns
        self._retry_ns = self._backoff.after(now_ns)
        self._say(Condition.LOST, f"the chip is gone: {getattr(error, 'strerror', None) or error}", AWAY)

    def _reopen(self) -> bool:
        """Try the chip again; what happened meanwhile is a gap."""
        now_ns = self._now_ns()
        if now_ns < self._retry_ns:
            return False
        try:
            self.chip = found_again(self.chip)
            self._request = self._open()
        except (GpioError, *BROKEN):
            self._retry_ns = self._backoff.after(now_ns)
            return False
        self._waiting.register(self._request.fd, select.EPOLLIN)
        self._backoff.reset()
        self._reader.restart()
        lost_ns, self._lost_ns = self._lost_ns, None
        self._found.post(Gap(0, lost_ns or now_ns, now_ns))
        self._say(Condition.OK)
        return True

    def _release(self) -> None:
        request, self._request = self._request, None
        if request is not None:
            with contextlib.suppress(OSError):  # the descriptor of a chip that is gone
                self._waiting.unregister(request.fd)
            request.release()

    def _say(self, condition: Condition, seen: str = "", advice: str = "") -> None:
        if self._tell is not None:
            self._tell(Health(self.name, condition, seen, advice))
