"""The socket of the operator: a line with a command comes in, a line with the answer goes out."""

from __future__ import annotations

import json
import logging
import time
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from firmware_host.errors import TableError
from firmware_host.feed.sockets import TELL_SOCKET
from firmware_host.runtime.line_server import LineServer, Peer
from firmware_host.runtime.operator_commands import Answer

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

log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Owed:
    """An answer that may have to wait until what was done is safe."""

    peer: Peer
    answer: dict[str, Any]
    safe: Callable[[], bool] | None = None
    until_s: float = field(default_factory=lambda: time.monotonic() + SAFE_S)


class CommandDesk:
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
