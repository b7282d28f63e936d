"""Queues for what devices report, from any thread, until the loop takes it."""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

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
