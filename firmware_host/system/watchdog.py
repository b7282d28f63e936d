"""Feeds systemd's watchdog, as long as everything that the table hangs on comes back from what it does."""

from __future__ import annotations

import logging
from collections.abc import Callable

from firmware_host.system.notify import Notifier

log = logging.getLogger(__name__)


class Watchdog:
    """Silence for too long ends the daemon; so it is fed as soon as everything is back."""

    def __init__(self, notifier: Notifier) -> None:
        self._notifier = notifier
        self._fed_ns: int | None = None
        self._stuck: list[str] = []

    def look(self, now_ns: int, stuck: Callable[[], list[str]]) -> None:
        """Feed it if that is due and nothing is stuck."""
        every_ns = self._notifier.watchdog_every_ns
        if every_ns is None or (self._fed_ns is not None and now_ns - self._fed_ns < every_ns):
            return
        names = stuck()
        if not names:
            self._fed_ns = now_ns
            self._notifier.watchdog()
        elif names != self._stuck:
            log.error("stuck: %s; the watchdog is not fed any more", ", ".join(names))
        self._stuck = names
