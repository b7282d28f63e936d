"""A device that repeats what it receives behind a pseudo-terminal, and a driver that greets it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from hw.ports import Condition, Health
from hw.serial_port import PortWork, PyserialPort
from hw.sim.cable import PtyPeer
from hw.work import OwnerThread

DEADLINE_S = 10.0


class Repeater:
    """A far end that sends what it receives."""

    def __init__(self) -> None:
        self.heard = b""
        self.power: list[bool] = []
        self.deaf_and_dumb = False
        self._outgoing = b""

    def opened(self, now_ns: int) -> None:
        self.power.append(True)

    def closed(self, now_ns: int) -> None:
        self.power.append(False)
        self._outgoing = b""

    def received(self, data: bytes, now_ns: int) -> None:
        self.heard += data
        self._outgoing += data

    def step(self, now_ns: int) -> int | None:
        return None

    def take_outgoing(self) -> bytes:
        data, self._outgoing = self._outgoing, b""
        return data


class Greeter:
    """A device that says hello whenever its line comes up, and keeps what it receives."""

    def __init__(self) -> None:
        self.name = "greeter"
        self.wake: Callable[[], None] = lambda: None
        self.health = Health("greeter", Condition.OK)
        self.heard = b""
        self.outgoing = b""
        self.closings = 0

    def opened(self, now_ns: int) -> None:
        self.outgoing = b"hello"

    def closed(self, now_ns: int) -> None:
        self.closings += 1

    def received(self, data: bytes, now_ns: int) -> None:
        self.heard += data

    def step(self, now_ns: int) -> int | None:
        return None

    def take_outgoing(self) -> bytes:
        data, self.outgoing = self.outgoing, b""
        return data

    def rest(self) -> bytes:
        return b"goodbye"


class CountedWork(PortWork):
    """Counts its steps, so that a busy loop shows."""

    steps = 0

    def step(self, now_ns: int) -> int | None:
        self.steps += 1
        return super().step(now_ns)


class PtyBench:
    """Both ends with their owners, in real time."""

    def __init__(self, path: Path, *, plugged: bool = True, baud: int = 115200) -> None:
        self.path = path
        self.repeater = Repeater()
        self.peer = PtyPeer(self.repeater, path)
        if not plugged:
            self.peer.unplug()
        self.reported: list[Health] = []
        self._peer_owner = OwnerThread(self.peer, self.reported.append)
        if plugged:
            wait_until(path.exists)
        self.greeter = Greeter()
        self.work = CountedWork(
            lambda: PyserialPort(os.fspath(path), baud), self.greeter, self.reported.append
        )
        self.owner = OwnerThread(self.work, self.reported.append)

    def pull_and_replug(self) -> None:
        """Long enough for both ends to notice."""
        self.peer.unplug()
        wait_until(lambda: not self.path.exists())
        self.peer.plug()
        wait_until(self.path.exists)

    def close(self) -> None:
        self.owner.close()
        self._peer_owner.close()

    @property
    def words(self) -> list[tuple[Condition, str]]:
        return [(health.condition, health.seen) for health in self.reported]


def wait_until(true: Callable[[], object]) -> None:
    """Wait for something in real time, and insist on it."""
    end = time.monotonic() + DEADLINE_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.002)
