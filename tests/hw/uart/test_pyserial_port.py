"""A real port through pyserial, on a pseudo-terminal: it never waits, and it says how it breaks."""

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
from tests.hw.uart.pty_bench import Greeter, wait_until


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


def test_it_works_again_after_it_was_full(terminal: PtyEnd, port: PyserialPort) -> None:
    taken = 0
    while sent := port.write(b"x" * 1000):
        taken += sent
    heard = b""
    while len(heard) < taken and readable(terminal.master):
        heard += terminal.read()
    assert heard == b"x" * taken


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


# -- what the work makes of ports that do not open


def words_for(path: str) -> tuple[Condition, str]:
    reported: list[Health] = []
    work = PortWork(lambda: PyserialPort(path, 115200), Greeter(), reported.append)
    assert work.step(0) is not None, "it will be tried again"
    [health] = reported
    assert health.advice
    return health.condition, health.seen


def test_no_such_port(tmp_path: Path) -> None:
    assert words_for(os.fspath(tmp_path / "none")) == (Condition.LOST, "is not plugged in")


def test_a_link_to_nothing(tmp_path: Path) -> None:
    """What /dev/serial/by-id may hold for a moment."""
    (tmp_path / "link").symlink_to(tmp_path / "none")
    assert words_for(os.fspath(tmp_path / "link")) == (Condition.LOST, "is not plugged in")


def test_a_file_is_no_port(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a port")
    assert words_for(os.fspath(tmp_path / "file")) == (Condition.LOST, "is not a serial port")


def test_a_folder_is_no_port(tmp_path: Path) -> None:
    assert words_for(os.fspath(tmp_path)) == (Condition.LOST, "is not a serial port")


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
