"""Measures the jitter of one machine, with its buttons if they can be had."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from firmware_host.doctor.histogram import PER_MILLE, Delays
from firmware_host.doctor.jitter import Measured, propose
from firmware_host.doctor.practice.examination import AT_WORK, Patient
from firmware_host.doctor.practice.measuring import measure
from firmware_host.doctor.subjects.gpio_look import LinesRefused, opened_lines
from firmware_host.doctor.system import System
from firmware_host.durations import US, S
from firmware_host.runtime.assembly.installation import InputLines
from firmware_host.settings import Settings
from hw.clock import Clock, MonotonicClock

KERNEL_STAMPS = ("gpiod", "lgpio")
"""The drivers whose stamps are the kernel's."""


@dataclass(frozen=True, slots=True)
class Jitter:
    """What was measured, for people and for programs."""

    measured: Measured
    settings: Settings

    def lines(self) -> list[str]:
        """Both histograms."""
        wakes, presses = self.measured.wake_ups, self.measured.presses
        lines = ["", "how late a timer wakes this process:", *wakes.lines()]
        if self.measured.why_no_lines:
            return lines
        return [*lines, "", "from the kernel's stamp of an edge until it is read:", *presses.lines()]

    def data(self) -> dict[str, Any]:
        """The same in microseconds."""
        return {
            "seconds": self.measured.seconds,
            "wake_ups": _data(self.measured.wake_ups),
            "presses": _data(self.measured.presses),
            "overdue": _data(self.measured.overdue),
            "proposals": [
                {
                    "setting": proposal.setting,
                    "now_us": proposal.now_ns / US,
                    "proposed_us": proposal.proposed_ns / US,
                    "reason": proposal.reason,
                }
                for proposal in propose(self.measured, self.settings)
            ],
        }


def measure_jitter(
    system: System,
    patient: Patient,
    seconds: float,
    *,
    alone: bool,
    say: Callable[[str], None],
    clock: Clock | None = None,
) -> Jitter:
    """Measure for so long; `alone` says that no table is at work, whose buttons these would be."""
    profile, lines, why = patient.profile, None, ""
    clock = clock or MonotonicClock()
    with ExitStack() as open_things:
        if profile is None:
            why = "no profile says where the buttons are"
        elif not alone:
            why = AT_WORK
        else:
            lines, why = _lines(open_things, system, patient)
        deed = f"no presses can be measured ({why})" if why else "press buttons, again and again"
        say(f"\njitter: for {seconds:g} s; {deed}")
        sample = measure(clock, lines, round(seconds * S))
        uncertainty_ns = 0 if lines is None else lines.uncertainty_ns
    settings = Settings() if patient.config is None else patient.config.settings
    measured = Measured(
        seconds,
        Delays(sample.wake_ups_ns),
        Delays(sample.presses_ns),
        Delays(sample.overdue_ns),
        kernel_stamps=profile is None or profile.driver in KERNEL_STAMPS,
        uncertainty_ns=uncertainty_ns,
        why_no_lines=why,
    )
    return Jitter(measured, settings)


def _lines(open_things: ExitStack, system: System, patient: Patient) -> tuple[InputLines | None, str]:
    """The lines, or why they can't be had."""
    assert patient.profile is not None
    try:
        return open_things.enter_context(opened_lines(system, patient.profile)), ""
    except LinesRefused as error:
        return None, error.seen


def _data(delays: Delays) -> dict[str, Any]:
    figures = {f"permille_{each}_us": delays.at(each) / US for each in PER_MILLE}
    return {
        "count": len(delays),
        **figures,
        "worst_us": delays.worst_ns / US,
        "below_us": {f"{limit_ns / US:g}": count for limit_ns, count in delays.buckets()},
    }
