"""A thread on which the world around a live table happens: hands act, contacts bounce, readers look."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from typing import Protocol

from firmware_host.durations import S
from firmware_host.players.fingers import Actions
from hw.clock import sharpen_timers


class Happenings(Protocol):
    """What is to happen, each at its moment; the agenda of a simulated table."""

    @property
    def due_ns(self) -> int | None:
        """When something happens next."""

    def run(self, until_ns: int) -> None:
        """Let everything happen that is due by then."""

    def after(self, delay_ns: int, action: Callable[[], None]) -> None:
        """Do this in a while."""


class RealTimeHands:
    """Runs an agenda by the clock, and the actions of hands with it."""

    def __init__(self, agenda: Happenings) -> None:
        self._agenda = agenda
        self._orders: SimpleQueue[Actions | None] = SimpleQueue()
        self._begun = self._done = 0
        self._pool = ThreadPoolExecutor(1)
        self._life = self._pool.submit(self._live)

    def begin(self, actions: Iterable[Actions]) -> None:
        """Let hands do these things at the same time."""
        for each in actions:
            self._begun += 1
            self._orders.put(each)

    @property
    def busy(self) -> bool:
        """Whether some hands are still at it. An error on their thread gets out of here."""
        if self._life.done():
            self._life.result()
        return self._begun != self._done

    def close(self) -> None:
        """End the thread."""
        self._orders.put(None)
        self._pool.shutdown()

    def _live(self) -> None:
        sharpen_timers()
        while True:
            self._agenda.run(time.monotonic_ns())
            due_ns = self._agenda.due_ns
            wait_s = None if due_ns is None else max(0, due_ns - time.monotonic_ns()) / S
            try:
                actions = self._orders.get(timeout=wait_s)
            except Empty:
                continue
            if actions is None:
                return
            self._agenda.run(time.monotonic_ns())
            self._go_on(actions)

    def _go_on(self, actions: Actions) -> None:
        delay_ns = next(actions, None)
        if delay_ns is None:
            self._done += 1
        else:
            self._agenda.after(delay_ns, lambda: self._go_on(actions))
