"""A port's work on a thread, pyserial, and a device behind a pseudo-terminal: faults in real time."""

from __future__ import annotations

import errno
import os
import select
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.ports import Condition, Health
from hw.serial_port import BROKEN, PIECE, PortWork, PyserialPort
from hw.sim.cable import PtyPeer
from tests.hw.uart.pty_bench import DEADLINE_S, Greeter, PtyBench, Repeater, wait_until

OK, LOST = Condition.OK, Condition.LOST


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[PtyBench]:
    made = PtyBench(tmp_path / "port")
    yield made
    made.close()


def test_both_ends_hear_each_other(desk: PtyBench) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.greeter.outgoing = bytes(range(256))
    desk.greeter.wake()
    wait_until(lambda: desk.greeter.heard == b"hello" + bytes(range(256)))
    assert desk.reported == []


def read_from(port: PyserialPort, size: int) -> bytes:
    """So many bytes, in whatever pieces the terminal hands them over."""
    heard = b""
    while len(heard) < size:
        assert select.select([port.fileno()], (), (), DEADLINE_S)[0]
        heard += port.read()
    return heard


@pytest.mark.parametrize("baud", [2400, 115200])
def test_bytes_take_their_time_on_the_line(tmp_path: Path, baud: int) -> None:
    """There and back, as a serial line of that speed would carry them."""
    repeater = Repeater()
    peer = PtyPeer(repeater, tmp_path / "port")
    assert peer.step(0) is None
    near = PyserialPort(str(tmp_path / "port"), baud)
    byte_ns = 10 * 1_000_000_000 // baud
    assert near.write(bytes(range(64))) == 64
    assert peer.step(0) == 64 * byte_ns
    assert peer.step(64 * byte_ns - 1) == 64 * byte_ns
    assert repeater.heard == b"" and near.read() == b""
    assert peer.step(64 * byte_ns) == 128 * byte_ns
    assert repeater.heard == bytes(range(64))
    assert near.read() == b""
    assert peer.step(128 * byte_ns) is None
    assert read_from(near, 64) == bytes(range(64))
    near.close()
    peer.close()


def test_what_is_on_its_way_is_lost_with_the_plug(tmp_path: Path) -> None:
    repeater = Repeater()
    peer = PtyPeer(repeater, tmp_path / "port")
    peer.step(0)
    near = PyserialPort(str(tmp_path / "port"), 9600)
    near.write(b"hello")
    peer.step(0)
    peer.unplug()
    peer.step(1)
    peer.plug()
    assert peer.step(1_000_000_000) is None
    assert repeater.heard == b""
    near.close()
    peer.close()


def test_a_silent_peer_lets_nothing_through(tmp_path: Path) -> None:
    repeater = Repeater()
    peer = PtyPeer(repeater, tmp_path / "port")
    peer.step(0)
    near = PyserialPort(str(tmp_path / "port"), 9600)
    peer.silent = True
    near.write(b"hello")
    assert peer.step(0) is None
    assert peer.step(1_000_000_000) is None
    assert repeater.heard == b""
    near.close()
    peer.close()


def test_replugged_it_is_greeted_again(desk: PtyBench) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.pull_and_replug()
    wait_until(lambda: desk.greeter.heard == b"hellohello")
    assert desk.words[0] == (LOST, "was unplugged")
    wait_until(lambda: desk.words[-1] == (OK, ""))
    assert desk.repeater.power == [True, False, True]
    assert desk.greeter.closings == 1
    assert desk.owner.alive


def test_garbled_bytes_come_through_garbled(desk: PtyBench) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.peer.garble = lambda data: data.upper()
    desk.greeter.outgoing = b"loud"
    desk.greeter.wake()
    wait_until(lambda: desk.greeter.heard == b"helloLOUD")


def test_closing_says_goodbye(tmp_path: Path) -> None:
    desk = PtyBench(tmp_path / "port")
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.owner.close()
    wait_until(lambda: desk.repeater.heard == b"hellogoodbye")
    desk.close()
    assert desk.repeater.power == [True, False]
    assert not desk.path.exists()


