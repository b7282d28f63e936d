"""Whether the kernel works around the lost edges of the Pis before the 5, as far as its name tells."""

from __future__ import annotations

import pytest

from firmware_host.workshop.doctor.device_findings import Gpio, GpioChip
from firmware_host.workshop.doctor.findings import State
from firmware_host.workshop.doctor.machine_findings import Machine, judge_lost_edges

PI_4 = Gpio(chip=GpioChip(path="/dev/gpiochip0", label="pinctrl-bcm2711", lines=58))
PI_5 = Gpio(chip=GpioChip(path="/dev/gpiochip0", label="pinctrl-rp1", lines=54))
HAS, HAS_NOT, WHO_KNOWS = State.OK, State.WARN, State.NOTE


@pytest.mark.parametrize(
    ("kernel", "build", "state"),
    [
        ("6.12.34+rpt-rpi-v8", "#1 SMP PREEMPT Debian 1:6.12.34-1+rpt1 (2026-06-26)", HAS),
        ("6.6.20+rpt-rpi-v7", "#1 SMP Raspbian 1:6.6.20-1+rpt1 (2024-03-07)", HAS),
        ("6.1.0-rpi4-rpi-v8", "#1 SMP PREEMPT Debian 1:6.1.54-1+rpt2 (2023-10-05)", HAS),
        ("6.1.21-v8+", "#1642 SMP PREEMPT Mon Apr  3 17:24:16 BST 2023", HAS_NOT),
        ("5.10.17+", "#1421 Thu May 27 13:58:02 BST 2021", HAS_NOT),
        ("6.1.40-v7l+", "#1700 SMP", WHO_KNOWS),
        ("6.3.1-v8+", "#1650 SMP", WHO_KNOWS),
        ("6.5.8-1-rpi-ARCH", "#1 SMP PREEMPT", HAS),
        ("6.6.51-v8-16k+", "#1 SMP PREEMPT", HAS),
        ("6.8.0-1013-raspi", "#15-Ubuntu SMP PREEMPT_DYNAMIC", WHO_KNOWS),
        ("6.9.3+", "#1 SMP", WHO_KNOWS),
        ("6.1.0-18-arm64", "#1 SMP Debian 6.1.76-1 (2024-02-01)", HAS_NOT),
        ("6.12.9-200.fc41.aarch64", "#1 SMP", HAS_NOT),
        ("", "", WHO_KNOWS),
    ],
)
def test_the_kernels_name_tells_whether_it_has_the_workaround(kernel: str, build: str, state: State) -> None:
    (finding,) = judge_lost_edges(Machine(kernel=kernel, build=build), PI_4)
    assert (finding.subject, finding.state) == ("lost edges", state)
    assert kernel in finding.seen
    assert bool(finding.advice) is (state is HAS_NOT)


def test_a_kernel_of_ones_own_is_called_so() -> None:
    (finding,) = judge_lost_edges(Machine(kernel="6.1.21-v8+"), PI_4)
    assert finding.seen.startswith("kernel 6.1.21-v8+ does not have the workaround")
    assert "full-upgrade" in finding.advice
    (finding,) = judge_lost_edges(Machine(kernel="6.12.9-200.fc41.aarch64"), PI_4)
    assert "not the Pi's own" in finding.seen and "Raspberry Pi OS" in finding.advice


@pytest.mark.parametrize("gpio", [PI_5, Gpio()])
def test_of_a_chip_that_loses_nothing_nothing_is_said(gpio: Gpio) -> None:
    assert list(judge_lost_edges(Machine(kernel="6.1.21-v8+"), gpio)) == []
