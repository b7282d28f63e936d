"""The rival experiment: pairs of fingers, closer than software can see them, and who is told to be first.

What happened is known from the fingers' own notes: a press fell between the two readings of the
clock around it. What a driver told of it is judged twice: by the table's own arbiter, and as
software does that goes by the order of arrival.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import groupby
from math import exp, log
from random import Random
from typing import Generic, NamedTuple, TypeVar

from firmware_host.model.events import Pressed
from firmware_host.model.places import ALL_SLOTS, Button
from firmware_host.model.settings import Settings
from firmware_host.model.times import Stamp, contenders
from firmware_host.run.equipment import Intake
from firmware_host.timing.arbiter import Arbiter
from firmware_host.timing.ties import TieBreaker
from hw.ports import Edge
from tests.kernel.guest.world import Arrival, Deed, Touch

US, MS = 1_000, 1_000_000
T = TypeVar("T")

RACE_LINES = (4, 5, 6, 12, 13, 16, 17, 22, 23, 24, 25, 27)
STORM_LINES = (7, 8, 9, 10, 11, 18)
SEATS = {line: seat for seat, line in enumerate(RACE_LINES, start=1)}

CLOSEST_NS, WIDEST_NS = 230 * US, 5 * MS
TURN_NS = 6 * MS
"""From one pair to the next: a button is pressed about 25 times a second, which is not yet a storm."""
TURNS = 2
"""A button is held for so many turns, and rests for as many: as long as the emulator may stand still."""
SOON_NS = 700 * US

SETTINGS = Settings(button_settle_ns=300 * MS)
"""An emulated machine with busy processors takes its time until an edge is read; a Pi takes none."""


class Pair(NamedTuple):
    """Two presses in the order in which they were made: their lines, and their places among the deeds."""

    first: int
    second: int
    first_deed: int
    second_deed: int


class Plan(NamedTuple):
    """All that the fingers do."""

    deeds: list[Deed]
    pairs: list[Pair]


class Truth(NamedTuple):
    """A pair as it was: the least and the most that can have been between the two presses."""

    pair: Pair
    first: Touch
    second: Touch

    @property
    def least_ns(self) -> int:
        return self.second.before_ns - self.first.after_ns

    @property
    def most_ns(self) -> int:
        return self.second.after_ns - self.first.before_ns

    @property
    def spacing_ns(self) -> int:
        return (self.least_ns + self.most_ns) // 2


class Verdict(NamedTuple):
    """The line that was told to be first (None if no press arrived), and whether it was a dead heat."""

    winner: int | None
    tie: bool


class Judged(NamedTuple):
    """One pair, and what came of it by both ways of judging."""

    truth: Truth
    by_stamp: Verdict
    by_arrival: int | None
    arrived: int
    """How many of its two presses were told at all."""


def rival_plan(chance: Random, apart: int, together: int) -> Plan:
    """So many pairs that are apart by more than stamps may err, and so many as close as can be, mixed."""
    spacings = [round(exp(chance.uniform(log(CLOSEST_NS), log(WIDEST_NS)))) for _ in range(apart)]
    spacings += [0] * together
    chance.shuffle(spacings)
    deeds: list[Deed] = []
    pairs: list[Pair] = []
    for spacing_ns in spacings:
        recent = {line for pair in pairs[-2 * TURNS :] for line in pair[:2]}
        first, second = chance.sample([line for line in RACE_LINES if line not in recent], 2)
        pairs.append(Pair(first, second, len(deeds), len(deeds) + 1))
        deeds.append(Deed(SOON_NS, first, False, TURN_NS + chance.randrange(MS)))
        deeds.append(Deed(spacing_ns, second, False))
        for released in pairs[-TURNS - 1 : -TURNS]:
            deeds.append(Deed(SOON_NS, released.first, True))
            deeds.append(Deed(0, released.second, True))
    return Plan(deeds, pairs)


def storm_plan(chance: Random, seconds: float) -> list[Deed]:
    """Loose contacts on other lines: bursts of bounce, about a thousand edges a second."""
    deeds: list[Deed] = []
    high = dict.fromkeys(STORM_LINES, True)
    left_ns = seconds * 1e9
    while left_ns > 0:
        line = chance.choice(STORM_LINES)
        pause_ns = chance.randrange(1 * MS, 6 * MS)
        for _ in range(chance.randrange(2, 9)):
            high[line] = not high[line]
            deeds.append(Deed(pause_ns, line, high[line]))
            left_ns -= pause_ns
            pause_ns = chance.randrange(60 * US, 400 * US)
    return deeds


def judge(
    plan: Plan,
    touches: Sequence[Touch],
    arrivals: Sequence[Arrival],
    uncertainty_ns: int,
    draws: Random,
) -> list[Judged]:
    """Both verdicts on each pair."""
    presses = arbitrate(arrivals, uncertainty_ns)
    edges = _presses_as_they_arrived(arrivals)
    ties = TieBreaker(draws)
    judged = []
    for pair in plan.pairs:
        truth = Truth(pair, touches[pair.first_deed], touches[pair.second_deed])
        rivals = [
            (line, stamp)
            for line, touch in ((pair.first, truth.first), (pair.second, truth.second))
            for stamp in presses[line].near(touch)
        ]
        told = [
            (order, line)
            for line, touch in ((pair.first, truth.first), (pair.second, truth.second))
            for order in edges[line].near(touch)
        ]
        by_arrival = min(told)[1] if told else None
        arrived = len({line for _, line in told})
        touched = {pair.first: truth.first, pair.second: truth.second}
        dated = all(_is_of(stamp, touched[line]) for line, stamp in rivals)
        # A line that is held up from a release to the next press has one stamp for both: that is noise.
        swallowed = {line for _, line in told} - {line for line, _ in rivals}
        verdict = _verdict(rivals, ties) if dated and not swallowed else Verdict(None, False)
        judged.append(Judged(truth, verdict, by_arrival, arrived))
    return judged


def arbitrate(arrivals: Sequence[Arrival], uncertainty_ns: int) -> dict[int, Moments[Stamp]]:
    """The presses of each line as the arbiter gives them out, read as the table's loop reads."""
    intake = Intake({line: Button(seat) for line, seat in SEATS.items()}, uncertainty_ns)
    arbiter = Arbiter(SETTINGS, SEATS.values(), [])
    lines = {seat: line for line, seat in SEATS.items()}
    presses: dict[int, Moments[Stamp]] = {line: Moments() for line in RACE_LINES}
    looked_ns = 0

    def release(now_ns: int) -> None:
        for _, contact in arbiter.release(now_ns):
            if isinstance(contact, Pressed) and not contact.late:
                presses[lines[contact.seat]].add(contact.stamp.middle_ns, contact.stamp)

    for now_ns, batch in groupby(arrivals, key=lambda arrival: arrival.t_ns):
        for _, report in batch:
            if isinstance(report, Edge) and report.line in SEATS:
                # What waited while the process was held up is not late: nothing was decided meanwhile.
                arbiter.put(intake.source_edge(report), min(max(looked_ns, report.t_ns), now_ns))
        release(now_ns)
        looked_ns = now_ns
    release(looked_ns + 2_000 * MS)
    return presses


