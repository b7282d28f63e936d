"""Measures how late this process wakes, and how long edges take from their stamps to it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from firmware_host.durations import MS
from hw.clock import Clock
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
