"""A port's work on a thread, pyserial, and a device behind a pseudo-terminal: faults in real time."""

from __future__ import annotations

import select
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.ports import Condition
from hw.serial_port import PyserialPort
from hw.sim.cable import PtyPeer
from tests.hw.uart.pty_bench import DEADLINE_S, PtyBench, Repeater, wait_until

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


def test_replugged_it_is_greeted_again(desk: PtyBench) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.pull_and_replug()
    wait_until(lambda: desk.greeter.heard == b"hellohello")
    assert desk.words[0] == (LOST, "was unplugged")
    wait_until(lambda: desk.words[-1] == (OK, ""))
    assert desk.repeater.power == [True, False, True]
    assert desk.greeter.closings == 1
    assert desk.owner.alive


def test_a_port_that_is_plugged_in_later(tmp_path: Path) -> None:
    desk = PtyBench(tmp_path / "port", plugged=False)
    wait_until(lambda: desk.words == [(LOST, "is not plugged in")])
    assert desk.repeater.power == []
    desk.peer.plug()
    wait_until(lambda: desk.greeter.heard == b"hello")
    wait_until(lambda: desk.words[-1] == (OK, ""))
    desk.close()


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
