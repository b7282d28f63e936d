"""Measures the jitter of one machine, with its buttons and sensors if they can be had."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from firmware_host.doctor.histogram import PER_MILLE, Delays
from firmware_host.doctor.jitter import Delivery, Measured, propose
from firmware_host.doctor.practice.examination import AT_WORK, Patient
from firmware_host.doctor.practice.measuring import DeliverySample, measure
from firmware_host.doctor.subjects.gpio_look import LinesRefused, opened_table
from firmware_host.doctor.system import System
from firmware_host.durations import US, S
from firmware_host.places import Slot
from firmware_host.settings import Settings
from hw.clock import Clock, MonotonicClock
from hw.ports import EdgeSource

KERNEL_STAMPS = ("gpiod", "lgpio")
"""The drivers whose stamps are the kernel's."""


@dataclass(frozen=True, slots=True)
class Jitter:
    """What was measured, for people and for programs."""

    measured: Measured
    settings: Settings

    def lines(self) -> list[str]:
        """The histograms."""
        measured = self.measured
        lines = ["", "how late a timer wakes this process:", *measured.wake_ups.lines()]
        if measured.why_no_lines:
            return lines
        lines += ["", "from the stamp of a button's edge until it is read:", *measured.buttons.read.lines()]
        if measured.slots is not None:
            lines += ["", "from the stamp of a sensor's edge until it is read:", *measured.slots.read.lines()]
        return lines

    def data(self) -> dict[str, Any]:
        """The same in microseconds."""
        measured = self.measured
        slots = {} if measured.slots is None else _delivery_data(measured.slots, "slots", "slots_overdue")
        return {
            "seconds": measured.seconds,
            "wake_ups": _data(measured.wake_ups),
            **_delivery_data(measured.buttons, "presses", "overdue"),
            **slots,
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
    profile = patient.profile
    clock = clock or MonotonicClock()
    slot_lines = [] if profile is None else [n for n, at in profile.lines.items() if isinstance(at, Slot)]
    with ExitStack() as open_things:
        sources, why = _sources(open_things, system, patient, alone)
        touch = "press buttons, and put dice down and lift them" if slot_lines else "press buttons"
        deed = f"no edges can be measured ({why})" if why else f"{touch}, again and again"
        say(f"\njitter: for {seconds:g} s; {deed}")
        sample = measure(clock, sources, round(seconds * S), slot_lines)
        uncertainty_ns = max((each.uncertainty_ns for each in sources), default=0)
    settings = Settings() if patient.config is None else patient.config.settings
    measured = Measured(
        seconds,
        Delays(sample.wake_ups_ns),
        _delivery(sample.buttons),
        _delivery(sample.slots) if slot_lines else None,
        kernel_stamps=profile is None or profile.driver in KERNEL_STAMPS,
        uncertainty_ns=uncertainty_ns,
        why_no_lines=why,
    )
    return Jitter(measured, settings)


def _sources(
    open_things: ExitStack, system: System, patient: Patient, alone: bool
) -> tuple[Sequence[EdgeSource], str]:
    """The lines of the whole table, with its other devices at work; or why they can't be had."""
    if patient.profile is None:
        return [], "no profile says where the buttons are"
    if not alone:
        return [], AT_WORK
    try:
        return open_things.enter_context(opened_table(system, patient.profile, patient.registry)).lines, ""
    except LinesRefused as error:
        return [], error.seen


def _delivery(sample: DeliverySample) -> Delivery:
    return Delivery(Delays(sample.read_ns), Delays(sample.overdue_ns))


def _delivery_data(delivery: Delivery, read: str, overdue: str) -> dict[str, Any]:
    return {read: _data(delivery.read), overdue: _data(delivery.overdue)}


def _data(delays: Delays) -> dict[str, Any]:
    figures = {f"permille_{each}_us": delays.at(each) / US for each in PER_MILLE}
    return {
        "count": len(delays),
        **figures,
        "worst_us": delays.worst_ns / US,
        "below_us": {f"{limit_ns / US:g}": count for limit_ns, count in delays.buckets()},
    }
