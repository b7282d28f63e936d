"""What measured delays mean for the table's timing, and what they can't show.

How late this process wakes when a timer is due says how late lights and words may come. It makes no edge
late: what the kernel has stamped meanwhile counts from its stamp, and nothing was decided in that time.
Late is an edge that was not there yet when the table looked, although it had happened: the kernel
stamps it in the interrupt, but hands it on from a thread; and an expander that has interrupted has to be
read on a bus, where it may have to wait for its turn. That is what has to be waited for.

Nothing shows how late the interrupt itself was: nobody inside the machine can see that without a second
clock at the line. But a timer is an interrupt too. So the stamps of presses are most likely no later
than half of the wake-ups are, for a wake-up is an interrupt, and a scheduler, and Python besides.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from firmware_host.model.settings import TIMINGS, Settings, time_of
from firmware_host.model.times import MS, US, format_duration
from firmware_host.workshop.doctor.findings import Area, Finding, State

LEAST_NS = 1 * US
BAR = 40
"""Columns of the longest bar."""
PER_MILLE = (500, 990, 999)


class Delays:
    """Delays in nanoseconds; one that comes out negative is none."""

    def __init__(self, delays_ns: Iterable[int] = ()) -> None:
        self._sorted = sorted(max(0, delay_ns) for delay_ns in delays_ns)

    def __len__(self) -> int:
        return len(self._sorted)

    @property
    def worst_ns(self) -> int:
        """The longest; 0 if there is none."""
        return self._sorted[-1] if self._sorted else 0

    def at(self, per_mille: int) -> int:
        """So many of a thousand are not longer than this."""
        if not self._sorted:
            return 0
        return self._sorted[min(len(self._sorted) - 1, len(self._sorted) * per_mille // 1000)]

    def buckets(self) -> list[tuple[int, int]]:
        """How many are below each limit, and not below the one before."""
        found: list[tuple[int, int]] = []
        limit_ns, below = LEAST_NS, 0
        while below < len(self._sorted):
            upto = bisect_right(self._sorted, limit_ns - 1)
            if upto or found:
                found.append((limit_ns, upto - below))
            below, limit_ns = upto, 2 * limit_ns
        return found

    def lines(self) -> list[str]:
        """The histogram, a row for each bucket, and a line of figures."""
        buckets = self.buckets()
        if not buckets:
            return ["nothing was measured"]
        most = max(count for _, count in buckets)
        rows = [
            f"< {short(limit_ns):>7}  {count:>8}  {'#' * (-(-count * BAR // most))}".rstrip()
            for limit_ns, count in buckets
        ]
        middle, nearly, all_but = map(short, map(self.at, PER_MILLE))
        return [*rows, f"middle {middle}, 99 % {nearly}, 99.9 % {all_but}, worst {short(self.worst_ns)}"]


def short(delay_ns: int) -> str:
    """A delay in three figures or so."""
    if delay_ns < MS:
        return f"{delay_ns / US:.0f} us"
    return f"{delay_ns / MS:.1f} ms" if delay_ns < 100 * MS else f"{delay_ns / MS:.0f} ms"


FEWEST_EDGES = 20
"""Fewer edges say nothing about the slowest."""
ENOUGH_TO_SHORTEN = 200
"""Fewer edges do not show that a shorter time is safe."""
STEP_NS, SETTLE_STEP_NS = 50 * US, 1 * MS
ROOM = 2
"""An edge may be so many times later than the slowest that was seen."""
MUCH = 2
"""A setting that is more than so many times as long as it should be makes verdicts needlessly late."""
TOUCH = {
    "button-settle": "press all buttons",
    "slot-settle": "put dice on all places and lift them",
}
LATE_NS = 20 * MS
"""A light that is later than this may be noticed."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """How late the edges of one kind of contact were."""

    read: Delays
    """From the stamp of an edge until it was read."""
    overdue: Delays
    """How long before a look an edge had happened that was not there yet at that look."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a measurement; `why_no_lines` says why no edges could be measured."""

    seconds: float
    wake_ups: Delays
    buttons: Delivery
    slots: Delivery | None = None
    """None for a table without sensors."""
    kernel_stamps: bool = True
    """The driver's stamps are the kernel's, not Python's."""
    uncertainty_ns: int = 100 * US
    """How far the driver says that its stamps may be off."""
    why_no_lines: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A setting as it is and as it should be, and why."""

    setting: str
    now_ns: int
    proposed_ns: int
    reason: str

    @property
    def changes(self) -> bool:
        return self.now_ns != self.proposed_ns

    @property
    def words(self) -> str:
        """What should become of it."""
        now, proposed = format_duration(self.now_ns), format_duration(self.proposed_ns)
        return f"should be {proposed}, not {now}" if self.changes else f"{now} may stay"

    @property
    def line(self) -> str:
        """How it is written down."""
        return f'{self.setting} = "{format_duration(self.proposed_ns)}"'


def propose(measured: Measured, settings: Settings) -> list[Proposal]:
    """The tie window, and how long to wait for edges that are under way."""
    proposals = [
        _tie_window(measured, settings),
        _settle("button-settle", measured.buttons, measured, settings),
    ]
    if measured.slots is not None:
        proposals.append(_settle("slot-settle", measured.slots, measured, settings))
    return proposals


def judge_jitter(measured: Measured, settings: Settings) -> Iterator[Finding]:
    """Findings about the delays and the settings that go with them."""
    slots = Delays() if measured.slots is None else measured.slots.read
    kinds = ((measured.wake_ups, "wake-ups"), (measured.buttons.read, "presses"), (slots, "sensors"))
    for delays, subject in kinds:
        if delays:
            late = delays.at(999) > LATE_NS
            seen = f"{len(delays)} in {measured.seconds:.0f} s: {delays.lines()[-1]}"
            advice = "end what else runs here; lights and words come as late as this" if late else ""
            yield Finding(Area.JITTER, subject, State.WARN if late else State.OK, seen, advice)
    if measured.why_no_lines:
        seen = f"no edges were measured: {measured.why_no_lines}"
        yield Finding(Area.JITTER, "presses", State.NOTE, seen)
    for proposal in propose(measured, settings):
        state = State.WARN if proposal.changes else State.OK
        advice = f"put into [timing] of table.toml: {proposal.line}" if proposal.changes else ""
        yield Finding(Area.JITTER, proposal.setting, state, f"{proposal.words}: {proposal.reason}", advice)


def _tie_window(measured: Measured, settings: Settings) -> Proposal:
    now_ns = settings.stamp_uncertainty_ns
    if not measured.kernel_stamps:
        worst_ns = max(measured.uncertainty_ns, measured.wake_ups.at(999))
        proposed_ns = max(now_ns, _steps(worst_ns, STEP_NS))
        reason = (
            f"this driver's stamps are Python's own, as late as Python is: {short(worst_ns)} "
            "but for one in a thousand; the driver 'gpiod' has the kernel's"
        )
        return _proposal("stamp-uncertainty", now_ns, proposed_ns, reason)
    middle_ns = measured.wake_ups.at(500)
    least_ns = max(now_ns, measured.uncertainty_ns)
    if middle_ns <= least_ns:
        reason = (
            f"the stamps are the kernel's. Half of the wake-ups are late by no more than {short(middle_ns)}, "
            "and an interrupt is only a part of that"
        )
        return Proposal("stamp-uncertainty", now_ns, least_ns, reason)
    reason = (
        f"half of the wake-ups are late by more than {short(least_ns)}, so nothing here shows that an "
        "interrupt is sooner; wider windows make more dead heats, but no wrong verdicts"
    )
    return _proposal("stamp-uncertainty", now_ns, _steps(middle_ns, STEP_NS), reason)


def _settle(setting: str, delivery: Delivery, measured: Measured, settings: Settings) -> Proposal:
    """How long to wait for edges of that kind."""
    now_ns, usual_ns = time_of(settings, setting), time_of(Settings(), setting)
    count, worst_ns = len(delivery.overdue), delivery.overdue.worst_ns
    if count < FEWEST_EDGES:
        reason = f"only {count} edges came, which says too little: {TOUCH[setting]} for a while"
        return Proposal(setting, now_ns, now_ns, reason)
    needed_ns = _steps(ROOM * worst_ns, SETTLE_STEP_NS)
    seen = f"of {count} edges the slowest was still missing {short(worst_ns)} after it had happened"
    if now_ns < needed_ns:
        return _proposal(setting, now_ns, needed_ns, f"{seen}; {ROOM} times that should be waited for")
    enough_ns = max(needed_ns, usual_ns)
    if now_ns <= MUCH * enough_ns:
        return Proposal(setting, now_ns, now_ns, seen)
    if not measured.kernel_stamps:
        reason = f"{seen}; but Python's own stamps are late themselves, so a shorter time can't be proposed"
        return Proposal(setting, now_ns, now_ns, reason)
    if count < ENOUGH_TO_SHORTEN:
        reason = f"{seen}; less might do, but only {ENOUGH_TO_SHORTEN} edges or more could show it"
        return Proposal(setting, now_ns, now_ns, reason)
    return _proposal(setting, now_ns, enough_ns, f"{seen}; verdicts wait longer than they need to")


def _proposal(setting: str, now_ns: int, wanted_ns: int, reason: str) -> Proposal:
    """What is wanted, as far as a table.toml may say so."""
    return Proposal(setting, now_ns, min(wanted_ns, TIMINGS[setting].most_ns), reason)


def _steps(duration_ns: int, step_ns: int) -> int:
    """The next whole number of steps."""
    return -(-duration_ns // step_ns) * step_ns
