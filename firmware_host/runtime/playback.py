"""A recorded session, replayed at a pace of one's choice and told to the readers of a feed."""

from __future__ import annotations

import select
import time
from collections.abc import Callable

from firmware_host.durations import S
from firmware_host.feed.table_state import Surroundings
from firmware_host.runtime.feed_outlet import FeedOutlet
from firmware_host.runtime.recorded_sessions import RecordedSession, begin_session, replayed_moments
from firmware_host.states import Phase
from firmware_host.store.audits import Audits
from firmware_host.store.store_reader import SessionLog

LEAD_NS = 3 * S
"""Playback begins so long before what was asked for."""
IDLE_NS = 5 * S
"""While nobody plays it waits no longer than this."""
LOOK_S = 0.5


class Playback:
    """Replays sessions for whoever reads that feed. `wait` lets so many seconds pass."""

    def __init__(self, outlet: FeedOutlet, speed: float, wait: Callable[[float], None] | None = None) -> None:
        self._outlet = outlet
        self._speed = speed
        self._wait = wait or self._wait_for_readers
        self._due_s = 0.0

    def play(
        self, session_log: SessionLog, audits: Audits, now_text: Callable[[], str], from_ns: int = 0
    ) -> RecordedSession:
        """The whole session, replayed; what is before `from_ns` takes no time."""
        recorded = begin_session(session_log.id, session_log.head, audits, now_text)
        self._outlet.around = lambda: Surroundings(session_log.head.event)
        self._outlet.begin(recorded)
        shell = recorded.shell
        now_ns = max(session_log.head.t_ns, from_ns - LEAD_NS)
        for to_ns in replayed_moments(recorded, session_log):
            while shell.due_ns is not None and shell.due_ns < to_ns:
                now_ns = self._reach(shell.due_ns, now_ns, recorded)
            now_ns = self._reach(to_ns, now_ns, recorded)
        return recorded

    def _reach(self, t_ns: int, now_ns: int, recorded: RecordedSession) -> int:
        """Let the time until then pass, and do what is due."""
        if t_ns > now_ns:
            idle = recorded.shell.referee.session.phase is Phase.ATTRACT
            wait_ns = min(t_ns - now_ns, IDLE_NS) if idle else t_ns - now_ns
            self._wait(wait_ns / S / self._speed)
        recorded.shell.advance(t_ns)
        return max(t_ns, now_ns)

    def _wait_for_readers(self, for_s: float) -> None:
        """Serve readers for so long."""
        self._due_s = max(self._due_s, time.monotonic() - LOOK_S) + for_s  # what took long is caught up
        while True:
            self._outlet.look()
            left_s = self._due_s - time.monotonic()
            if left_s <= 0:
                return
            select.select([self._outlet], [], [], min(left_s, LOOK_S))
