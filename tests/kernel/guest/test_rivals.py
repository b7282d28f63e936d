"""Who was first, on a real kernel with real drivers, under a storm and with both processors busy."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from hw.gpio.chips import Chip, find_chip
from hw.gpio.factories import KINDS, open_lines, open_pins
from hw.gpio.gpiod_lines import GpiodLines
from hw.ports import EdgeSource
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.rivals import (
    RACE_LINES,
    STORM_LINES,
    TURN_NS,
    Judged,
    judge,
    rival_plan,
    storm_plan,
)
from tests.kernel.guest.tallies import HEADLINE, chi_squared, edges_in, tally, write
from tests.kernel.guest.world import Arrival, Fingers, Touch, Watches, busy_processors, listen
from tests.kernel.machine import IN_GUEST

LINES = (*RACE_LINES, *STORM_LINES)
APART, TOGETHER = 500, 100
UNCERTAINTY_NS = 100_000
WINDOW_NS = 2 * UNCERTAINTY_NS


def over_gpiod(chip: Chip) -> Iterator[EdgeSource]:
    lines = GpiodLines(chip, LINES, "up")
    yield lines
    lines.close()


def over_lgpio(chip: Chip) -> Iterator[EdgeSource]:
    factory = open_pins(KINDS["lgpio"], chip)
    lines = open_lines(KINDS["lgpio"], factory, LINES, "up", chip=chip)
    yield lines
    lines.close()
    factory.close()


class Run:
    """One driver's run through the experiment."""

    def __init__(self, name: str, over: Callable[[Chip], Iterator[EdgeSource]]) -> None:
        chance = Random(f"rivals over {name}")
        self.name = name
        self.plan = rival_plan(chance, APART, TOGETHER)
        chip = SimChip()
        opened = over(find_chip())
        source = next(opened)
        seconds = len(self.plan.pairs) * TURN_NS / 1e9
        fingers = Fingers(chip, self.plan.deeds, priority=20)
        loose = Fingers(chip, storm_plan(chance, 2 * seconds), priority=10)
        watches = Watches()
        began = time.monotonic()
        try:
            with busy_processors():
                loose.begin()
                fingers.begin()
                self.arrivals: list[Arrival] = listen(source, lambda: fingers.moving)
            self.touches: list[Touch] = fingers.touches()
            self.standstills: list[Touch] = watches.standstills()
        finally:
            fingers.close()
            loose.close()
            watches.close()
            next(opened, None)
            chip.close()
        self.judged: list[Judged] = judge(
            self.plan, self.touches, self.arrivals, self.standstills, UNCERTAINTY_NS, Random(7)
        )
        self.tally = tally(name, self.plan, self.judged, self.arrivals, time.monotonic() - began)


@pytest.fixture(scope="module")
def gpiod(say: Callable[[str], None]) -> Run:
    say(HEADLINE)
    run = Run("gpiod", over_gpiod)
    say(run.tally.row())
    return run


@pytest.fixture(scope="module")
def lgpio(say: Callable[[str], None], gpiod: Run) -> Run:
    run = Run("gpiozero over lgpio", over_lgpio)
    say(run.tally.row())
    write([gpiod.tally, run.tally], Path(os.environ[IN_GUEST]) / "rivals.json")
    return run


def test_enough_pairs_were_apart_by_more_than_stamps_may_err(gpiod: Run) -> None:
    assert sum(each.truth.least_ns > WINDOW_NS for each in gpiod.judged) >= APART


def test_the_first_finger_wins_every_time(gpiod: Run) -> None:
    for each in gpiod.judged:
        if each.truth.least_ns > WINDOW_NS:
            assert each.by_stamp == (each.truth.pair.first, False), each


def test_what_the_stamps_can_not_tell_apart_is_a_dead_heat(gpiod: Run) -> None:
    heats = [each for each in gpiod.judged if each.truth.most_ns <= WINDOW_NS]
    assert len(heats) > TOGETHER // 8  # how many there are is up to how fast the machine is emulated
    assert all(each.by_stamp.tie for each in heats)


def test_in_between_the_second_finger_never_wins_outright(gpiod: Run) -> None:
    for each in gpiod.judged:
        assert each.by_stamp.tie or each.by_stamp.winner == each.truth.pair.first


def test_dead_heats_are_split_evenly(gpiod: Run) -> None:
    """Neither the hand that was first by a hair has an advantage, nor the lower line number."""
    counts = gpiod.tally
    assert counts.dead_heats > TOGETHER // 8
    for won in (counts.dead_heats_won_by_first, counts.dead_heats_won_by_lower_line):
        assert chi_squared(won, counts.dead_heats - won) < 10.8


def test_every_stamp_lies_between_the_two_looks_at_the_clock_around_it(gpiod: Run) -> None:
    stamps: dict[int, list[int]] = {line: [] for line in RACE_LINES}
    for edge in edges_in(gpiod.arrivals):
        if edge.line in stamps and not edge.wide_ns:
            stamps[edge.line].append(edge.t_ns)
    moved: dict[int, list[Touch]] = {line: [] for line in RACE_LINES}
    for deed, touch in zip(gpiod.plan.deeds, gpiod.touches, strict=True):
        moved[deed.line].append(touch)
    for line in RACE_LINES:
        assert len(stamps[line]) == len(moved[line])
        for t_ns, touch in zip(sorted(stamps[line]), moved[line], strict=True):
            assert touch.before_ns <= t_ns <= touch.after_ns


def test_no_edge_of_a_race_is_lost(gpiod: Run) -> None:
    counts = gpiod.tally
    assert (counts.edges_lost, counts.presses_lost, counts.gaps) == (0, 0, 0)
    assert counts.storm_edges > 5_000


def test_what_lgpio_told_is_counted(lgpio: Run) -> None:
    """How much it loses is up to the day; that a lost edge is told by no means other than looking is not."""
    assert sum(each.truth.least_ns > WINDOW_NS for each in lgpio.judged) >= APART
    assert lgpio.tally.pairs == APART + TOGETHER
    assert lgpio.tally.presses_lost <= lgpio.tally.edges_lost


def test_debug(gpiod, say):
    stamps = {line: sorted(e.t_ns for e in edges_in(gpiod.arrivals) if e.line == line and not e.wide_ns) for line in RACE_LINES}
    import bisect
    say(f"{len(gpiod.standstills)} standstills, worst {max((s.after_ns-s.before_ns)//1000 for s in gpiod.standstills) if gpiod.standstills else 0}; took {gpiod.tally.seconds}; {gpiod.tally}")
    say(Path("/sys/devices/system/clocksource/clocksource0/current_clocksource").read_text())
    ts = [time.monotonic_ns() for _ in range(1000)]
    say(f"clock read {sorted(b-a for a,b in zip(ts,ts[1:]))[500]}")
    ws = sorted(t.after_ns-t.before_ns for t in gpiod.touches)
    say(f"write {ws[len(ws)//2]} {ws[-5:]}")
    late = slow = 0
    for d, t in zip(gpiod.plan.deeds, gpiod.touches):
        L = stamps[d.line]
        i = bisect.bisect_left(L, t.before_ns)
        late += i >= len(L) or L[i] > t.after_ns
        slow += t.after_ns-t.before_ns>1000000
    say(f"late {late} slow {slow}")
