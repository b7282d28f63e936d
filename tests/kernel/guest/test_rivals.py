"""Who was first, on a real kernel with real drivers, under a storm and with both processors busy."""

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from hw.clock import MonotonicClock
from hw.gpio.gpio_chips import ChipInfo, find_chip
from hw.gpio.gpiod_lines import GpiodLines
from hw.gpio.gpiozero_lines import KINDS, open_lines, open_pins
from hw.ports import Edge, EdgeSource, Gap
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.rivals import (
    RACE_LINES,
    SETTINGS,
    STORM_LINES,
    TURN_NS,
    Judged,
    Plan,
    judge,
    rival_plan,
    storm_plan,
)
from tests.kernel.guest.world import Arrival, Fingers, Touch, busy_processors, listen
from tests.kernel.machine import IN_GUEST

LINES = (*RACE_LINES, *STORM_LINES)
ENOUGH = 0.9
"""Of the pairs that are meant to be apart, so many come out so."""
SERVICE_NICE = -10
"""As systemd runs the table."""


class Size(NamedTuple):
    """How many pairs are meant to be apart, and how many to be as close as can be."""

    apart: int
    together: int


FEW, MANY, LGPIO = Size(430, 80), Size(2_150, 160), Size(200, 30)
MOST_DISTURBED = 0.05
MOST_UNJUDGED = 0.01
"""Where the host holds the fingers up, presses bunch, and one may run into the bounce before it."""
UNCERTAINTY_NS = 100_000
WINDOW_NS = 2 * UNCERTAINTY_NS


def over_gpiod(chip: ChipInfo) -> AbstractContextManager[EdgeSource]:
    return closing(GpiodLines(chip, LINES, "up", under_way_ns=SETTINGS.button_settle_ns))


@contextmanager
def over_lgpio(chip: ChipInfo) -> Iterator[EdgeSource]:
    with (
        closing(open_pins(KINDS["lgpio"], chip)) as factory,
        closing(open_lines(KINDS["lgpio"], factory, LINES, "up", chip=chip)) as lines,
    ):
        yield lines


class Run:
    """One driver's run through the experiment."""

    def __init__(
        self, name: str, size: Size, over: Callable[[ChipInfo], AbstractContextManager[EdgeSource]]
    ) -> None:
        chance = Random(f"rivals over {name}")
        self.name = name
        self.size = size
        self.plan = rival_plan(chance, size.apart, size.together)
        seconds = len(self.plan.pairs) * TURN_NS / 1e9
        storm = storm_plan(chance, 2 * seconds)
        os.setpriority(os.PRIO_PROCESS, 0, SERVICE_NICE)
        MonotonicClock()  # it sets this process up as it does the daemon, and the fingers inherit that
        with ExitStack() as stack:
            stack.callback(os.setpriority, os.PRIO_PROCESS, 0, 0)
            chip = stack.enter_context(closing(SimChip()))
            source = stack.enter_context(over(find_chip()))
            fingers = stack.enter_context(closing(Fingers(chip, self.plan.deeds, priority=20)))
            loose = stack.enter_context(closing(Fingers(chip, storm, priority=10)))
            began = time.monotonic()
            with busy_processors():
                loose.begin()
                fingers.begin()
                self.arrivals: list[Arrival] = listen(source, lambda: fingers.moving)
            self.touches: list[Touch] = fingers.touches()
        self.judged: list[Judged] = judge(self.plan, self.touches, self.arrivals, UNCERTAINTY_NS, Random(7))
        self.sound = [each for each in self.judged if self._is_sound(each)]
        self.tally = tally(name, self.plan, self.sound, self.arrivals, time.monotonic() - began)

    def _is_sound(self, each: Judged) -> bool:
        """Whether both presses were stamped between the two looks at the clock around them.

        They always are, unless the emulator turns to the other processor in the middle of a press: that
        is nothing a kernel or a driver could know of.
        """
        return all(
            any(touch.before_ns <= t_ns <= touch.after_ns for t_ns in self._stamps[line])
            for line, touch in (
                (each.truth.pair.first, each.truth.first),
                (each.truth.pair.second, each.truth.second),
            )
        )

    @cached_property
    def _stamps(self) -> dict[int, list[int]]:
        stamps: dict[int, list[int]] = {line: [] for line in RACE_LINES}
        for edge in edges_in(self.arrivals):
            if edge.line in stamps and not edge.wide_ns and not edge.high:
                stamps[edge.line].append(edge.t_ns)
        return stamps


