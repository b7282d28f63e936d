"""The world's end of the wire: it lives while a daemon waits, and goes on without one.

In virtual time the world moves only as far as the daemon allows, and stops where there is something to
tell; so nothing is ever late, and a run with the same daemon is the same. With a speed it goes by the
real clock, whether anybody waits or not.
"""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum
from pathlib import Path

from firmware_host.lab.surface import UNCERTAINTY_NS, Surface
from firmware_host.model.times import S
from hw.sim.link import VERSION, Message, MessageSocket, WireError, pack

_CREDENTIALS = struct.Struct("3i")
GREETED: Message = ["hello"]
"""In place of a message: a daemon has come."""


class Happening(Enum):
    """What a step of the server has brought."""

    NOTHING = "nothing"  # nobody has said anything for so long
    CAME = "came"  # a daemon has connected and knows what there is
    SPOKE = "spoke"  # it has said something
    LEFT = "left"  # it has hung up, or was killed


class Server:
    """Lets one daemon at a time play on a table. `listener` hears each message before it is taken.

    A message that the listener does not agree to is dropped.
    """

    def __init__(self, surface: Surface, at: Path | socket.socket, speed: float | None = None) -> None:
        """`at` is where it listens; or the end of a connection, for one daemon and no other."""
        self.surface = surface
        self.listener: Callable[[Message], bool] = _everything
        self.heard = 0
        """The messages of the present daemon."""
        self.pid = 0
        """Its process."""
        self.waits = 0
        """How often any daemon has waited."""
        self.trouble = ""
        """What was wrong with the last daemon, if it was refused or talked nonsense."""
        self._wire: MessageSocket | None = None
        self._asked: tuple[int, int | None] | None = None
        self._speed = speed
        self._origin_s = time.monotonic()
        self._path = at if isinstance(at, Path) else None
        self._listening = _listening_at(at) if isinstance(at, Path) else at

    @property
    def connected(self) -> bool:
        """Whether a daemon plays here."""
        return self._wire is not None

    def step(self, for_s: float = 1.0, others: Sequence[int] = ()) -> Happening:
        """Wait for something to happen, at most so long, and do what it asks for.

        It is nothing if one of the other descriptors becomes readable first.
        """
        self._live()
        try:
            self._answer_if_due()
        except OSError as error:
            return self._give_up(error)
        if self._wire is None or not self._wire.pending:
            other_end = self._wire or self._listening
            limit_s = min(for_s, self._due_in_s())
            if other_end not in select.select([other_end, *others], (), (), limit_s)[0]:
                return Happening.NOTHING
        try:
            message = self._accept() if self._wire is None else self._wire.receive()
        except (OSError, WireError) as error:
            return self._give_up(error)
        if message is None:
            self._hang_up()
            return Happening.LEFT
        if message is GREETED:
            return Happening.CAME
        self.heard += 1
        if self.listener(message):
            try:
                self._take(message)
            except (OSError, WireError) as error:
                return self._give_up(error)
        return Happening.SPOKE

    def _give_up(self, error: Exception) -> Happening:
        """Whoever is at the other end has gone, or talks nonsense."""
        self.trouble = str(error) if isinstance(error, WireError) else ""
        self._hang_up()
        return Happening.LEFT

    def pass_time(self, length_ns: int) -> None:
        """Let the world go on for so long while no daemon listens."""
        self.surface.agenda.run(self.surface.agenda.now_ns + length_ns)

    def come_up(self) -> None:
        """Come up to the real clock, before something is moved from outside."""
        if self._speed is not None:
            self.surface.agenda.run(self._real_ns())

    def close(self) -> None:
        """The world ends."""
        self._hang_up()
        self._listening.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    # -- daemons come and go

    def _accept(self) -> Message:
        self.trouble = ""
        connected = self._listening if self._path is None else self._listening.accept()[0]
        credentials = connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS.size)
        self._wire, self.heard = MessageSocket(connected), 0
        self.pid, _, _ = _CREDENTIALS.unpack(credentials)
        hello = self._wire.receive()
        why = "it hung up at once" if hello is None else self._mismatch(hello)
        if why:
            with suppress(OSError):
                self._wire.send("refused", why)
            raise WireError(why)
        self.surface.meet()
        levels = self.surface.levels()
        self._wire.send(
            "welcome",
            self.surface.agenda.now_ns,
            UNCERTAINTY_NS,
            [int(levels[line]) for line in sorted(levels)],
        )
        return GREETED

    def _mismatch(self, hello: Message) -> str:
        """Why a daemon can't play here; empty if it can."""
        profile = self.surface.profile
        readers = [spot.name for spot in profile.readers]
        mine = [
            "hello",
            VERSION,
            sorted(profile.lines),
            len(self.surface.leds.frame),
            profile.columns,
            readers,
        ]
        names = ("greeting", "version", "lines", "lamps", "columns", "readers")
        if len(hello) != len(mine):
            return "this is not the greeting of a table"
        wrong = [name for name, his, own in zip(names, hello, mine, strict=True) if his != own]
        return f"this world has another table: {', '.join(wrong)} differ" if wrong else ""

    def _hang_up(self) -> None:
        if self._wire is not None:
            self._wire.close()
            self._wire = self._asked = None

    # -- what it says

    def _take(self, message: Message) -> None:
        try:
            word, *rest = message
            if word == "wait":
                number, until_ns = rest
                self.waits += 1
                self._asked = number, until_ns
                self._answer_if_due()
            elif word == "frame":
                self.surface.show_frame(bytes.fromhex(*rest))
            elif word == "page":
                self.surface.show_page(tuple(*rest))
            elif word == "stop":
                self._stop(*rest)
            elif word != "dim":
                raise WireError(f"a daemon says {word!r}")
        except (TypeError, ValueError) as error:
            raise WireError(f"a daemon says {str(message)[:60]}: {error}") from None

    def _stop(self, number: int) -> None:
        if self._asked is not None and self._asked[0] == number:
            if self._speed is not None:
                self.surface.agenda.run(self._real_ns())
            self._answer(self._packed())

    def _answer_if_due(self) -> None:
        """Answer whoever waits, if the moment has come or there is something to tell."""
        if self._asked is None or self._wire is None:
            return
        agenda, until_ns = self.surface.agenda, self._asked[1]
        while not self._answer_with_reports():
            if until_ns is not None and until_ns <= agenda.now_ns:
                self._answer([])
                return
            due_ns = agenda.due_ns
            next_ns = due_ns if until_ns is None else min(until_ns, due_ns or until_ns)
            if next_ns is None or (self._speed is not None and next_ns > self._real_ns()):
                return
            agenda.run(next_ns)

    def _answer_with_reports(self) -> bool:
        reports = self._packed()
        if reports:
            self._answer(reports)
        return bool(reports)

    def _packed(self) -> list[Message]:
        return [pack(report) for report in self.surface.reports()]

    def _answer(self, reports: list[Message]) -> None:
        assert self._asked is not None and self._wire is not None
        number, self._asked = self._asked[0], None
        self._wire.send("now", number, self.surface.agenda.now_ns, reports)

    # -- the real clock

    def _real_ns(self) -> int:
        """How far the world should be by the real clock."""
        assert self._speed is not None
        return int((time.monotonic() - self._origin_s) * self._speed * S)

    def _live(self) -> None:
        """Come up to the real clock, if the world goes by it."""
        if self._speed is not None and (self._asked is None or self._wire is None):
            self.surface.agenda.run(self._real_ns())

    def _due_in_s(self) -> float:
        """How long nothing will have to be done, if the world goes by the real clock."""
        if self._speed is None:
            return float("inf")
        dues = [self.surface.agenda.due_ns, self._asked[1] if self._asked is not None else None]
        moments = [due_ns for due_ns in dues if due_ns is not None]
        if not moments:
            return float("inf")
        return max(0.0, (min(moments) - self._real_ns()) / self._speed / S)


def _everything(message: Message) -> bool:
    return True


def _listening_at(path: Path) -> socket.socket:
    """A socket, also in place of that of a world that was killed; OSError if there can be none."""
    if path.exists() and not path.is_socket():
        raise FileExistsError(f"{path} is a file, not a socket; name another one")
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        listening.bind(str(path))
    except OSError as error:
        listening.close()
        raise OSError(f"{path}: nothing can listen there: {error.strerror or error}") from None
    listening.listen()
    return listening


def kill(pid: int, number: int) -> None:
    """Send a signal to a daemon that may be gone already."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
