"""The connection to a simulated world in another process, and the clock that goes by it.

`wait` sends how far the world may go, and takes over its answer: the time, and what lines, readers
and devices report. So the time is the world's and not this machine's.

A world that stops answering does not block the table: a readable waker ends the wait anyway. Until the
world answers again it is reported as a lost device.
"""

from __future__ import annotations

import json
import select
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from hw.ports import Condition, Edge, Gap, Health, TagRead
from hw.work import Mailbox

# The protocol between a daemon and a simulated world: lines of JSON over a Unix socket.
#
#     daemon: ["hello", VERSION, lines, lamps, columns, readers]   what it is wired for
#     world:  ["welcome", now_ns, uncertainty_ns, levels]          a 0 or 1 for each of those lines
#             ["refused", words]                                   ... and it hangs up
#     daemon: ["wait", number, until_ns]                           the world may go that far (null: any)
#     world:  ["now", number, now_ns, reports]                     it went that far, or to the first reports
#     daemon: ["stop", number]                                     that wait is to be answered at once
#             ["frame", hex]  ["page", lines]  ["dim", level]      what the table shows; nothing answers
#
# The world stands still while nobody waits, unless it goes by a real clock. An answer and a stop may cross:
# a stop for a wait that was answered already means nothing.


VERSION = 1
READ_BYTES = 65536
LONGEST_LINE = 1 << 20
Message = list[Any]
Report = Edge | Gap | Health | TagRead
_encode = json.JSONEncoder(separators=(",", ":")).encode


class WireError(ValueError):
    """A message that is not part of the protocol."""