@pytest.fixture(scope="module", params=[FEW, pytest.param(MANY, marks=pytest.mark.long)], ids=["few", "many"])
def gpiod(request: pytest.FixtureRequest, say: Callable[[str], None]) -> Run:
    say(HEADLINE)
    run = Run("gpiod", request.param, over_gpiod)
    say(run.tally.row())
    assert len(run.sound) >= (1 - MOST_DISTURBED) * len(run.judged)
    return run


@pytest.fixture(scope="module")
def lgpio(say: Callable[[str], None], gpiod: Run) -> Run:
    run = Run("gpiozero over lgpio", LGPIO, over_lgpio)
    say(run.tally.row())
    write([gpiod.tally, run.tally], Path(os.environ[IN_GUEST]) / "rivals.json")
    return run


def test_enough_pairs_were_apart_by_more_than_stamps_may_err(gpiod: Run) -> None:
    assert sum(each.truth.least_ns > WINDOW_NS for each in gpiod.sound) >= ENOUGH * gpiod.size.apart


def test_the_first_finger_wins_every_time(gpiod: Run) -> None:
    for each in gpiod.sound:
        if each.truth.least_ns > WINDOW_NS and each.by_stamp.winner is not None:
            assert each.by_stamp == (each.truth.pair.first, False), each
    assert gpiod.tally.unjudged <= MOST_UNJUDGED * len(gpiod.sound)


def test_what_the_stamps_can_not_tell_apart_is_a_dead_heat(gpiod: Run) -> None:
    heats = [each for each in gpiod.sound if each.truth.most_ns <= WINDOW_NS]
    assert len(heats) > gpiod.size.together // 3
    assert all(each.by_stamp.tie or each.by_stamp.winner is None for each in heats)


def test_in_between_the_second_finger_never_wins_outright(gpiod: Run) -> None:
    for each in gpiod.sound:
        assert each.by_stamp.tie or each.by_stamp.winner in (each.truth.pair.first, None)


def test_dead_heats_are_split_evenly(gpiod: Run) -> None:
    """Neither the hand that was first by a hair has an advantage, nor the lower line number."""
    counts = gpiod.tally
    assert counts.dead_heats > gpiod.size.together // 3
    for won in (counts.dead_heats_won_by_first, counts.dead_heats_won_by_lower_line):
        assert chi_squared(won, counts.dead_heats - won) < 10.8


def test_no_press_is_lost(gpiod: Run) -> None:
    counts = gpiod.tally
    assert (counts.presses_lost, counts.gaps) == (0, 0)
    assert counts.storm_edges > 2 * gpiod.size.apart


@pytest.mark.long
@pytest.mark.parametrize("gpiod", [MANY], ids=["many"], indirect=True)
def test_what_lgpio_told_is_counted(lgpio: Run) -> None:
    """How much it loses is up to the day; here it only has to be told."""
    assert sum(each.truth.least_ns > WINDOW_NS for each in lgpio.judged) >= LGPIO.apart // 2


BIN_EDGES_US = (0, 40, 80, 160, 320, 640, 1_280, 2_560, 5_120, 1_000_000)


@dataclass(slots=True)
class Bin:
    """Pairs of about the same spacing."""

    from_us: int
    to_us: int
    pairs: int = 0
    wrong_by_stamp: int = 0
    wrong_by_arrival: int = 0
    dead_heats: int = 0
    incomplete: int = 0


