"""The feed of a running table: who listens gets each step after it was written and shown.

The table never waits for a reader. While nobody listens nothing is made into messages.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.feed.teller import Surroundings, Teller, hello, message
from firmware_host.model.effects import Effect
from firmware_host.model.events import SourceEdge
from firmware_host.model.places import Button, Call
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.referee import Step
from firmware_host.run.line_server import LineServer, Peer
from firmware_host.run.operator_commands import CommandDesk
from firmware_host.run.recorded_sessions import RecordedSession

ANYBODY = 0o666
"""Every user of this machine may read the feed, as the health page and the store."""
ALIVE_S = 2.0
LOOK_AGAIN_S = 0.5
"""So often it is noticed that something around the referee has changed, such as a name."""
_TOO_SLOW = message("dropped", why="you read too slowly; connect again")
_BAD_FIRST_LINE = message("dropped", why='the first line is {} or {"since": ["SESSION", NUMBER]}')


class FeedOutlet:
    """Tells everybody who listens what the table does."""

    def __init__(self, folder: Path, *, must_listen: bool = True) -> None:
        """As with `LineServer`."""
        self.around: Callable[[], Surroundings] = Surroundings
        """What the referee does not know."""
        self.server = LineServer(
            folder / FEED_SOCKET,
            ANYBODY,
            self._asked,
            self._asked_nothing,
            hello(),
            must_listen=must_listen,
        )
        self._listeners: set[Peer] = set()
        self._recorded: RecordedSession | None = None
        self._teller: Teller | None = None
        self._told_s = self._looked_s = 0.0

    @property
    def has_listeners(self) -> bool:
        """Whether anybody is told anything."""
        return bool(self._listeners)

    def fileno(self) -> int:
        """A descriptor that is readable while somebody wants something."""
        return self.server.fileno()

    def close(self) -> None:
        """Nobody is told anything any more."""
        self.server.close()

    # -- what the table does

    def begin(self, recorded: RecordedSession, decided: Iterable[Effect] = ()) -> None:
        """From now on this session is played; everybody gets a snapshot. `decided` is all of it so far."""
        self._recorded = recorded
        self._teller = Teller(recorded.journal.id, recorded.shell.referee, lambda: self.around())
        self._teller.fold(decided)
        recorded.shell.onlookers.append(self._follow)
        recorded.shell.on_felt = self._feel
        if self._listeners:
            self._publish(self._snapshot())

    def _follow(self, step: Step) -> None:
        teller, recorded = self._teller, self._recorded
        assert teller is not None and recorded is not None
        teller.follow(step)
        if self._listeners:
            self._publish(teller.step(step, recorded.journal.effects))

    def _feel(self, edge: SourceEdge) -> None:
        if self._listeners:
            button = edge.source
            assert isinstance(button, Button | Call)
            t_ns = edge.stamp.earliest_ns
            self._publish(message("felt", seat=button.seat, call=isinstance(button, Call), t_ns=t_ns))

    def look(self) -> None:
        """Take care of those who come and go; called at least once a second."""
        self.server.look()
        teller, recorded = self._teller, self._recorded
        if not self._listeners or teller is None or recorded is None:
            return
        self._listeners = {peer for peer in self._listeners if not peer.gone}
        if not self._listeners:
            teller.forget()
            return
        now_s = time.monotonic()
        if now_s - self._looked_s >= LOOK_AGAIN_S:
            self._looked_s = now_s
            self._publish(teller.look_again(recorded.journal.effects))
        if now_s - self._told_s >= ALIVE_S:
            self._publish(message("alive", t_ns=recorded.shell.referee.advanced_ns))

    def _publish(self, line: bytes | None) -> None:
        if line is None:
            return
        self._told_s = time.monotonic()
        for peer in self._listeners:
            if not peer.gone:
                peer.send(line, _TOO_SLOW)

    # -- who listens

    def _asked_nothing(self, peer: Peer) -> None:
        self._asked(peer, b"{}")

    def _asked(self, peer: Peer, line: bytes) -> None:
        """The first line of a reader; all others are passed over."""
        if peer in self._listeners or peer.leaving:
            return
        try:
            wanted = json.loads(line or b"{}")
            since = wanted.get("since")
            session, n = (None, 0) if since is None else (str(since[0]), int(since[1]))
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
            peer.leave(_BAD_FIRST_LINE)
            return
        if not self._listeners:
            self._told_s = time.monotonic()
        self._listeners.add(peer)
        peer.send(self._news_since(session, n), _TOO_SLOW)

    def _news_since(self, session: str | None, n: int) -> bytes:
        teller, recorded = self._teller, self._recorded
        if teller is None or recorded is None:
            return b""  # the first session begins in a moment, with a snapshot
        missing = teller.since(n, recorded.journal.effects) if session == teller.session else None
        return self._snapshot() if missing is None else b"".join(missing)

    def _snapshot(self) -> bytes:
        assert self._teller is not None and self._recorded is not None
        return self._teller.snapshot(self._recorded.journal.effects)


_ADVICE = "it comes back by itself as soon as that is possible"


class TableSockets:
    """Both sockets, in one folder. The table plays on without one that can't be had, and tries again."""

    def __init__(self, folder: Path | None) -> None:
        """Without a folder there are none."""
        self.feed = FeedOutlet(folder, must_listen=False) if folder is not None else None
        self.desk = CommandDesk(folder, must_listen=False) if folder is not None else None

    @property
    def descriptors(self) -> list[int]:
        """Readable while somebody wants something."""
        return [each.fileno() for each in (self.feed, self.desk) if each is not None]

    @property
    def faults(self) -> dict[str, DeviceCondition]:
        """The sockets to which nobody can connect, by their names."""
        servers = [each.server for each in (self.feed, self.desk) if each is not None]
        return {
            each.path.name: DeviceCondition(each.path.name, Condition.LOST, each.fault, _ADVICE)
            for each in servers
            if each.fault
        }

    def look(self) -> None:
        """Take care of all who want something; called at least once a second."""
        if self.desk is not None:
            self.desk.look()
        if self.feed is not None:
            self.feed.look()

    def close(self) -> None:
        """Hang up on everybody."""
        for each in (self.feed, self.desk):
            if each is not None:
                each.close()
