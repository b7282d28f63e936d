"""Who was first, on a real kernel with real drivers, under a storm and with both processors busy."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from functools import cached_property
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from hw.clock import MonotonicClock
from hw.gpio.gpio_chips import ChipInfo, find_chip
from hw.gpio.gpiod_lines import GpiodLines
from hw.gpio.gpiozero_lines import KINDS, open_lines, open_pins
from hw.ports import EdgeSource
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.rivals import (
    RACE_LINES,
    SETTINGS,
    STORM_LINES,
    TURN_NS,
    Judged,
    judge,
    rival_plan,
    storm_plan,
)
from tests.kernel.guest.tallies import HEADLINE, chi_squared, edges_in, tally, write
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
