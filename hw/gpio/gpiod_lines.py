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
from collections.abc import Callable, Iterable
from typing import Any

from hw.backoff import Backoff
from hw.gpio.errors import GpioError
from hw.gpio.gpio_chips import ChipInfo, explained, found_again
from hw.gpio.kernel_events import EventReader, KernelEvent
from hw.gpio.known_level import UNDER_WAY_NS
from hw.gpio.libgpiod import BIAS, BROKEN, CONSUMER, gpiod_module
from hw.mailbox import Mailbox
from hw.ports import Condition, Edge, Gap, Health, Tell

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
