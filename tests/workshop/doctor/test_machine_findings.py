"""Whether the computer is fit for a table, condition by condition."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.machine_findings import Machine, judge_machine, kernel_version
from tests.workshop.doctor.finding import one, states
from tests.workshop.doctor.profiles import DICE, profile_with

PI = Machine(
    model="Raspberry Pi 4 Model B Rev 1.4",
    architecture="aarch64",
    kernel="6.12.34+rpt-rpi-v8",
    build="#1 SMP PREEMPT Debian 1:6.12.34-1+rpt1 (2026-06-26)",
    clock_source="arch_sys_counter",
    clock_step_ns=1,
    throttled=0,
)


def test_a_pi_with_a_good_supply_has_nothing_to_be_said_of() -> None:
    assert set(states(judge_machine(PI, DICE)).values()) == {State.OK}


def test_another_computer_is_worth_knowing() -> None:
    board = one(judge_machine(replace(PI, model=""), None), "board")
    assert board.state is State.NOTE
    assert "aarch64" in board.seen


@pytest.mark.parametrize(
    ("release", "version"),
    [("6.12.34+rpt-rpi-v8", (6, 12)), ("5.10", (5, 10)), ("", None), ("linux-6.1", None)],
)
def test_kernels_are_told_by_two_numbers(release: str, version: tuple[int, int] | None) -> None:
    assert kernel_version(release) == version


@pytest.mark.parametrize(
    ("kernel", "driver", "libraries", "state"),
    [
        ("5.4.83-v7+", "gpiod", {}, State.FAIL),
        ("5.4.83-v7+", "lgpio", {}, State.FAIL),
        ("5.4.83-v7+", "rpigpio", {"RPi.GPIO": "0.7.1"}, State.OK),
        ("5.10.1", "gpiod", {}, State.OK),
        ("6.6.1", "rpigpio", {"RPi.GPIO": "0.7.1"}, State.FAIL),
        ("6.6.1", "rpigpio", {"rpi-lgpio": "0.6"}, State.OK),
        ("strange", "gpiod", {}, State.NOTE),
    ],
)
def test_a_driver_needs_its_kernel(kernel: str, driver: str, libraries: dict[str, str], state: State) -> None:
    machine = replace(PI, kernel=kernel, libraries=libraries)
    finding = one(judge_machine(machine, profile_with(DICE, driver=driver)), "kernel")
    assert finding.state is state
    assert bool(finding.advice) is (state is State.FAIL)


def test_without_a_profile_the_usual_driver_is_meant() -> None:
    assert one(judge_machine(replace(PI, kernel="5.4"), None), "kernel").state is State.FAIL


@pytest.mark.parametrize(
    ("build", "realtime", "state", "words"),
    [
        ("#1 SMP PREEMPT_RT", False, State.OK, "real-time"),
        ("#1 SMP", True, State.OK, "real-time"),
        ("#1 SMP PREEMPT_DYNAMIC", False, State.OK, "PREEMPT_DYNAMIC"),
        ("#1 SMP PREEMPT", False, State.OK, "built with PREEMPT"),
        ("#1 SMP", False, State.NOTE, "does not say"),
    ],
)
def test_preemption_is_told_of_but_is_no_fault(build: str, realtime: bool, state: State, words: str) -> None:
    finding = one(judge_machine(replace(PI, build=build, realtime=realtime), DICE), "preemption")
    assert finding.state is state
    assert words in finding.seen


@pytest.mark.parametrize(("source", "step_ns"), [("jiffies", 1), ("arch_sys_counter", 4_000_000)])
def test_a_coarse_clock_is_warned_of(source: str, step_ns: int) -> None:
    clock = one(judge_machine(replace(PI, clock_source=source, clock_step_ns=step_ns), DICE), "clock")
    assert clock.state is State.WARN
    assert clock.advice


def test_a_clock_of_unknown_source_is_fine_if_it_is_fine() -> None:
    assert one(judge_machine(replace(PI, clock_source=""), DICE), "clock").state is State.OK


@pytest.mark.parametrize(
    ("bits", "undervolted", "expected"),
    [
        (None, None, [(State.NOTE, "can't measure")]),
        (None, False, [(State.OK, "strong enough now")]),
        (None, True, [(State.FAIL, "its supply is too weak")]),
        (0, None, [(State.OK, "strong enough since")]),
        (0, True, [(State.FAIL, "its supply is too weak (0x0)")]),
        (0x50005, None, [(State.FAIL, "its supply is too weak, it is throttled (0x50005)")]),
        (0x50000, None, [(State.WARN, "it happened that its supply is too weak, that it is throttled")]),
        (0x80008, None, [(State.WARN, "it is too hot (0x80008)")]),
        (0x80000, None, [(State.WARN, "it happened that it is too hot")]),
        (
            0x20001,
            None,
            [(State.FAIL, "its supply is too weak (0x20001)"), (State.WARN, "its clock is capped")],
        ),
    ],
)
def test_the_supply_is_judged_by_what_can_be_had(
    bits: int | None, undervolted: bool | None, expected: list[tuple[State, str]]
) -> None:
    machine = replace(PI, throttled=bits, undervolted=undervolted)
    supply = [finding for finding in judge_machine(machine, DICE) if finding.subject == "supply"]
    assert [finding.state for finding in supply] == [state for state, _ in expected]
    for finding, (state, words) in zip(supply, expected, strict=True):
        assert words in finding.seen
        assert bool(finding.advice) is (state in (State.WARN, State.FAIL))


def test_heat_and_a_weak_supply_need_different_things() -> None:
    hot = one(judge_machine(replace(PI, throttled=0x80000), DICE), "supply")
    weak = one(judge_machine(replace(PI, throttled=0x10000), DICE), "supply")
    assert "heat sink" in hot.advice
    assert "supply" in weak.advice
