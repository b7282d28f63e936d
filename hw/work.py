"""One owner for each bus and port: whatever blocks happens on a thread of its own.

A bus or port is `Work`: it does what is due and says when it wants to be called next. It
knows no thread and reads no clock, so the same driver runs on a thread in a real table
and on the agenda of a simulated one.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Generic, Protocol, TypeVar

from hw.clock import sharpen_timers
from hw.ports import Condition, Health, Tell

AFTER_A_BUG_S = 1.0
STUCK_NS = 10_000_000_000
"""A step that takes this long is stuck: whatever it waits for does not come."""

log = logging.getLogger(__name__)


class Work(Protocol):
    """What the owner of one bus or port does."""

    name: str
    wake: Callable[[], None]
    """Ask the owner for a step, from any thread; the owner puts itself in here."""

    def step(self, now_ns: int) -> int | None:
        """Do what is due; when to be called next (None: only when woken)."""

    def descriptors(self) -> list[int]:
        """Further descriptors to wait for: a step follows as soon as one of these is readable."""

    def report_again(self) -> None:
        """Report the health of each device again, as if nothing had been reported."""

    def close(self) -> None:
        """Leave the devices at rest and release the bus or port; no step follows."""


def nobody_to_wake() -> None:
    """Do nothing: `wake` before there is an owner."""


class OwnerThread:
    """Owns a piece of work in real time."""

    def __init__(self, work: Work, tell: Tell) -> None:
        self.name = work.name
        self.stepped_ns = time.monotonic_ns()
        self._work = work
        self._tell = tell
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._waking = threading.Lock()  # so that no thread writes to a descriptor that is being closed
        self._closing = threading.Event()
        self._closed = False
        self._broken = False
        self._step_began_ns: int | None = None
        work.wake = self.wake
        self._thread = threading.Thread(target=self._run, name=work.name, daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the thread runs; it should until `close`."""
        return self._thread.is_alive()

    @property
    def stuck(self) -> bool:
        """Whether the thread has ended, or does not come back from a step."""
        began_ns = self._step_began_ns
        return not self.alive or (began_ns is not None and time.monotonic_ns() - began_ns > STUCK_NS)

    def wake(self) -> None:
        """Ask for a step, from any thread."""
        with self._waking:
            if not self._closing.is_set():
                os.eventfd_write(self._wake, 1)

    def close(self) -> None:
        """End the thread after the step it is in; then let the work close."""
        with self._waking:
            if self._closed:
                return
            self._closing.set()
            os.eventfd_write(self._wake, 1)
        self._thread.join()  # a signal may interrupt this; then `close` can be called again
        self._closed = True
        try:
            self._work.close()
        finally:
            os.close(self._wake)

    def _run(self) -> None:
        sharpen_timers()
        while not self._closing.is_set():
            due_ns = self._step()
            self._step_began_ns = None
            self.stepped_ns = time.monotonic_ns()
            if self._broken:
                self._closing.wait(AFTER_A_BUG_S)  # without select: a mistake must not keep this thread busy
                continue
            for_s = None if due_ns is None else max(0, due_ns - self.stepped_ns) / 1e9
            try:
                readable = select.select([self._wake, *self._work.descriptors()], (), (), for_s)[0]
            except (OSError, ValueError):  # a descriptor went away; the next step finds out why
                time.sleep(0.01)
                continue
            if self._wake in readable:
                os.eventfd_read(self._wake)

    def _step(self) -> int | None:
        """When the next step is due, after this one; an exception is reported and the step tried again."""
        self._step_began_ns = time.monotonic_ns()
        try:
            due_ns = self._work.step(self._step_began_ns)
        except Exception as error:
            if not self._broken:
                log.exception("%s: a step failed", self.name)
                self._broken = True
                self._tell(
                    Health(self.name, Condition.LOST, f"internal error: {error!r}", "please report it")
                )
            return None
        if self._broken:
            self._broken = False
            self._tell(Health(self.name, Condition.OK))
            self._work.report_again()  # how the devices really are is for their drivers to say
            return time.monotonic_ns()
        return due_ns


T = TypeVar("T")


class Mailbox(Generic[T]):
    """A queue with a descriptor that is readable while something is in it.

    `on_post`, if set, is called after each post, on the thread that posts.
    """

    def __init__(self, on_post: Callable[[], None] | None = None) -> None:
        self.on_post = on_post
        self._items: deque[T] = deque()
        self._wake: int | None = None
        self._lock = Lock()  # so that no thread writes to a descriptor that is being closed

    def post(self, item: T) -> None:
        """Put something in."""
        self._items.append(item)
        with self._lock:
            if self._wake is not None:
                os.eventfd_write(self._wake, 1)
        if self.on_post is not None:
            self.on_post()

    def take(self) -> list[T]:
        """Everything that is in it, in the order of arrival."""
        if not self._items and self._wake is None:
            return []
        if self._wake is not None:
            with contextlib.suppress(BlockingIOError):
                os.eventfd_read(self._wake)
        items = []
        while self._items:
            items.append(self._items.popleft())
        return items

    def fileno(self) -> int:
        if self._wake is None:
            with self._lock:
                self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
            if self._items:  # posted before there was a descriptor
                os.eventfd_write(self._wake, 1)
        return self._wake

    def close(self) -> None:
        with self._lock:
            if self._wake is not None:
                wake, self._wake = self._wake, None
                os.close(wake)


FIRST_NS = 250_000_000
MOST_NS = 4_000_000_000


class Backoff:
    """Waiting times that double from a quarter of a second to four seconds."""

    def __init__(self, first_ns: int = FIRST_NS, most_ns: int = MOST_NS) -> None:
        self._first_ns = first_ns
        self._most_ns = most_ns
        self._next_ns = first_ns

    def after(self, now_ns: int) -> int:
        """When to try again."""
        wait_ns = self._next_ns
        self._next_ns = min(2 * wait_ns, self._most_ns)
        return now_ns + wait_ns

    def reset(self) -> None:
        """Begin with short waits again."""
        self._next_ns = self._first_ns
