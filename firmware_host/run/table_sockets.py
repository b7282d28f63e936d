"""The sockets of a running table: its feed, and the commands of an operator.

Who listens to the feed gets each step after it was written and shown. The table never waits for a reader.
While nobody listens nothing is made into messages.
"""

from __future__ import annotations

import json
import logging
import time
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_host.feed.addresses import FEED_SOCKET, TELL_SOCKET
from firmware_host.feed.teller import Surroundings, Teller, hello, message
from firmware_host.model.effects import Effect
from firmware_host.model.errors import TableError
from firmware_host.model.events import SourceEdge
from firmware_host.model.places import Button, Call
from firmware_host.model.states import Condition, DeviceCondition
from firmware_host.referee import Step
from firmware_host.run.line_server import LineServer, Peer
from firmware_host.run.operator_commands import Answer
from firmware_host.run.recorded_sessions import RecordedSession

ANYBODY = 0o666
"""Every user of this machine may read the feed, as the health page and the store."""
ALIVE_S = 2.0
LOOK_AGAIN_S = 0.5
"""So often it is noticed that something around the referee has changed, such as a name."""

log = logging.getLogger(__name__)

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
            lambda peer: self._asked(peer, b"{}"),
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
        """From now on this session is played; everybody gets a snapshot. `decided` is all of it so far.

        It has to be given each step (`follow`), and each press that was felt (`feel`).
        """
        self._recorded = recorded
        self._teller = Teller(recorded.journal.id, recorded.shell.referee, lambda: self.around())
        self._teller.follow(decided)
        if self._listeners:
            self._publish(self._snapshot())

    def follow(self, step: Step) -> None:
        """This was written and shown."""
        teller, recorded = self._teller, self._recorded
        assert teller is not None and recorded is not None
        teller.follow(step.effects)
        if self._listeners:
            self._publish(teller.step(step, recorded.journal.effects))

    def feel(self, edge: SourceEdge) -> None:
        """The lamp of a seat has answered its button."""
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
        missing = teller.backlog.since(n, recorded.journal.effects) if session == teller.session else None
        return self._snapshot() if missing is None else b"".join(missing)

    def _snapshot(self) -> bytes:
        assert self._teller is not None and self._recorded is not None
        return self._teller.snapshot(self._recorded.journal.effects)


OWN_GROUP = 0o660
"""The user of the table and its group; an operator is put into that group."""
_NOT_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""What would begin a line of its own in a log, or can't be written down: half a character."""
SAFE_S = 4.0
"""So long an answer waits for the disk; whoever has asked waits a little longer."""
MOST_OWED = 16
"""Whoever waits for so many answers asks for too much."""
NOT_SAFE = (
    "it is done, but not safe on the disk yet, where an old name may still be; see ligretto-table status"
)


@dataclass(eq=False, slots=True)
class _Owed:
    """An answer that may have to wait until what was done is safe."""

    peer: Peer
    answer: dict[str, Any]
    safe: Callable[[], bool] | None = None
    until_s: float = field(default_factory=lambda: time.monotonic() + SAFE_S)


class CommandInlet:
    """Takes commands; `obey` does them while the table runs."""

    def __init__(self, folder: Path, *, must_listen: bool = True) -> None:
        """As with `LineServer`."""
        self.obey: Callable[[str], Answer] | None = None
        self._owed: list[_Owed] = []
        self.server = LineServer(folder / TELL_SOCKET, OWN_GROUP, self._take, must_listen=must_listen)

    def fileno(self) -> int:
        """A descriptor that is readable while somebody wants something."""
        return self.server.fileno()

    def look(self) -> None:
        """Do what was asked for meanwhile; called at least once a second."""
        self.server.look()
        self._answer_what_is_safe()

    @property
    def owes(self) -> bool:
        """Whether somebody waits for an answer."""
        return bool(self._owed)

    def close(self) -> None:
        """No more commands are taken; whoever still waits for the disk is told so."""
        self._answer_what_is_safe(at_last=True)
        self.server.close()

    def _take(self, peer: Peer, line: bytes) -> None:
        owed = _Owed(peer, _refusal("too much at once"))
        if peer.owed < MOST_OWED:
            owed.answer = self._answer(line, owed)
        peer.owed += 1
        self._owed.append(owed)

    def _answer_what_is_safe(self, at_last: bool = False) -> None:
        """Give all answers that need not wait any longer, to each peer in the order in which it asked."""
        owed, self._owed = self._owed, []
        waiting: set[Peer] = set()
        for each in owed:
            if each.peer.gone:
                continue
            safe = each.safe is None or each.safe()
            due = safe or at_last or time.monotonic() >= each.until_s
            if each.peer in waiting or not due:
                waiting.add(each.peer)
                self._owed.append(each)
                continue
            if not safe:
                each.answer |= _refusal(NOT_SAFE)
            text = json.dumps(each.answer, separators=(",", ":"), ensure_ascii=False) + "\n"
            each.peer.send(text.encode(errors="backslashreplace"))  # half a character may have been sent
            each.peer.owed -= 1

    def _answer(self, line: bytes, owed: _Owed) -> dict[str, Any]:
        try:
            asked = json.loads(line)
            text = asked["tell"]
            number = asked.get("id")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return _refusal('a line looks like {"tell": "pause", "id": 1}')
        named = {"id": number} if isinstance(number, int | str) else {}
        if not isinstance(text, str):
            return named | _refusal("what to tell is a text, such as 'leftover 3 2'")
        if any(unicodedata.category(letter) in _NOT_TEXT for letter in text):
            return named | _refusal("what to tell is one line, without control characters or half ones")
        if self.obey is None:
            return named | _refusal("the table is not ready yet; try again")
        try:
            done = self.obey(text)
        except TableError as error:
            return named | _refusal(str(error))
        if done.settings is None:  # else it was only a question
            log.info("told: %s", done.logged or text)
        owed.safe = done.safe
        return named | {"ok": True} | done.record


def _refusal(why: str) -> dict[str, Any]:
    return {"ok": False, "why": why}


_ADVICE = "it comes back by itself as soon as that is possible"


class TableSockets:
    """Both sockets, in one folder. The table plays on without one that can't be had, and tries again."""

    def __init__(self, folder: Path | None) -> None:
        """Without a folder there are none."""
        self.feed = FeedOutlet(folder, must_listen=False) if folder is not None else None
        self.commands = CommandInlet(folder, must_listen=False) if folder is not None else None

    def attend(self, around: Callable[[], Surroundings], obey: Callable[[str], Answer]) -> None:
        """From now on the feed tells what is `around` the referee, and who commands is obeyed."""
        if self.feed is not None and self.commands is not None:
            self.feed.around, self.commands.obey = around, obey

    @property
    def owes(self) -> bool:
        """Whether somebody waits for an answer."""
        return self.commands is not None and self.commands.owes

    @property
    def descriptors(self) -> list[int]:
        """Readable while somebody wants something."""
        return [each.fileno() for each in (self.feed, self.commands) if each is not None]

    @property
    def faults(self) -> dict[str, DeviceCondition]:
        """The sockets to which nobody can connect, by their names."""
        servers = [each.server for each in (self.feed, self.commands) if each is not None]
        return {
            each.path.name: DeviceCondition(each.path.name, Condition.LOST, each.fault, _ADVICE)
            for each in servers
            if each.fault
        }

    def look(self) -> None:
        """Take care of all who want something; called at least once a second."""
        for each in (self.commands, self.feed):
            if each is not None:
                each.look()

    def close(self) -> None:
        """Hang up on everybody."""
        for each in (self.feed, self.commands):
            if each is not None:
                each.close()
