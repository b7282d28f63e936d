"""The work of a serial port: what it does when the port can't be opened, breaks, or takes nothing."""

from __future__ import annotations

import errno
import os
import termios
from collections.abc import Callable
from itertools import pairwise

import pytest

from hw.ports import Condition, Health
from hw.serial_port import STALLED_NS, OpenPort, PortWork
from hw.sim.agenda import Agenda, AgendaOwner
from hw.work import nobody_to_wake

OK, DEGRADED, LOST = Condition.OK, Condition.DEGRADED, Condition.LOST


@pytest.fixture
def bench() -> PortBench:
    return PortBench()


# -- going well


def test_it_opens_feeds_and_drains(bench: PortBench) -> None:
    bench.device.outgoing = [b"one", b"two"]
    bench.port.incoming = b"hello"
    bench.run()
    assert bench.device.diary == [("opened", 0), ("step", 0)]
    assert bench.device.heard == b"hello"
    assert bench.port.written == b"onetwo"
    assert bench.reported == []
    assert bench.work.descriptors() == [42]


def test_a_device_wakes_its_owner(bench: PortBench) -> None:
    bench.run(1)
    steps = len(bench.device.diary)
    bench.device.outgoing = [b"news"]
    bench.device.wake()
    bench.run()
    assert bench.port.written == b"news"
    assert len(bench.device.diary) == steps + 1


def test_a_device_is_called_when_it_wants(bench: PortBench) -> None:
    bench.device.due_ns = 5 * MS
    bench.run(0.004)
    assert ("step", 5 * MS) not in bench.device.diary
    bench.run(0.001)
    assert ("step", 5 * MS) in bench.device.diary


def test_what_the_device_says_of_itself_is_reported_once(bench: PortBench) -> None:
    limps = Health("device", DEGRADED, "limps", "rest")
    for health in (Health("device", OK), limps, limps, Health("device", OK)):
        bench.device.health = health
        bench.step()
    assert bench.reported == [Health("device", DEGRADED, "limps", "rest"), Health("device", OK)]


# -- it can't be opened


@pytest.mark.parametrize(
    ("error", "seen", "advice"),
    [
        (FileNotFoundError(errno.ENOENT, "no"), "is not plugged in", "by-id"),
        (OSError(errno.ENODEV, "no"), "is not plugged in", "by-id"),
        (OSError(errno.ENXIO, "no"), "is not plugged in", "by-id"),
        (PermissionError(errno.EACCES, "no"), "may not be opened by this user", "dialout"),
        (PermissionError(errno.EPERM, "no"), "may not be opened by this user", "dialout"),
        (OSError(errno.EBUSY, "no"), "is used by another program", "end the other program"),
        (BlockingIOError(errno.EWOULDBLOCK, "no"), "is used by another program", "end the other program"),
        (OSError(errno.ENOTTY, "no"), "is not a serial port", "another port"),
        (IsADirectoryError(errno.EISDIR, "no"), "is not a serial port", "another port"),
        (termios.error(errno.EIO, "no"), "has no hardware behind it", "raspi-config"),
        (OSError("something else"), "something else", "power"),
    ],
    ids=str,
)
def test_why_it_does_not_open_is_reported_in_words(error: Exception, seen: str, advice: str) -> None:
    bench = PortBench()
    bench.refusal = error
    bench.run()
    [health] = bench.reported
    assert (health.condition, health.seen) == (LOST, seen)
    assert advice in health.advice
    assert bench.device.diary == []
    assert bench.work.descriptors() == []


def test_a_number_that_is_hidden_behind_an_error_is_found(bench: PortBench) -> None:
    try:
        try:
            raise termios.error(errno.ENOTTY, "Inappropriate ioctl for device")
        except termios.error as error:
            raise OSError(f"Could not configure port: {error}") from error
    except OSError as wrapped:
        bench.refusal = wrapped
    bench.run()
    assert bench.words == [(LOST, "is not a serial port")]


def test_it_is_tried_again_ever_more_rarely_and_reported_once(bench: PortBench) -> None:
    bench.refusal = FileNotFoundError(errno.ENOENT, "no")
    bench.run(30)
    pauses = [(later - earlier) / SECOND for earlier, later in pairwise(bench.attempts)]
    assert pauses[:6] == [0.25, 0.5, 1, 2, 4, 4]
    assert len(bench.attempts) < 14
    assert len(bench.reported) == 1


def test_waking_does_not_hurry_it(bench: PortBench) -> None:
    bench.refusal = FileNotFoundError(errno.ENOENT, "no")
    bench.run()
    for _ in range(10):
        bench.step()
    assert len(bench.attempts) == 1


