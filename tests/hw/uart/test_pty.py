"""A port's work on a thread, pyserial, and a device behind a pseudo-terminal: faults in real time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hw.ports import Condition
from hw.uart import port as port_module
from tests.hw.uart.terminals import Desk, wait_until

OK, LOST = Condition.OK, Condition.LOST


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path / "port")
    yield made
    made.close()


def test_both_ends_hear_each_other(desk: Desk) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.greeter.outgoing = bytes(range(256))
    desk.greeter.wake()
    wait_until(lambda: desk.greeter.heard == b"hello" + bytes(range(256)))
    assert desk.told == []


def test_an_idle_port_costs_nothing(desk: Desk) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    steps = desk.work.steps
    time.sleep(0.3)
    assert desk.work.steps == steps


def test_replugged_it_is_greeted_anew(desk: Desk) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.pull_and_replug()
    wait_until(lambda: desk.greeter.heard == b"hellohello")
    assert desk.words[0] == (LOST, "was unplugged")
    wait_until(lambda: desk.words[-1] == (OK, ""))
    assert desk.repeater.power == [True, False, True]
    assert desk.greeter.closings == 1
    assert desk.owner.alive


def test_a_port_that_is_plugged_in_later(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "port", plugged=False)
    wait_until(lambda: desk.words == [(LOST, "is not plugged in")])
    assert desk.repeater.power == []
    desk.peer.plug()
    wait_until(lambda: desk.greeter.heard == b"hello")
    wait_until(lambda: desk.words[-1] == (OK, ""))
    desk.close()


def test_a_missing_port_is_not_hammered(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "port", plugged=False)
    time.sleep(0.3)
    assert desk.work.steps <= 3
    desk.close()


def test_silence_is_no_fault_of_the_port(desk: Desk) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.peer.silent = True
    desk.greeter.outgoing = b"anybody?"
    desk.greeter.wake()
    time.sleep(0.1)
    assert desk.repeater.heard == b"hello"
    assert desk.told == []
    desk.peer.silent = False


def test_garbled_bytes_come_through_garbled(desk: Desk) -> None:
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.peer.garble = lambda data: data.upper()
    desk.greeter.outgoing = b"loud"
    desk.greeter.wake()
    wait_until(lambda: desk.greeter.heard == b"helloLOUD")


def test_a_peer_that_does_not_read_is_told_and_recovers(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(port_module, "STALLED_NS", 100_000_000)
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.peer.reads = False
    desk.peer.wake()
    much = bytes(200_000)
    desk.greeter.outgoing = much
    desk.greeter.wake()
    wait_until(lambda: desk.words == [(LOST, "takes no data")])
    steps = desk.work.steps
    time.sleep(0.3)
    assert desk.work.steps - steps < 10
    desk.peer.reads = True
    desk.peer.wake()
    wait_until(lambda: len(desk.repeater.heard) == 5 + len(much))
    wait_until(lambda: desk.words[-1] == (OK, ""))
    assert desk.repeater.heard == b"hello" + much


def test_closing_says_goodbye(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "port")
    wait_until(lambda: desk.greeter.heard == b"hello")
    desk.owner.close()
    wait_until(lambda: desk.repeater.heard == b"hellogoodbye")
    desk.close()
    assert desk.repeater.power == [True, False]
    assert not desk.path.exists()
