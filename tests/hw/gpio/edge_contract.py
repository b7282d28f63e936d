"""What every driver of the edge port does alike: simulated here, on a real kernel in `tests/kernel`."""

from __future__ import annotations

import select
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from hw.ports import Edge, EdgeSource
from tests.hw.wired_lines import edges_of

PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeRig:
    """A driver of three lines that rest high, and a hand that sets one of them.

    `now_ns` is the clock its stamps are of. With `waits`, edges take real time to arrive. `late_ns` is
    how much later than it says a driver without stamps of the kernel may be on this machine. `torn` is
    how many changes the driver may happen to find before their interrupt, where a chip that only
    remembers is played: its registers and its interrupt line do not change at one moment.
    """

    source: EdgeSource
    lines: tuple[int, int, int]
    drive: Callable[[int, bool], None]
    now_ns: Callable[[], int]
    uncertainty_ns: int
    waits: bool = False
    late_ns: int = 0
    torn: int = 0

    def edges(self, count: int) -> list[Edge]:
        """So many edges, as soon as they are there; more if more have come."""
        edges = edges_of(self.source)
        deadline = time.monotonic() + PATIENCE_S
        while self.waits and len(edges) < count and time.monotonic() < deadline:
            select.select([self.source.fileno()], [], [], 0.05)
            edges += edges_of(self.source)
        return edges


class EdgeSourceContract:
    """The suite. A test class beside the drivers gives it a fixture `subject`."""

    def test_nothing_happened_yet(self, subject: EdgeRig) -> None:
        assert subject.source.read() == []
        assert subject.source.levels() == dict.fromkeys(subject.lines, True)

    def test_edges_come_in_order_and_are_numbered(self, subject: EdgeRig) -> None:
        one, two, _ = subject.lines
        seen: list[Edge] = []
        for line, high in ((two, False), (one, False), (two, True)):
            subject.drive(line, high)
            seen += subject.edges(1)
        assert [(edge.line, edge.high) for edge in seen] == [(two, False), (one, False), (two, True)]
        assert [edge.seq for edge in seen] == [0, 1, 2]
        assert sorted(edge.t_ns for edge in seen) == [edge.t_ns for edge in seen]

    def test_a_stamp_is_as_close_to_the_truth_as_the_driver_says(self, subject: EdgeRig) -> None:
        wide = 0
        for high in (False, True, False, True):
            before_ns = subject.now_ns()
            subject.drive(subject.lines[0], high)
            after_ns = subject.now_ns()
            (edge,) = subject.edges(1)
            assert edge.high is high
            uncertainty_ns = subject.uncertainty_ns
            assert before_ns - uncertainty_ns <= edge.t_ns <= after_ns + uncertainty_ns + subject.late_ns
            wide += edge.wide_ns > 0
        assert wide <= subject.torn

    def test_both_edges_of_a_line_keep_their_order(self, subject: EdgeRig) -> None:
        line = subject.lines[2]
        levels = [False, True] * 3
        seen: list[Edge] = []
        for high in levels:
            subject.drive(line, high)
            seen += subject.edges(1)
        assert [edge.high for edge in seen] == levels

    def test_an_edge_is_reported_once(self, subject: EdgeRig) -> None:
        subject.drive(subject.lines[1], False)
        assert len(subject.edges(1)) == 1
        assert subject.source.read() == []

    def test_a_level_that_stays_is_no_edge(self, subject: EdgeRig) -> None:
        subject.drive(subject.lines[0], True)
        subject.drive(subject.lines[1], False)
        assert [edge.line for edge in subject.edges(1)] == [subject.lines[1]]

    def test_levels_follow_the_edges(self, subject: EdgeRig) -> None:
        one, two, three = subject.lines
        subject.drive(three, False)
        subject.edges(1)
        assert subject.source.levels() == {one: True, two: True, three: False}

    def test_every_driver_knows_how_far_off_it_may_be(self, subject: EdgeRig) -> None:
        assert subject.source.uncertainty_ns == subject.uncertainty_ns

    def test_the_descriptor_is_readable_while_an_edge_waits(self, subject: EdgeRig) -> None:
        descriptor = subject.source.fileno()
        assert isinstance(descriptor, int)
        if subject.waits:
            assert not select.select([descriptor], [], [], 0)[0]
            subject.drive(subject.lines[0], False)
            assert select.select([descriptor], [], [], PATIENCE_S)[0]
            assert len(subject.edges(1)) == 1
            assert not select.select([descriptor], [], [], 0)[0]
        assert subject.source.fileno() == descriptor

    def test_any_driver_may_be_closed_any_number_of_times(self, subject: EdgeRig) -> None:
        for _ in range(3):
            subject.source.close()
        assert subject.source.read() == []


class ResyncContract:
    """What drivers do alike that can look at their lines again."""

    def test_nothing_is_reported_of_lines_that_are_as_they_were_reported(self, subject: EdgeRig) -> None:
        subject.drive(subject.lines[0], False)
        assert len(subject.edges(1)) == 1
        for _ in range(3):
            subject.source.resync()  # type: ignore[attr-defined]
        assert subject.source.read() == []

    def test_an_edge_that_is_under_way_is_not_reported_twice_as_two_presses(self, subject: EdgeRig) -> None:
        """Looking and the driver's own thread may meet at any moment; by their stamps the edges are right."""
        line = subject.lines[0]
        seen: list[Edge] = []
        for turn in range(20):
            subject.drive(line, turn % 2 == 1)
            subject.source.resync()  # type: ignore[attr-defined]
            seen += subject.edges(1)
            if subject.waits:
                time.sleep(0.005)
                seen += edges_of(subject.source)
        seen.sort(key=lambda edge: edge.t_ns)
        assert seen[-1].high is True
        changes = [new for old, new in pairwise(seen) if old.high is not new.high]
        assert len(changes) == 19

    def test_looking_again_after_closing_does_nothing(self, subject: EdgeRig) -> None:
        subject.source.close()
        subject.source.resync()  # type: ignore[attr-defined]
        assert subject.source.read() == []
