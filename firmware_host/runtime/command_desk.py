"""The socket of the operator: a line with a command comes in, a line with the answer goes out."""

from __future__ import annotations

import json
import logging
import unicodedata
from collections.abc import Callable
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

log = logging.getLogger(__name__)


class CommandDesk:
    """Takes commands; `obey` does them while the table runs."""

    def __init__(self, folder: Path, *, must_listen: bool = True) -> None:
        """As with `LineServer`."""
        self.obey: Callable[[str], Answer] | None = None
        self.server = LineServer(folder / TELL_SOCKET, OWN_GROUP, self._take, must_listen=must_listen)

    def fileno(self) -> int:
        """A descriptor that is readable while somebody wants something."""
        return self.server.fileno()

    def look(self) -> None:
        """Do what was asked for meanwhile; called at least once a second."""
        self.server.look()

    def close(self) -> None:
        """No more commands are taken."""
        self.server.close()

    def _take(self, peer: Peer, line: bytes) -> None:
        answer = self._answer(line)
        text = json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
        peer.send(text.encode(errors="backslashreplace") + b"\n")  # half a character may have been sent

    def _answer(self, line: bytes) -> dict[str, Any]:
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
        return named | {"ok": True} | done.record


def _refusal(why: str) -> dict[str, Any]:
    return {"ok": False, "why": why}