class PtyEnd:
    """The far end of a pseudo-terminal, by hand."""

    def __init__(self) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        os.set_blocking(self.master, False)
        self.path = os.ttyname(self.slave)
        self._open = True

    def read(self) -> bytes:
        try:
            return os.read(self.master, 100_000)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        if self._open:
            self._open = False
            os.close(self.slave)
            os.close(self.master)


@pytest.fixture
def terminal() -> Iterator[PtyEnd]:
    made = PtyEnd()
    yield made
    made.close()


@pytest.fixture
def port(terminal: PtyEnd) -> Iterator[PyserialPort]:
    made = PyserialPort(terminal.path, 115200)
    yield made
    made.close()


def readable(descriptor: int, for_s: float = 1.0) -> bool:
    return bool(select.select([descriptor], [], [], for_s)[0])


def test_bytes_go_through_unchanged_both_ways(terminal: PtyEnd, port: PyserialPort) -> None:
    every = bytes(range(256))
    os.write(terminal.master, every)
    heard = b""
    while len(heard) < len(every) and readable(port.fileno()):
        heard += port.read()
    assert heard == every
    sent = 0
    while sent < len(every):
        sent += port.write(every[sent:])
    arrived = b""
    while len(arrived) < len(every) and readable(terminal.master):
        arrived += terminal.read()
    assert arrived == every


def test_reading_and_writing_never_wait(terminal: PtyEnd, port: PyserialPort) -> None:
    started = time.monotonic()
    assert port.read() == b""
    taken = 0
    while sent := port.write(bytes(1000)):
        assert sent <= PIECE
        taken += sent
        assert taken < 10**6
    assert port.write(b"more") == 0
    assert time.monotonic() - started < 5  # else it would wait for somebody to read
    wait_until(lambda: terminal.read() and port.write(b"more"))


def test_only_one_program_has_it(terminal: PtyEnd, port: PyserialPort) -> None:
    with pytest.raises(BROKEN) as refused:
        PyserialPort(terminal.path, 115200)
    assert getattr(refused.value, "errno", None) == errno.EWOULDBLOCK


def test_closing_lets_go_of_it(terminal: PtyEnd) -> None:
    PyserialPort(terminal.path, 115200).close()
    again = PyserialPort(terminal.path, 115200)
    again.close()
    again.close()


@pytest.mark.parametrize("writes", [False, True], ids=["reading", "writing"])
def test_pulling_the_plug_raises_what_the_work_expects(
    terminal: PtyEnd, port: PyserialPort, writes: bool
) -> None:
    terminal.close()
    if writes:
        with pytest.raises(BROKEN):
            wait_until(lambda: not port.write(b"x"))
    else:
        assert readable(port.fileno()), "its owner is woken"
        with pytest.raises(BROKEN):
            port.read()


def words_for(path: str) -> tuple[Condition, str]:
    reported: list[Health] = []
    work = PortWork(lambda: PyserialPort(path, 115200), Greeter(), reported.append)
    assert work.step(0) is not None, "it will be tried again"
    [health] = reported
    assert health.advice
    return health.condition, health.seen


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("none", "is not plugged in"),
        ("link", "is not plugged in"),  # what /dev/serial/by-id may hold for a moment
        ("file", "is not a serial port"),
        (".", "is not a serial port"),
    ],
)
def test_what_is_there_is_no_port(tmp_path: Path, path: str, seen: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "none")
    (tmp_path / "file").write_text("not a port")
    assert words_for(os.fspath(tmp_path / path)) == (Condition.LOST, seen)


def test_another_program_has_it(terminal: PtyEnd, port: PyserialPort) -> None:
    assert words_for(terminal.path) == (Condition.LOST, "is used by another program")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open anything")
def test_not_for_this_user(terminal: PtyEnd) -> None:
    os.fchmod(terminal.slave, 0)
    assert words_for(terminal.path) == (Condition.LOST, "may not be opened by this user")


def test_a_refusal_by_the_system_comes_through_pyserial(
    terminal: PtyEnd, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr("serial.serialposix.os.open", refuse)
    assert words_for(terminal.path) == (Condition.LOST, "may not be opened by this user")
