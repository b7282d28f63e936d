"""The connection to a simulated world in another process, and the clock that goes by it.

`wait` sends how far the world may go, and takes over its answer: the time, and what lines, readers
and devices report. So the time is the world's and not this machine's.

A world that stops answering does not block the table: a readable waker ends the wait anyway. Until the
world answers again it is reported as a lost device.
"""

from __future__ import annotations

import select
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from hw.ports import Condition, Edge, Gap, Health, TagRead
from hw.sim.protocol import VERSION, Message, MessageSocket, WireError, unpack
from hw.work import Mailbox

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
