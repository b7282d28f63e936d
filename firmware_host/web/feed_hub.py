"""The one reader of the feed for all pages. Each message is made into bytes once.

It reconnects for ever. A spectator who falls too far behind is dropped; its page connects again and says
from where. The pages get the messages of the feed as they are, and one of our own: `lost`, when and as long
as no table tells anything.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from firmware_host.feed.addresses import FEED_SOCKET
from firmware_host.feed.known_state import Backlog, KnownState, names_in

PERSONAL = frozenset({"name", "names", "player", "players"})
"""Keys whose values are personal data."""


@dataclass(frozen=True)
class Frame:
    """One message, ready to be sent."""

    told: dict[str, Any]
    full: bytes

    @cached_property
    def public(self) -> bytes:
        """Without names; made when somebody needs it, and once."""
        bare = without_names(self.told)
        return self.full if bare == self.told else event_bytes(bare)


@dataclass(frozen=True)
class Batch:
    """Several messages that are sent together, put together once for all."""

    frames: tuple[Frame, ...]

    @cached_property
    def full(self) -> bytes:
        """With names."""
        return b"".join(frame.full for frame in self.frames)

    @cached_property
    def public(self) -> bytes:
        """Without names."""
        return b"".join(frame.public for frame in self.frames)


def frame_of(told: dict[str, Any], line: bytes | None = None) -> Frame:
    """A message as a frame; `line` is the message as it came."""
    return Frame(told, event_bytes(told, line))


def event_bytes(told: dict[str, Any], line: bytes | None = None) -> bytes:
    """An event of a stream; its id says from where to go on."""
    data = json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode() if line is None else line
    data = b"data: " + data.rstrip(b"\r\n") + b"\n\n"
    if told["is"] not in ("snapshot", "step"):
        return data
    session = "".join(letter for letter in str(told["session"]) if letter.isalnum())
    return f"id: {session}:{int(told['n'])}\n".encode() + data


def without_names(value: Any) -> Any:
    """The same without personal data, at any depth."""
    if isinstance(value, dict):
        return {key: without_names(each) for key, each in value.items() if key not in PERSONAL}
    if isinstance(value, list):
        return [without_names(each) for each in value]
    return value


MOST_WAITING = 1000
"""So many messages may wait for a spectator that does not read; they are kept once for all."""
AT_ONCE = 64
"""So many are sent together."""


class Spectator:
    """Somebody who gets all frames from now on."""

    def __init__(self, names: bool) -> None:
        self.dropped = False
        """Whether it did not keep up."""
        self._names = names
        self._waiting: deque[Frame | Batch] = deque()
        self._news = asyncio.Event()

    def begin(self, frames: list[Frame]) -> None:
        """What it lacks, however much that is."""
        self._waiting.extend(frames)
        self._news.set()

    def put(self, frame: Batch) -> None:
        """The next frames."""
        if len(self._waiting) >= MOST_WAITING:
            self.drop()
        if not self.dropped:
            self._waiting.append(frame)
            self._news.set()

    def drop(self) -> None:
        """It gets nothing more."""
        self.dropped = True
        self._waiting.clear()
        self._news.set()

    async def take(self) -> bytes:
        """What waits, as soon as there is something; nothing once it is dropped."""
        await self._news.wait()
        taken = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
        if not self._waiting and not self.dropped:
            self._news.clear()
        return b"".join(frame.full if self._names else frame.public for frame in taken)


GATHER_S = 0.02
"""A press and its verdict are sent together: half the work, and nobody sees the difference."""
LONGEST_MESSAGE = 4 << 20
SILENT_S = 10.0
AGAIN_S = 1.0
LOST_EVERY_S = 2.0

log = logging.getLogger(__name__)


class FeedHub(KnownState):
    """Reads the feed of the table in the folder that `find` names, and passes it on."""

    def __init__(self, find: Callable[[], Awaitable[Path | None]]) -> None:
        super().__init__()
        self.spectators: set[Spectator] = set()
        self.readers: list[Callable[[dict[str, Any]], object]] = []
        """Each gets every message of the table, before the spectators do."""
        self._find = find
        self._lost = frame_of({"is": "lost", "why": "connecting"})
        self._connected = False
        self._hello: Frame | None = None
        self._snapshot: Frame | None = None
        self._backlog: Backlog[Frame] = Backlog()
        """For pages that come back."""
        self._gathered: list[Frame] = []
        self._flushing: asyncio.TimerHandle | None = None

    @property
    def connected(self) -> bool:
        """Whether a table tells something."""
        return self._connected

    # -- spectators

    def join(self, spectator: Spectator, since: tuple[str, int] | None) -> None:
        """A new spectator, who gets what it lacks first."""
        self._flush()  # what it begins with includes that
        spectator.begin(self._beginning(since))
        self.spectators.add(spectator)

    def leave(self, spectator: Spectator) -> None:
        """It wants nothing more."""
        self.spectators.discard(spectator)

    def drop_all(self) -> None:
        """Nobody gets anything more: the process is about to end."""
        for spectator in self.spectators:
            spectator.drop()

    def _beginning(self, since: tuple[str, int] | None) -> list[Frame]:
        begin = [] if self._hello is None else [self._hello]
        if not self._connected:
            begin.append(self._lost)
        if self._backlog.first is None:
            return begin
        if since is not None and since[0] == self.session:
            missing = self._backlog.since(since[1], self.n)
            if missing is not None:
                return begin + missing
        if self._snapshot is None:
            self._snapshot = frame_of(
                {
                    "is": "snapshot",
                    "session": self.session,
                    "n": self.n,
                    "t_ns": self.t_ns,
                    "state": self.state,
                    "lamps": self.lamps,
                    "page": self.page,
                }
            )
        return [*begin, self._snapshot]

    def _publish(self, frame: Frame) -> None:
        """Everybody gets it in a moment, together with what follows at once."""
        if not self._gathered:
            self._flushing = asyncio.get_running_loop().call_later(GATHER_S, self._flush)
        self._gathered.append(frame)

    def _flush(self) -> None:
        if self._flushing is not None:
            self._flushing.cancel()
            self._flushing = None
        if self._gathered:
            batch = Batch(tuple(self._gathered))
            self._gathered.clear()
            for spectator in self.spectators:
                spectator.put(batch)

    # -- the feed

    async def run(self) -> None:
        """Read for ever."""
        telling = asyncio.create_task(self._tell_while_lost())
        try:
            while True:
                why = await self._read()
                if self._connected:
                    log.warning("the table is lost: %s", why)
                self._lost = frame_of({"is": "lost", "why": why})
                if self._connected:
                    self._connected = False
                    self._publish(self._lost)
                await asyncio.sleep(AGAIN_S)
        finally:
            telling.cancel()

    async def _tell_while_lost(self) -> None:
        while True:
            await asyncio.sleep(LOST_EVERY_S)
            if not self._connected:
                self._publish(self._lost)

    async def _read(self) -> str:
        """Read one connection to its end, and say why it ended."""
        folder = await self._find()
        if folder is None:
            return "no table is running"
        try:
            reader, writer = await asyncio.open_unix_connection(
                str(folder / FEED_SOCKET), limit=LONGEST_MESSAGE
            )
        except OSError as error:
            return f"no table tells anything: {error.strerror or error}"
        try:
            since = {} if self._backlog.first is None else {"since": [self.session, self.n]}
            writer.write(json.dumps(since).encode() + b"\n")
            while True:
                async with asyncio.timeout(SILENT_S):  # wait_for may swallow being cancelled, in Python 3.11
                    line = await reader.readline()
                if not line:
                    return "the table has hung up"
                self._hear(json.loads(line), line)
        except TimeoutError:
            return "the table says nothing any more"
        except OSError as error:
            return f"the table has hung up: {error.strerror or error}"
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            self._backlog.end()
            return f"this is not the feed of a table: {error}"
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    def _hear(self, told: dict[str, Any], line: bytes) -> None:
        kind = told["is"]
        if kind == "dropped":
            raise ConnectionResetError(told["why"])
        frame = frame_of(told, line)
        if kind == "hello":
            self._hello = frame
        elif kind == "snapshot":
            self.take(told)
            self._snapshot = frame
            self._backlog.begin(self.n)
        elif kind == "step":
            if told["session"] != self.session or self._backlog.first is None:
                raise ValueError("a step of a session that is not known")
            names = names_in(self.state)
            self.take(told)
            self._snapshot = None
            if names - names_in(self.state):  # they are in earlier steps, and may have been deleted
                self._backlog.begin(self.n)
            self._backlog.add(self.n, bool(told.get("effects")), frame)
        elif kind == "alive":
            self.t_ns = max(self.t_ns, int(told["t_ns"]))
            self._snapshot = None
        self._connected = True
        for read in self.readers:
            read(told)
        self._publish(frame)
