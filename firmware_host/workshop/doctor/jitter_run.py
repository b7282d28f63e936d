"""Measures the jitter of one machine, with its buttons and sensors if they can be had."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, NamedTuple

from firmware_host.model.places import Slot
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, US, S
from firmware_host.workshop.doctor.checks import AT_WORK, CheckedTable
from firmware_host.workshop.doctor.device_look import LinesRefused, opened_table
from firmware_host.workshop.doctor.jitter import PER_MILLE, Delays, Delivery, Measured, propose
from firmware_host.workshop.doctor.system import System
from hw.clock import Clock, MonotonicClock
from hw.ports import Edge, EdgeSource

WAKE_NS = 1 * MS
"""As often as this a timer is due, as in programs that measure kernels."""


class DeliverySample(NamedTuple):
    """How late the edges of one kind of contact were, one by one."""

    read_ns: list[int]
    """From the stamp of an edge until it was read."""
    overdue_ns: list[int]
    """How long before a look an edge had happened that was not there yet at that look."""


class Sample(NamedTuple):
    """Delays as they were measured, one by one."""

    wake_ups_ns: list[int]
    buttons: DeliverySample
    slots: DeliverySample


def measure(
    clock: Clock, sources: Sequence[EdgeSource], duration_ns: int, slot_lines: Collection[int] = ()
) -> Sample:
    """Wait as the table's loop does, for a timer or an edge, until that time has passed.

    An edge that was only found by looking has no moment, and a wake-up by an edge was not due: neither
    counts.
    """
    sample = Sample([], DeliverySample([], []), DeliverySample([], []))
    descriptors = [each.fileno() for each in sources]
    end_ns = clock.now_ns() + duration_ns
    looked_ns = clock.now_ns()
    due_ns = looked_ns + WAKE_NS
    while due_ns < end_ns:
        readable = clock.wait(due_ns, descriptors)
        now_ns = clock.now_ns()
        if readable:
            reports = [report for each in sources for report in each.read()]
            now_ns = clock.now_ns()
            for report in reports:
                if isinstance(report, Edge) and not report.wide_ns:
                    delivery = sample.slots if report.line in slot_lines else sample.buttons
                    delivery.read_ns.append(now_ns - report.t_ns)
                    delivery.overdue_ns.append(max(0, looked_ns - report.t_ns))
        looked_ns = now_ns
        if now_ns >= due_ns:
            if not readable:
                sample.wake_ups_ns.append(now_ns - due_ns)
            due_ns = max(due_ns, now_ns) + WAKE_NS
    return sample


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
    checked: CheckedTable,
    seconds: float,
    *,
    alone: bool,
    say: Callable[[str], None],
    clock: Clock | None = None,
) -> Jitter:
    """Measure for so long; `alone` says that no table is at work, whose buttons these would be."""
    profile = checked.profile
    clock = clock or MonotonicClock()
    slot_lines = [] if profile is None else [n for n, at in profile.lines.items() if isinstance(at, Slot)]
    with ExitStack() as open_things:
        sources, why = _sources(open_things, system, checked, alone)
        touch = "press buttons, and put dice down and lift them" if slot_lines else "press buttons"
        deed = f"no edges can be measured ({why})" if why else f"{touch}, again and again"
        say(f"\njitter: for {seconds:g} s; {deed}")
        sample = measure(clock, sources, round(seconds * S), slot_lines)
        uncertainty_ns = max((each.uncertainty_ns for each in sources), default=0)
    settings = Settings() if checked.config is None else checked.config.settings
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
    open_things: ExitStack, system: System, checked: CheckedTable, alone: bool
) -> tuple[Sequence[EdgeSource], str]:
    """The lines of the whole table, with its other devices at work; or why they can't be had."""
    if checked.profile is None:
        return [], "no profile says where the buttons are"
    if not alone:
        return [], AT_WORK
    try:
        return open_things.enter_context(opened_table(system, checked.profile, checked.registry)).lines, ""
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
