"""The kernel's clock."""

import ctypes
import os
import sys
import time

import pytest

from hw.clock import SWITCH_S, MonotonicClock


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
