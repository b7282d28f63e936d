"""The socket at which an operator lets things go wrong with a simulated table, and mends them.

It is asked and answers as the table's own socket for commands does: `{"tell":"storm seat 2 3s"}`,
`{"tell":"end seat 2"}`, `{"tell":"end"}` for everything, and `{"tell":""}` to hear what is wrong now. It is
not the socket of the visitors, since what they say comes from anybody's browser.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from firmware_host.durations import S
from firmware_host.errors import MalformedText
from firmware_host.runtime.line_server import LineServer, Peer
from firmware_host.simulation.world.fault_book import KINDS, FaultBook
from firmware_host.simulation.world.ground import Ground

OWN_USER = 0o600


class FaultDesk:
    """Takes the operator's word about faults."""

    def __init__(self, ground: Ground, come_up: Callable[[], None], path: Path) -> None:
        """`come_up` lets the world come up to the present. Raises SocketUnusable."""
        self._book = FaultBook(ground)
        self._agenda = ground.agenda
        self._come_up = come_up
        self._server = LineServer(path, OWN_USER, self._take)

    @property
    def descriptors(self) -> list[int]:
        """Readable while somebody wants something."""
        return [self._server.fileno()]

    def look(self) -> None:
        """Do what is asked for; called at least once a second."""
        self._server.look()

    def close(self) -> None:
        """Hang up on all; what is wrong stays wrong."""
        self._server.close()

    def _take(self, peer: Peer, line: bytes) -> None:
        self._come_up()
        try:
            asked = json.loads(line)
        except (ValueError, RecursionError):
            asked = None
        text = asked.get("tell") if isinstance(asked, dict) else None
        answer: dict[str, Any]
        if isinstance(text, str):
            answer = self._answer(text)
        else:
            answer = {"ok": False, "why": 'a line looks like {"tell":"storm seat 2 3s"}'}
        number = asked.get("id") if isinstance(asked, dict) else None
        if isinstance(number, int | str):
            answer = {"id": number} | answer
        peer.send(json.dumps(answer, separators=(",", ":")).encode() + b"\n")

    def _answer(self, text: str) -> dict[str, Any]:
        words = text.split()
        try:
            if words[:1] == ["end"]:
                self._book.end(" ".join(words[1:]))
            elif words:
                self._book.begin(text)
        except MalformedText as error:
            return {"ok": False, "why": str(error)}
        return {"ok": True, "faults": self._faults(), "possible": self._possible()}

    def _faults(self) -> list[dict[str, Any]]:
        """What is wrong now, and for how many seconds yet."""
        now_ns = self._agenda.now_ns
        return [
            {"kind": each.kind, "what": each.target}
            | ({} if each.until_ns is None else {"left_s": round((each.until_ns - now_ns) / S, 1)})
            for each in self._book.faults
        ]

    def _possible(self) -> dict[str, dict[str, Any]]:
        """Each kind with what it means, and what can have it."""
        targets = self._book.possible()
        return {name: {"means": kind.means, "what": targets[name]} for name, kind in KINDS.items()}