# -- it breaks


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EIO, "gone"),
        termios.error(errno.EIO, "gone"),
        OSError("read failed"),
        OSError(errno.ENOENT, ""),
    ],
    ids=str,
)
@pytest.mark.parametrize("writes", [False, True], ids=["reading", "writing"])
def test_unplugging_is_reported_and_the_device_begins_from_scratch(error: Exception, writes: bool) -> None:
    bench = PortBench()
    bench.run(1)
    broken, bench.port = bench.port, ScriptedPort()
    broken.broken = error
    bench.device.outgoing = [b"news"] if writes else []
    bench.step()
    assert bench.words == [(LOST, "was unplugged")]
    assert broken.closed == 1
    assert bench.work.descriptors() == []
    bench.device.outgoing = [b"all anew"]
    bench.run(1)
    assert bench.words == [(LOST, "was unplugged"), (OK, "")]
    assert [deed for deed, _ in bench.device.diary if deed != "step"] == ["opened", "closed", "opened"]
    assert bench.port.written == b"all anew"


def test_what_was_not_sent_before_is_not_sent_afterwards(bench: PortBench) -> None:
    bench.port.room = 2
    bench.device.outgoing = [b"old news"]
    bench.run(0.1)
    bench.port.broken = OSError(errno.EIO, "gone")
    bench.step()
    bench.port = ScriptedPort()
    bench.run(1)
    assert bench.port.written == b""


def test_a_port_that_works_and_breaks_is_tried_soon_again(bench: PortBench) -> None:
    bench.refusal = FileNotFoundError(errno.ENOENT, "no")
    bench.run(10)
    bench.refusal = None
    bench.device.outgoing = [b"hello"]
    bench.run(12)
    bench.port.broken = OSError(errno.EIO, "gone")
    bench.step()
    broken_ns, attempts = bench.agenda.now_ns, len(bench.attempts)
    bench.run(1)
    assert bench.attempts[attempts] - broken_ns == SECOND // 4


# -- it takes its time, or nothing


def test_a_slow_port_gets_all_in_the_end_and_is_not_complained_of(bench: PortBench) -> None:
    bench.device.outgoing = [bytes(range(200))]
    bench.port.room = 0
    bench.run()
    for _ in range(200):
        bench.port.room = 1
        bench.run(0.05)
    assert bench.port.written == bytes(range(200))
    assert bench.reported == []


def test_a_port_that_takes_nothing_is_reported_after_a_while_and_recovers(bench: PortBench) -> None:
    bench.port.room = 0
    bench.device.outgoing = [b"news"]
    bench.run(STALLED_NS / SECOND)
    assert bench.reported == []
    bench.run(0.2)
    assert bench.words == [(LOST, "takes no data")]
    assert "flow control" in bench.reported[0].advice
    bench.port.room = 100
    bench.run(0.2)
    assert bench.words == [(LOST, "takes no data"), (OK, "")]
    assert bench.port.written == b"news"


def test_a_port_that_takes_nothing_for_long_is_tried_seldom(bench: PortBench) -> None:
    bench.port.room = 0
    bench.device.outgoing = [b"news"]
    bench.run(10)
    steps = len(bench.device.diary)
    bench.run(10)
    assert len(bench.device.diary) - steps <= 101


def test_a_port_with_nothing_to_send_is_not_stalled(bench: PortBench) -> None:
    bench.run(10)
    bench.port.room = 0
    bench.device.outgoing = [b"news"]
    bench.step()
    assert bench.reported == []


# -- closing


def test_closing_leaves_the_device_at_rest(bench: PortBench) -> None:
    """All of it, even if the port takes only a piece at a time."""
    bench.run()
    bench.owner.close()
    assert bench.port.written == b"rest" * 40
    assert bench.port.closed == 1


def test_what_was_begun_is_ended_before(bench: PortBench) -> None:
    bench.port.room = 3
    bench.device.outgoing = [b"begun"]
    bench.run()
    bench.port.room = 1000
    bench.owner.close()
    assert bench.port.written == b"begun" + b"rest" * 40


def test_closing_does_not_wait_for_a_port_that_takes_nothing(bench: PortBench) -> None:
    bench.run()
    bench.port.room = 10
    bench.owner.close()
    assert bench.port.written == b"restrestre"
    assert bench.port.closed == 1


def test_closing_a_port_that_is_gone_does_no_harm(bench: PortBench) -> None:
    bench.run()
    bench.port.broken = OSError(errno.EIO, os.strerror(errno.EIO))
    bench.owner.close()
    bench.owner.close()
    assert bench.port.closed == 1


def test_closing_before_it_ever_opened_does_no_harm(bench: PortBench) -> None:
    bench.refusal = FileNotFoundError(errno.ENOENT, "no")
    bench.run()
    bench.owner.close()
    bench.work.close()
    assert bench.port.closed == 0


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
        self.health = Health("device", Condition.OK)
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
