"""A scripted port and a scripted device, with a port's work between them."""

from __future__ import annotations

from collections.abc import Callable

from hw.ports import Condition, Health
from hw.serial_port import OpenPort, PortWork
from hw.sim.agenda import Agenda, AgendaOwner
from hw.work import nobody_to_wake

MS = 1_000_000
SECOND = 1_000 * MS


class ScriptedPort:
    """A port that takes `room` bytes and breaks on request."""

    def __init__(self) -> None:
        self.incoming = b""
        self.written = b""
        self.room = 10_000
        self.piece = 64
        self.broken: Exception | None = None
        self.closed = 0

    def fileno(self) -> int:
        return 42

    def read(self) -> bytes:
        self._check()
        data, self.incoming = self.incoming, b""
        return data

    def write(self, data: bytes) -> int:
        self._check()
        taken = data[: min(self.room, self.piece)]
        self.written += taken
        self.room -= len(taken)
        return len(taken)

    def close(self) -> None:
        self.closed += 1
        self._check()

    def _check(self) -> None:
        if self.broken is not None:
            raise self.broken


class ScriptedDevice:
    """A device that says what it is given to say, and keeps a diary."""

    def __init__(self) -> None:
        self.name = "device"
        self.wake: Callable[[], None] = nobody_to_wake
        self.health: tuple[Condition, str, str] = (Condition.OK, "", "")
        self.diary: list[tuple[str, int]] = []
        self.heard = b""
        self.outgoing: list[bytes] = []
        self.due_ns: int | None = None

    def opened(self, now_ns: int) -> None:
        self.diary.append(("opened", now_ns))

    def closed(self, now_ns: int) -> None:
        self.diary.append(("closed", now_ns))

    def received(self, data: bytes, now_ns: int) -> None:
        self.heard += data

    def step(self, now_ns: int) -> int | None:
        self.diary.append(("step", now_ns))
        return self.due_ns

    def take_outgoing(self) -> bytes:
        return self.outgoing.pop(0) if self.outgoing else b""

    def rest(self) -> bytes:
        return b"rest" * 40


class PortBench:
    """A port's work with everything around it scripted."""

    def __init__(self) -> None:
        self.agenda = Agenda()
        self.port = ScriptedPort()
        self.device = ScriptedDevice()
        self.refusal: Exception | None = None
        self.attempts: list[int] = []
        self.reported: list[Health] = []
        self.work = PortWork(self._open, self.device, self.reported.append)
        self.owner = AgendaOwner(self.work, self.agenda)

    def _open(self) -> OpenPort:
        self.attempts.append(self.agenda.now_ns)
        if self.refusal is not None:
            raise self.refusal
        return self.port

    def run(self, seconds: float = 0.0) -> None:
        self.agenda.run(self.agenda.now_ns + round(seconds * SECOND))

    def step(self) -> None:
        """Something has come in, or room has come free."""
        self.owner.wake()
        self.run()

    @property
    def words(self) -> list[tuple[Condition, str]]:
        return [(health.condition, health.seen) for health in self.reported]
