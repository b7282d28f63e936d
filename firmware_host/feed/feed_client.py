"""A reader of the feed: messages as dictionaries, and the state of the table that follows from them."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from firmware_host.feed.addresses import FAULTS_SOCKET
from firmware_host.feed.known_state import KnownState
from firmware_host.model.errors import TableError

SILENT_S = 10.0
"""A table says something every two seconds; one that says nothing for so long is lost."""
READ_AT_ONCE = 65536


class FeedLost(TableError):
    """The feed can't be had, or has ended: why."""


class LineSplitter:
    """Makes lines of bytes that come in pieces."""

    def __init__(self) -> None:
        self.rest = b""
        """The line that has begun."""

    def take(self, received: bytes) -> list[bytes]:
        """The lines that end in these bytes."""
        *lines, self.rest = (self.rest + received).split(b"\n")
        return lines


class FeedReader(KnownState):
    """Reads one feed: iterate over it. `state`, `lamps` and `page` are as of the last message."""

    def __init__(self, path: Path, since: tuple[str, int] | None = None, silent_s: float = SILENT_S) -> None:
        """Raises FeedLost if no table listens there."""
        super().__init__(*since or ())
        self._lines = LineSplitter()
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
        for line in self._lines.take(self._received()):
            try:
                told = json.loads(line)
                self.take(told)
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

    def take(self, told: dict[str, Any]) -> None:
        """Take a message; FeedLost if it is the last one."""
        if told["is"] == "dropped":
            raise FeedLost(told["why"])
        super().take(told)


ANSWER_S = 5.0
LONGEST_ANSWER = 65536


class NotTold(TableError):
    """The table can't be told anything: why."""


def tell_faults(folder: Path, text: str) -> dict[str, Any]:
    """What the simulated world of the table in that folder answers; NotTold if it does not."""
    path = folder / FAULTS_SOCKET
    if not path.exists():
        raise NotTold(f"{path}: not there; faults can only be injected at a simulated table")
    return tell_table(path, text)


def tell_table(path: Path, text: str) -> dict[str, Any]:
    """What the table answers; NotTold if it does not."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as connection:
            connect(connection, path, ANSWER_S)
            connection.sendall(json.dumps({"tell": text}).encode() + b"\n")
            received = b""
            while not received.endswith(b"\n") and len(received) < LONGEST_ANSWER:
                part = connection.recv(LONGEST_ANSWER)
                if not part:
                    break
                received += part
        answer = json.loads(received)
    except PermissionError:
        raise NotTold(f"{path}: you may not tell this table anything; use sudo, or join its group") from None
    except TimeoutError:
        raise NotTold(f"{path}: the table does not answer") from None
    except OSError as error:
        raise NotTold(f"{path}: no table listens there ({error.strerror or error})") from None
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise NotTold(f"{path}: this is not the answer of a table")
    return answer


TRY_AGAIN_S = 0.01


def connect(connection: socket.socket, path: Path, patience_s: float) -> None:
    """Connect, also where so many others wait that the system refuses more for the moment; OSError if not."""
    end_s = time.monotonic() + patience_s
    connection.settimeout(patience_s)
    while True:
        try:
            return connection.connect(str(path))
        except BlockingIOError:
            if time.monotonic() >= end_s:
                raise TimeoutError("too many others wait there") from None
        time.sleep(TRY_AGAIN_S)