class MessageSocket:
    """A socket that sends and receives whole messages."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._got = b""
        self._lines: list[bytes] = []

    @property
    def pending(self) -> bool:
        """Whether a message is here already, though the socket may have nothing to read."""
        return bool(self._lines)

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, *message: object) -> None:
        """Send a message; OSError if the other end is gone."""
        self._socket.sendall(_encode(message).encode() + b"\n")

    def receive(self) -> Message | None:
        """The next message, waited for; None if the other end has hung up."""
        while not self._lines:
            data = self._socket.recv(READ_BYTES)
            if not data:
                return None
            *whole, self._got = (self._got + data).split(b"\n")
            self._lines = whole[::-1]
            if len(self._got) > LONGEST_LINE:
                raise WireError(f"a line of more than {LONGEST_LINE} bytes")
        line = self._lines.pop()
        try:
            message = json.loads(line)
        except ValueError as error:
            raise WireError(f"{line[:60]!r} is not JSON: {error}") from None
        if not isinstance(message, list) or not message:
            raise WireError(f"{line[:60]!r} is not a message")
        return message

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


def pack(report: Report) -> Message:
    """A report as it goes over the wire."""
    if isinstance(report, Edge):
        return ["edge", *report]
    if isinstance(report, Gap):
        return ["gap", *report]
    if isinstance(report, TagRead):
        return ["tag", report.reader, report.uid.hex(), *report[2:]]
    return ["health", report.name, report.condition.value, report.seen, report.advice]


def unpack(parts: Message) -> Report:
    """The report that `pack` made; WireError if it is not one."""
    try:
        kind, *values = parts
        if kind == "edge":
            return Edge(*values)
        if kind == "gap":
            return Gap(*values)
        if kind == "tag":
            reader, uid, *rest = values
            return TagRead(reader, bytes.fromhex(uid), *rest)
        if kind == "health":
            device, condition, seen, advice = values
            return Health(device, Condition(condition), seen, advice)
    except (TypeError, ValueError):
        pass
    raise WireError(f"{str(parts)[:60]} is not a report")


PROMPT_S = 1.0
"""A world that has not answered for so long is asked to answer at once: its clock may just be slow."""
ANSWER_S = 1.0
"""How long a world that is asked to answer at once may take."""
GREETING_S = 30.0
"""How long it may take to greet, since it may have to start first."""
WORLD = "world"
"""The name of the device that is lost while the world is silent."""
ADVICE = "kill -CONT its process, or end this table and start it again"


class NoWorld(ConnectionError):
    """There is no simulated world to play in, or not the right one."""


class Link:
    """Connected to a world; the clock of the table that is in it. `name` is what messages call the world.

    NoWorld if it does not greet; `wakers` are descriptors that end the wait for that when they are readable.
    """

    def __init__(
        self,
        connected: socket.socket,
        name: str,
        lines: Sequence[int],
        lamps: int,
        columns: int,
        readers: Sequence[str],
        wakers: Sequence[int] = (),
    ) -> None:
        self.edges: Mailbox[Edge | Gap] = Mailbox()
        self.tags: Mailbox[TagRead] = Mailbox()
        self.health: Mailbox[Health] = Mailbox()
        self._name = name
        self._wire = MessageSocket(connected)
        self._asked = 0
        self._waiting = False
        self._asked_to_stop = False
        self._silent = False
        self._closed = False
        try:
            self._send("hello", VERSION, list(lines), lamps, columns, list(readers))
            self._now_ns, self.uncertainty_ns, levels = self._welcomed(wakers)
            self.levels = {line: bool(high) for line, high in zip(lines, levels, strict=True)}
        except (WireError, TypeError, ValueError):
            self._wire.close()
            raise NoWorld(f"{name}: what listens there is not a simulated world") from None
        except BaseException:
            self._wire.close()
            raise

    # -- the clock

    def now_ns(self) -> int:
        """How far the world has gone."""
        return self._now_ns

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        """Let the world go on until then, or until there is something to report."""
        if descriptors and select.select(descriptors, (), (), 0)[0]:
            return True
        if not self._waiting:
            self._asked += 1
            self._send("wait", self._asked, until_ns)
            self._waiting = True
        wake = bool(descriptors) and not self._answers_within(PROMPT_S, descriptors)
        if wake:
            self._stop()
            if not self._answers_within(ANSWER_S, ()):
                self._report(silent=True)
                return True
        answer = self._receive()
        self._waiting = self._asked_to_stop = False
        self._report(silent=False)
        return self._take(answer) or wake

    def _stop(self) -> None:
        """Ask for the answer at once; only once, since a world that never reads would block us in the end."""
        if not self._asked_to_stop:
            self._asked_to_stop = True
            self._send("stop", self._asked)

    def _report(self, *, silent: bool) -> None:
        """Report a world that stops answering, and one that answers again."""
        if silent is not self._silent:
            self._silent = silent
            lost = Health(WORLD, Condition.LOST, "it does not answer", ADVICE)
            self.health.post(lost if silent else Health(WORLD, Condition.OK))

    def _answers_within(self, limit_s: float, wakers: Sequence[int]) -> bool:
        """Whether there is something to receive, before that time is over and before a waker is readable."""
        answers = self._wire.fileno()
        return answers in select.select([answers, *wakers], (), (), limit_s)[0]

    def _take(self, answer: Message) -> bool:
        """Take over the time and the reports; whether there are any."""
        try:
            word, number, now_ns, reports = answer
        except ValueError:
            raise WireError(f"the world answers {answer}") from None
        if word != "now" or number != self._asked or now_ns < self._now_ns:
            raise WireError(f"the world answers {answer} to wait {self._asked} at {self._now_ns}")
        self._now_ns = now_ns
        for parts in reports:
            self._post(parts)
        return bool(reports)

    def _post(self, parts: Message) -> None:
        report = unpack(parts)
        if isinstance(report, Edge):
            self.levels[report.line] = report.high
            self.edges.post(report)
        elif isinstance(report, Gap):
            self.edges.post(report)
        elif isinstance(report, TagRead):
            self.tags.post(report)
        else:
            self.health.post(report)

    # -- what the table shows

    def send(self, *message: object) -> None:
        """Send a message without an answer; after `close` do nothing."""
        if not self._closed:
            self._send(*message)

    def close(self) -> None:
        """Hang up; the world goes on."""
        if not self._closed:
            self._closed = True
            self._wire.close()
            for mailbox in (self.edges, self.tags, self.health):
                mailbox.close()

    # -- the wire

    def _welcomed(self, wakers: Sequence[int]) -> tuple[int, int, list[int]]:
        if not self._answers_within(GREETING_S, wakers):
            raise NoWorld(f"{self._name}: the simulated world does not answer")
        answer = self._receive()
        if answer[0] == "refused":
            raise NoWorld(f"{self._name}: {answer[1]}")
        word, now_ns, uncertainty_ns, levels = answer
        if word != "welcome":
            raise WireError(f"the world answers {answer} to a hello")
        return now_ns, uncertainty_ns, levels

    def _send(self, *message: object) -> None:
        try:
            self._wire.send(*message)
        except OSError as error:
            raise self._gone(error) from None

    def _receive(self) -> list[Any]:
        try:
            message = self._wire.receive()
        except OSError as error:
            raise self._gone(error) from None
        if message is None:
            raise self._gone("it has hung up")
        return message

    def _gone(self, why: object) -> NoWorld:
        return NoWorld(f"{self._name}: the simulated world has gone: {why}")


def connected_to(path: Path) -> socket.socket:
    """A connection to the world that listens there; NoWorld if none does."""
    connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        connecting.connect(str(path))
    except OSError as error:
        connecting.close()
        raise NoWorld(f"{path}: no simulated world listens there ({error.strerror or error})") from None
    return connecting


T = TypeVar("T")


class RemoteReports(Generic[T]):
    """The reports of readers about tags, or of devices about their health."""

    def __init__(self, mailbox: Mailbox[T]) -> None:
        self._mailbox = mailbox

    def read(self) -> list[T]:
        return self._mailbox.take()

    def fileno(self) -> int:
        return self._mailbox.fileno()

    def close(self) -> None:
        self._mailbox.close()


class RemoteLines(RemoteReports[Edge | Gap]):
    """All lines of the table."""

    def __init__(self, link: Link) -> None:
        super().__init__(link.edges)
        self._link = link

    @property
    def uncertainty_ns(self) -> int:
        return self._link.uncertainty_ns

    def levels(self) -> dict[int, bool]:
        return dict(self._link.levels)


class RemoteLeds:
    """All lamps of the table."""

    def __init__(self, link: Link, length: int) -> None:
        self._link = link
        self._length = length

    def show(self, frame: bytes) -> None:
        if len(frame) != self._length:
            raise ValueError(f"a frame of {len(frame)} lamps for a panel of {self._length}")
        self._link.send("frame", frame.hex())

    def dim(self, level: int | None) -> None:
        """Burn that brightly, from 0 to 15; None is the brightness at the start."""
        self._link.send("dim", level)

    def close(self) -> None:
        self._link.send("frame", bytes(self._length).hex())


class RemoteScoreboard:
    """The scoreboard of the table."""

    def __init__(self, link: Link, columns: int) -> None:
        self.columns = columns
        self._link = link

    def show(self, lines: tuple[str, ...], language: str = "") -> None:
        self._link.send("page", lines)

    def close(self) -> None:
        self._link.send("page", ("", ""))