@dataclass(slots=True)
class Tally:
    """One driver's run. Wrong is a verdict for the second finger that is not a dead heat.

    Unjudged is a pair whose fingers were held up so much that their presses ran into the bounce of others.
    """

    driver: str
    pairs: int = 0
    wrong_by_stamp: int = 0
    wrong_by_arrival: int = 0
    dead_heats: int = 0
    dead_heats_won_by_first: int = 0
    dead_heats_won_by_lower_line: int = 0
    unjudged: int = 0
    presses_lost: int = 0
    edges_made: int = 0
    edges_lost: int = 0
    storm_edges: int = 0
    gaps: int = 0
    arrival_inversions: int = 0
    longest_delivery_us: int = 0
    seconds: float = 0.0
    bins: list[Bin] = field(default_factory=list)

    def row(self) -> str:
        """One line for a table."""
        return (
            f"{self.driver:<22} {self.pairs:>5} {self.wrong_by_stamp:>9} {self.wrong_by_arrival:>11} "
            f"{self.dead_heats:>10} {self.edges_lost:>6} of {self.edges_made}"
        )


HEADLINE = (
    f"{'driver':<22} {'pairs':>5} {'wrong by':>9} {'wrong by':>11} {'dead':>10} {'edges':>6}\n"
    f"{'':<22} {'':>5} {'stamp':>9} {'arrival':>11} {'heats':>10} {'lost':>6}"
)


def tally(
    driver: str, plan: Plan, judged: Sequence[Judged], arrivals: Sequence[Arrival], seconds: float
) -> Tally:
    """Count it all."""
    counts = Tally(driver, seconds=round(seconds, 1))
    counts.bins = [Bin(low, high) for low, high in pairwise(BIN_EDGES_US)]
    for each in judged:
        _count(each, counts)
    _count_arrivals(arrivals, counts)
    counts.edges_made = len(plan.deeds)
    seen = sum(1 for edge in edges_in(arrivals) if edge.line in RACE_LINES and not edge.wide_ns)
    counts.edges_lost = counts.edges_made - seen
    return counts


def _count(each: Judged, counts: Tally) -> None:
    first = each.truth.pair.first
    spacing_us = each.truth.spacing_ns // 1_000
    place = next(one for one in counts.bins if one.from_us <= spacing_us < one.to_us)
    unjudged = each.by_stamp.winner is None
    wrong_by_stamp = not unjudged and not each.by_stamp.tie and each.by_stamp.winner != first
    wrong_by_arrival = each.by_arrival != first
    for count in (counts, place):
        count.pairs += 1
        count.wrong_by_stamp += wrong_by_stamp
        count.wrong_by_arrival += wrong_by_arrival
        count.dead_heats += each.by_stamp.tie
    counts.unjudged += unjudged
    place.incomplete += each.arrived < 2
    counts.presses_lost += 2 - each.arrived
    if each.by_stamp.tie:
        counts.dead_heats_won_by_first += each.by_stamp.winner == first
        counts.dead_heats_won_by_lower_line += each.by_stamp.winner == min(each.truth.pair[:2])


def _count_arrivals(arrivals: Sequence[Arrival], counts: Tally) -> None:
    newest_ns = 0
    for t_ns, report in arrivals:
        if isinstance(report, Gap):
            counts.gaps += 1
        elif not report.wide_ns:
            counts.storm_edges += report.line not in RACE_LINES
            counts.arrival_inversions += report.t_ns < newest_ns
            newest_ns = max(newest_ns, report.t_ns)
            counts.longest_delivery_us = max(counts.longest_delivery_us, (t_ns - report.t_ns) // 1_000)


def edges_in(arrivals: Iterable[Arrival]) -> list[Edge]:
    """The edges among what arrived."""
    return [report for _, report in arrivals if isinstance(report, Edge)]


def chi_squared(one: int, other: int) -> float:
    """How far a split is from an even one; 10.8 is exceeded by chance once in a thousand times."""
    total = one + other
    return (one - other) ** 2 / total if total else 0.0


def write(tallies: Iterable[Tally], file: Path) -> None:
    """For the drawing in the docs."""
    file.write_text(json.dumps([asdict(each) for each in tallies], indent=1) + "\n")
