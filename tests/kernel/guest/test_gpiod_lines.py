"""Edges straight from the kernel: losses, bounce, and a chip that goes away."""

import contextlib
import select
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import gpiod
import pytest

from hw.gpio.gpio_chips import find_chip
from hw.gpio.gpiod_lines import GpiodLines
from hw.gpio.known_level import UNDER_WAY_NS
from hw.ports import Condition, Edge, Gap, Health
from tests.hw.gpio.edge_contract import PATIENCE_S
from tests.hw.wired_lines import edges_of
from tests.kernel.guest.gpio_sim import SimChip

ONE, TWO, THREE = LINES = (5, 6, 13)
SOON_S = 0.05


class Open(NamedTuple):
    """A driver with so long a queue, and what it told of itself."""

    lines: GpiodLines
    told: list[Health]


@pytest.fixture
def open_lines(chip: SimChip) -> Iterator[Callable[..., Open]]:
    opened: list[GpiodLines] = []

    def open_one(queue: int = 1024) -> Open:
        told: list[Health] = []
        opened.append(GpiodLines(find_chip(), LINES, "up", queue=queue, tell=told.append))
        return Open(opened[-1], told)

    yield open_one
    for lines in opened:
        lines.close()


def storm(chip: SimChip, edges: int) -> None:
    """Two lines chatter, and rest high again; not so fast that two interrupts of a line become one."""
    for number in range(edges):
        chip.drive((ONE, TWO)[number % 2], number // 2 % 2 == 1)
        time.sleep(0.0002)
    time.sleep(SOON_S)


def test_a_queue_that_is_long_enough_loses_nothing_while_nobody_reads(
    chip: SimChip, open_lines: Callable[..., Open]
) -> None:
    lines = open_lines().lines
    storm(chip, 900)
    reports = lines.read()
    assert [report for report in reports if isinstance(report, Gap)] == []
    assert len(reports) > 800  # a pair may be one to the kernel where the machine is held up
    assert lines.read() == []


@pytest.mark.parametrize("queue", [10, 16, 64])
def test_an_overflow_is_told_with_its_size_and_the_lines_are_looked_at(
    chip: SimChip, open_lines: Callable[..., Open], queue: int
) -> None:
    lines = open_lines(queue).lines
    before_ns = time.monotonic_ns()
    chip.drive(THREE, False)  # this press is dropped: the oldest event goes first
    pressed_ns = time.monotonic_ns()
    storm(chip, 400)
    after_ns = time.monotonic_ns()
    gap, *rest = lines.read()
    assert isinstance(gap, Gap)
    edges = [report for report in rest if isinstance(report, Edge)]
    assert len(edges) == len(rest)
    delivered = {edge.t_ns for edge in edges if not edge.wide_ns}
    # Threads of two lines number their events and queue them apart, so the one that comes with the look may
    # have passed for lost.
    assert 300 < gap.lost <= 402 - len(delivered)
    assert gap.since_ns <= before_ns < pressed_ns < gap.until_ns < after_ns
    (found,) = [edge for edge in edges if edge.wide_ns]
    assert (found.line, found.high) == (THREE, False)
    assert found.t_ns - found.wide_ns <= before_ns < pressed_ns <= found.t_ns
    assert found is edges[-1]


def test_after_a_gap_it_goes_on_as_ever(chip: SimChip, open_lines: Callable[..., Open]) -> None:
    lines = open_lines(16).lines
    storm(chip, 100)
    assert isinstance(lines.read()[0], Gap)
    before_ns = time.monotonic_ns()
    chip.drive(ONE, False)
    after_ns = time.monotonic_ns()
    assert select.select([lines.fileno()], [], [], PATIENCE_S)[0]
    (edge,) = lines.read()
    assert isinstance(edge, Edge)
    assert (edge.line, edge.high, edge.wide_ns) == (ONE, False, 0)
    assert before_ns <= edge.t_ns <= after_ns


def test_lines_that_come_out_of_a_gap_as_they_were_are_no_edges(
    chip: SimChip, open_lines: Callable[..., Open]
) -> None:
    lines = open_lines(16).lines
    chip.drive(THREE, False)
    chip.drive(THREE, True)
    storm(chip, 100)
    assert not any(report.wide_ns for report in lines.read() if isinstance(report, Edge))
    assert lines.levels() == dict.fromkeys(LINES, True)


@contextlib.contextmanager
def deaf(lines: GpiodLines, line: int) -> Iterator[None]:
    """For a while the kernel takes no interrupt of that line; no number shows it afterwards."""
    request = lines._request
    deaf_line, hearing = (
        gpiod.LineSettings(
            direction=gpiod.line.Direction.INPUT,
            edge_detection=edges,
            bias=gpiod.line.Bias.AS_IS,  # the simulator would pull the line up again
            event_clock=gpiod.line.Clock.MONOTONIC,
        )
        for edges in (gpiod.line.Edge.NONE, gpiod.line.Edge.BOTH)
    )
    others = tuple(each for each in LINES if each != line)
    request.reconfigure_lines({others: hearing, line: deaf_line})
    yield
    request.reconfigure_lines({LINES: hearing})


def test_a_press_without_an_interrupt_is_found_after_another_ones_event(
    chip: SimChip, open_lines: Callable[..., Open]
) -> None:
    lines = open_lines().lines
    before_ns = time.monotonic_ns()
    with deaf(lines, THREE):
        chip.drive(THREE, False)
    pressed_ns = time.monotonic_ns()
    chip.drive(ONE, False)
    assert [(edge.line, edge.high) for edge in until_quiet(lines)] == [(ONE, False)]
    time.sleep(UNDER_WAY_NS / 1e9)
    lines.resync()
    gap, found = lines.read()
    assert isinstance(gap, Gap) and isinstance(found, Edge)
    assert (gap.lost, found.line, found.high) == (1, THREE, False)
    assert (gap.since_ns, gap.until_ns) == (found.t_ns - found.wide_ns, found.t_ns)
    assert gap.since_ns <= before_ns < pressed_ns <= gap.until_ns
    chip.drive(THREE, True)
    (up,) = until_quiet(lines)
    assert (up.line, up.high, up.wide_ns) == (THREE, True, 0)


def test_a_press_without_an_interrupt_is_told_when_it_ends(
    chip: SimChip, open_lines: Callable[..., Open]
) -> None:
    lines = open_lines().lines
    with deaf(lines, THREE):
        chip.drive(THREE, False)
    chip.drive(ONE, False)
    assert [edge.line for edge in until_quiet(lines)] == [ONE]
    time.sleep(UNDER_WAY_NS / 1e9)
    chip.drive(THREE, True)
    assert select.select([lines.fileno()], [], [], PATIENCE_S)[0]
    gap, down, up = lines.read()
    assert isinstance(gap, Gap) and isinstance(down, Edge) and isinstance(up, Edge)
    assert (down.line, down.high, down.wide_ns > 0) == (THREE, False, True)
    assert (up.line, up.high, up.wide_ns) == (THREE, True, 0)


def test_a_bouncing_press_is_dated_by_its_first_edge(chip: SimChip, open_lines: Callable[..., Open]) -> None:
    """However the kernel's thread was late to look, the first edge that is told goes down."""
    lines = open_lines().lines
    for _ in range(20):
        before_ns = time.monotonic_ns()
        for high in (False, True, False, True, False):
            chip.drive(ONE, high)
        after_ns = time.monotonic_ns()
        edges = until_quiet(lines)
        assert not edges[0].high
        assert not edges[-1].high
        assert before_ns <= edges[0].t_ns <= after_ns
        chip.drive(ONE, True)
        assert [edge.high for edge in until_quiet(lines)] == [True]


def test_lines_may_be_low_from_the_start(chip: SimChip) -> None:
    lines = GpiodLines(find_chip(), [ONE, TWO], "down")
    assert lines.levels() == {ONE: False, TWO: False}
    assert lines.read() == []
    lines.close()


def test_reading_for_nothing_does_not_block(open_lines: Callable[..., Open]) -> None:
    lines = open_lines().lines
    began = time.monotonic()
    for _ in range(100):
        assert lines.read() == []
    assert time.monotonic() - began < 1


def test_a_chip_that_goes_away_is_told_and_tried_again(
    chip: SimChip, open_lines: Callable[..., Open]
) -> None:
    lines, told = open_lines()
    descriptor = lines.fileno()
    chip.drive(TWO, False)
    time.sleep(SOON_S)
    assert len(lines.read()) == 1
    gone_ns = time.monotonic_ns()
    chip.unplug()
    assert select.select([descriptor], [], [], PATIENCE_S)[0]
    assert lines.read() == []
    assert [(health.name, health.condition) for health in told] == [("gpio", Condition.LOST)]
    assert not select.select([descriptor], [], [], 0)[0]  # nobody is woken for nothing
    assert lines.levels() == {ONE: True, TWO: False, THREE: True}
    lines.resync()
    chip.plug_in()
    back_ns = resynced(lines)
    gap, edge = lines.read()
    assert isinstance(gap, Gap) and isinstance(edge, Edge)
    assert gap.lost == 0 and gone_ns <= gap.since_ns < gap.until_ns <= back_ns
    assert [health.condition for health in told] == [Condition.LOST, Condition.OK]
    assert lines.fileno() == descriptor
    assert (edge.line, edge.high) == (TWO, True)  # the new request pulls it up
    assert edge.t_ns - edge.wide_ns <= gone_ns


def until_quiet(lines: GpiodLines) -> list[Edge]:
    """The edges that come until none come any more."""
    edges: list[Edge] = []
    while not edges or select.select([lines.fileno()], [], [], 0.02)[0]:
        edges += edges_of(lines)
    return edges


def resynced(lines: GpiodLines) -> int:
    """Look again until there is something to tell; when that was."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        lines.resync()
        if select.select([lines.fileno()], [], [], 0.02)[0]:
            return time.monotonic_ns()
    raise AssertionError("the chip did not come back")