class Moments(Generic[T]):
    """Things by their time."""

    NEAR_NS = 2 * MS

    def __init__(self) -> None:
        self._entries: list[tuple[int, T]] = []

    def add(self, t_ns: int, thing: T) -> None:
        insort(self._entries, (t_ns, thing))

    def near(self, touch: Touch) -> list[T]:
        """What belongs to that touch: the one thing that is nearest to it, if there is one."""
        start = bisect_left(self._entries, touch.before_ns - self.NEAR_NS, key=_time)
        stop = bisect_left(self._entries, touch.after_ns + self.NEAR_NS, key=_time)
        found = self._entries[start:stop]
        return [min(found, key=lambda entry: abs(entry[0] - touch.before_ns))[1]] if found else []


def _is_of(stamp: Stamp, touch: Touch) -> bool:
    """Whether this is the stamp of that press, and not of a bounce that it ran into."""
    return touch.before_ns <= stamp.middle_ns <= touch.after_ns


def _time(entry: tuple[int, object]) -> int:
    return entry[0]


def _presses_as_they_arrived(arrivals: Sequence[Arrival]) -> dict[int, Moments[int]]:
    """The place of each press in the order of arrival."""
    presses: dict[int, Moments[int]] = {line: Moments() for line in RACE_LINES}
    for order, (_, report) in enumerate(arrivals):
        if isinstance(report, Edge) and report.line in SEATS and not report.high and not report.wide_ns:
            presses[report.line].add(report.t_ns, order)
    return presses


def _verdict(rivals: Sequence[tuple[int, Stamp]], ties: TieBreaker) -> Verdict:
    best = contenders(rivals, lambda rival: rival[1])
    if not best:
        return Verdict(None, False)
    if len(best) == 1:
        return Verdict(best[0][0], False)
    broken = ties.settle(ALL_SLOTS[0], [SEATS[line] for line, _ in best])
    return Verdict(next(line for line, _ in best if SEATS[line] == broken.winner), True)
