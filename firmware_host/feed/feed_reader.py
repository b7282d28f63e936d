"""A reader of the feed: messages as dictionaries, and the state of the table that follows from them."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware_host.errors import TableError
from firmware_host.feed.merge_patch import State, patched
from firmware_host.feed.sockets import connect

SILENT_S = 10.0
"""A table says something every two seconds; one that says nothing for so long is lost."""
READ_AT_ONCE = 65536


class FeedLost(TableError):
    """The feed can't be had, or has ended: why."""


class FeedReader:
    """Reads one feed: iterate over it. `state`, `lamps` and `page` are as of the last message."""

    def __init__(self, path: Path, since: tuple[str, int] | None = None, silent_s: float = SILENT_S) -> None:
        """Raises FeedLost if no table listens there."""
        self.session, self.n = since or ("", 0)
        self.state: State = {}
        self.lamps = ""
        self.page: tuple[str, ...] = ()
        self._rest = b""
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
        try:
            connect(self._connection, path, silent_s)
            wanted = {"since": [self.session, self.n]} if self.session else {}
            self._connection.sendall(json.dumps(wanted).encode() + b"\n")
        except OSError as error:
            self._connection.close()
            raise FeedLost(f"{path}: no table tells anything there ({error.strerror or error})") from None

    def fileno(self) -> int:
        """A descriptor that is readable while something is to be read."""
        return self._connection.fileno()

    def close(self) -> None:
        """Stop reading."""
        self._connection.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """All messages from now on, each when it is known; FeedLost at the end."""
        while True:
            yield from self._messages()

    def read(self) -> list[dict[str, Any]]:
        """What has come by now, or else comes next; FeedLost at the end."""
        return list(self._messages())

    def _messages(self) -> Iterator[dict[str, Any]]:
        """The messages that end in the next bytes."""
        *lines, self._rest = (self._rest + self._received()).split(b"\n")
        for line in lines:
            try:
                told = json.loads(line)
                self._take(told)
            except (ValueError, TypeError, KeyError, AttributeError) as error:
                raise FeedLost(f"this is not the feed of a table: {error}") from None
            yield told

    def _received(self) -> bytes:
        try:
            received = self._connection.recv(READ_AT_ONCE)
        except TimeoutError:
            raise FeedLost("the table says nothing any more") from None
        except OSError as error:
            raise FeedLost(f"the table has hung up ({error.strerror})") from None
        if not received:
            raise FeedLost("the table has hung up")
        return received

    def _take(self, told: dict[str, Any]) -> None:
        kind = told["is"]
        if kind == "dropped":
            raise FeedLost(told["why"])
        if kind == "snapshot":
            self.state = told["state"]
        elif kind == "step":
            self.state = patched(self.state, told.get("state", {}))
        else:
            return
        self.session, self.n = told["session"], told["n"]
        self.lamps = told.get("lamps", self.lamps)
        self.page = tuple(told.get("page", self.page))
