"""Owners in real time: what a mistake in a driver may cost, and what it may not."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable

import pytest

from hw import work
from hw.clock import SWITCH_S, MonotonicClock
from hw.ports import Condition, Health
from hw.work import OwnerThread, nobody_to_wake
from tests.hw.uart.pty_bench import wait_until


class Shaky:
    """Work that fails on request; its descriptor is always readable."""

    def __init__(self) -> None:
        self.name = "shaky"
        self.wake: Callable[[], None] = nobody_to_wake
        self.fails = False
        self.steps = 0
        self.retold = 0
        self.closed = 0
        self.readable, self._other_end = os.pipe()
        os.write(self._other_end, b"x")

    def descriptors(self) -> list[int]:
        return [self.readable] if self.fails else []

    def step(self, now_ns: int) -> int | None:
        self.steps += 1
        if self.fails:
            raise ValueError("a mistake")
        return None

    def report_again(self) -> None:
        self.retold += 1

    def close(self) -> None:
        self.closed += 1
        os.close(self.readable)
        os.close(self._other_end)


def test_a_mistake_is_reported_once_keeps_nobody_busy_and_ends_no_thread(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(work, "AFTER_A_BUG_S", 0.05)
    reported: list[Health] = []
    shaky = Shaky()
    shaky.fails = True
    owner = OwnerThread(shaky, reported.append)
    deadline = time.monotonic() + 0.4
    while time.monotonic() < deadline:
        owner.wake()
        time.sleep(0.001)
    assert owner.alive
    assert 2 <= shaky.steps <= 12
    assert [(health.name, health.condition) for health in reported] == [("shaky", Condition.LOST)]
    assert "a mistake" in reported[0].seen
    assert len(caplog.records) == 1
    shaky.fails = False
    wait_until(lambda: len(reported) == 2)
    assert reported[1].condition is Condition.OK
    wait_until(lambda: shaky.retold == 1)  # how the device really is, its driver says
    owner.close()
    assert not owner.alive


def test_woken_work_is_stepped_and_closed_once() -> None:
    shaky = Shaky()
    owner = OwnerThread(shaky, lambda health: None)
    wait_until(lambda: shaky.steps == 1)
    owner.wake()
    wait_until(lambda: shaky.steps == 2)
    for _ in range(3):
        owner.close()
        owner.wake()
    assert shaky.closed == 1


def test_a_close_that_was_interrupted_can_be_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    shaky = Shaky()
    owner = OwnerThread(shaky, lambda health: None)
    join = owner._thread.join

    def interrupted(timeout: float | None = None) -> None:
        monkeypatch.setattr(owner._thread, "join", join)
        raise KeyboardInterrupt

    monkeypatch.setattr(owner._thread, "join", interrupted)
    with pytest.raises(KeyboardInterrupt):
        owner.close()
    assert shaky.closed == 0
    owner.close()
    assert shaky.closed == 1


def test_it_shows_the_time_that_the_kernel_stamps_with() -> None:
    before = time.monotonic_ns()
    assert before <= MonotonicClock().now_ns() <= time.monotonic_ns()


def test_it_does_not_wait_for_a_moment_that_has_passed() -> None:
    clock = MonotonicClock()
    clock.wait(0, [])
    clock.wait(clock.now_ns(), [])


def test_a_readable_device_ends_the_wait() -> None:
    clock = MonotonicClock()
    device = os.eventfd(1)
    try:
        clock.wait(None, [device])
        clock.wait(clock.now_ns() + 60_000_000_000, [device])
        assert os.eventfd_read(device) == 1
    finally:
        os.close(device)


def test_without_a_device_the_wait_ends_at_its_moment() -> None:
    clock = MonotonicClock()
    until_ns = clock.now_ns() + 1_000_000
    clock.wait(until_ns, [])
    assert clock.now_ns() >= until_ns


def test_threads_take_turns_ten_times_as_often_as_by_default() -> None:
    sys.setswitchinterval(0.005)
    MonotonicClock()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_S) == 0.0005


def test_no_huge_pages_are_made_of_a_process_that_goes_by_it() -> None:
    """Making one locks its memory, and the kernel's thread for that waits for every busy program."""
    prctl = ctypes.CDLL(None).prctl
    get, put = 42, 41
    before = prctl(get, 0, 0, 0, 0)
    prctl(put, 0, 0, 0, 0)
    try:
        MonotonicClock()
        assert prctl(get, 0, 0, 0, 0) == 1
    finally:
        prctl(put, before, 0, 0, 0)
