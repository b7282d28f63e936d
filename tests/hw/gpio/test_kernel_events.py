"""What the kernel's events say: order, losses, bounces, and levels that were looked at again."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.gpio.gpiod_lines import EventReader, KernelEvent
from hw.ports import Edge, Gap

LINES = (4, 5, 6)
US = 1_000
MS = 1_000_000


def reader(*low: int) -> EventReader:
    return EventReader({line: line not in low for line in LINES}, 0)


def edges(reports: list[Edge | Gap]) -> list[tuple[int, bool, int]]:
    """Line, level and stamp of each."""
    assert not any(isinstance(report, Gap) for report in reports)
    return [(report.line, report.high, report.t_ns) for report in reports if isinstance(report, Edge)]


def levels_reported(reports: list[Edge | Gap], line: int) -> list[bool]:
    return [report.high for report in reports if isinstance(report, Edge) and report.line == line]


@pytest.fixture
def kernel() -> EventReader:
    return reader()


# -- order


def test_events_become_edges_in_the_order_of_their_arrival() -> None:
    reported = reader().take(
        [
            KernelEvent(4, False, 10, 1, 1),
            KernelEvent(6, False, 30, 3, 1),
            KernelEvent(5, False, 20, 2, 1),
            KernelEvent(4, True, 40, 4, 2),
        ],
        full=False,
    )
    assert reported == [
        Edge(4, False, 10, 0),
        Edge(6, False, 30, 1),
        Edge(5, False, 20, 2),
        Edge(4, True, 40, 3),
    ]


def test_a_number_that_comes_with_the_next_reading_was_not_lost(kernel: EventReader) -> None:
    assert edges(kernel.take([KernelEvent(5, False, 20, 2, 1)], full=False)) == [(5, False, 20)]
    assert edges(kernel.take([KernelEvent(4, False, 10, 1, 1)], full=False)) == [(4, False, 10)]
    assert edges(kernel.take([KernelEvent(6, False, 30, 3, 1)], full=False)) == [(6, False, 30)]


# -- losses


def test_a_hole_in_a_lines_numbers_is_a_loss(kernel: EventReader) -> None:
    kernel.take([KernelEvent(4, False, 10, 1, 1)], full=False)
    reported = kernel.take([KernelEvent(4, True, 90, 8, 8), KernelEvent(5, False, 95, 9, 1)], full=False)
    assert reported == [Gap(6, 10, 90), Edge(4, True, 90, 1), Edge(5, False, 95, 2)]


def test_a_full_queue_with_a_hole_before_it_is_a_loss_though_its_line_is_silent(kernel: EventReader) -> None:
    reported = kernel.take([KernelEvent(4, False, 90, 8, 1)], full=True)
    assert reported == [Gap(7, 0, 90), Edge(4, False, 90, 0)]


def test_a_full_queue_without_a_hole_is_no_loss(kernel: EventReader) -> None:
    assert kernel.take([KernelEvent(4, False, 90, 1, 1)], full=True) == [Edge(4, False, 90, 0)]


def test_a_gap_begins_at_the_latest_stamp_before_it(kernel: EventReader) -> None:
    kernel.take([KernelEvent(5, False, 50, 2, 1), KernelEvent(4, False, 40, 1, 1)], full=False)
    assert kernel.take([KernelEvent(6, False, 90, 5, 1)], full=True)[0] == Gap(2, 50, 90)


def test_losses_on_several_lines_are_one_gap() -> None:
    reported = reader().take(
        [KernelEvent(4, False, 90, 9, 3), KernelEvent(5, False, 95, 10, 4)],
        full=True,
    )
    assert [report for report in reported if isinstance(report, Gap)] == [Gap(8, 0, 90)]


def test_after_a_loss_a_level_says_nothing_of_what_was_before() -> None:
    """When the dropped edges happened is unknown."""
    reported = reader().take([KernelEvent(4, True, 90, 5, 5)], full=True)
    assert reported == [Gap(4, 0, 90), Edge(4, True, 90, 0)]


def test_numbers_begin_again_with_a_new_request(kernel: EventReader) -> None:
    kernel.take([KernelEvent(4, False, 10, 7, 7)], full=True)
    kernel.restart()
    assert edges(kernel.take([KernelEvent(4, True, 20, 1, 1)], full=False)) == [(4, True, 20)]


# -- bounces


def test_interrupts_that_became_one_are_no_loss() -> None:
    """Press, up, down again before the thread ran: one event, low, with the last stamp and number."""
    assert edges(reader().take([KernelEvent(4, False, 30, 3, 1)], full=False)) == [(4, False, 30)]


def test_a_line_that_was_back_when_it_was_read_has_been_away() -> None:
    reported = reader().take([KernelEvent(4, True, 30, 2, 1)], full=False)
    assert reported == [Edge(4, False, 30, 0), Edge(4, True, 30, 1)]


def test_if_the_way_back_has_an_event_of_its_own_it_has_its_own_stamp() -> None:
    """Both were read when the line was back: a thread that is held up may miss all of a press."""
    reported = reader().take(
        [
            KernelEvent(4, True, 10 * US, 1, 1),
            KernelEvent(5, False, 20 * US, 2, 1),
            KernelEvent(4, True, 30 * US, 3, 2),
            KernelEvent(4, False, 90 * US, 4, 3),
        ],
        full=False,
    )
    assert edges(reported) == [
        (4, False, 10 * US),
        (5, False, 20 * US),
        (4, True, 30 * US),
        (4, False, 90 * US),
    ]


def test_a_press_whose_first_edge_was_read_too_late_is_dated_by_it_all_the_same() -> None:
    reported = reader().take(
        [KernelEvent(4, True, 10 * US, 1, 1), KernelEvent(4, False, 900 * US, 2, 2)],
        full=False,
    )
    assert edges(reported) == [(4, False, 10 * US), (4, True, 10 * US), (4, False, 900 * US)]


def test_an_event_from_before_the_levels_were_read_is_no_twitch() -> None:
    """The line went down between request and first look: its event comes afterwards."""
    kernel = EventReader({4: False, 5: True, 6: True}, 100)
    assert edges(kernel.take([KernelEvent(4, False, 50, 1, 1)], full=False)) == [(4, False, 50)]


# -- looking again


def dropped(kernel: EventReader, t_ns: int) -> None:
    """The queue ran over: line 5 goes down at that moment, and what happened before is unknown."""
    gap, edge = kernel.take([KernelEvent(5, False, t_ns, 5, 2)], full=True)
    assert isinstance(gap, Gap) and isinstance(edge, Edge)


def test_lines_that_are_as_they_were_reported_are_not_mentioned(kernel: EventReader) -> None:
    kernel.take([KernelEvent(4, False, 10, 1, 1)], full=False)
    assert kernel.look({4: False, 5: True, 6: True}, 100, 110) == []
    dropped(kernel, 150)
    assert kernel.look({4: False, 5: False, 6: True}, 200, 210) == []


def test_after_a_gap_a_line_that_has_changed_is_a_wide_edge_at_once(kernel: EventReader) -> None:
    kernel.take([KernelEvent(4, False, 10, 1, 1)], full=False)
    dropped(kernel, 80)
    assert kernel.look({4: True, 5: False, 6: False}, 100, 110) == [
        Edge(4, True, 110, 2, wide_ns=100),
        Edge(6, False, 110, 3, wide_ns=100),
    ]
    assert kernel.look({4: True, 5: False, 6: False}, 200, 210) == []


def test_a_gap_says_since_when_a_line_may_have_changed(kernel: EventReader) -> None:
    kernel.take([KernelEvent(4, False, 70, 1, 1)], full=False)
    dropped(kernel, 90)
    assert kernel.look({4: False, 5: False, 6: False}, 100, 110) == [Edge(6, False, 110, 2, wide_ns=40)]


def test_each_look_narrows_the_next(kernel: EventReader) -> None:
    kernel.look({6: True}, 100, 110)
    dropped(kernel, 150)
    assert kernel.look({6: False}, 200, 210) == [Edge(6, False, 210, 1, wide_ns=110)]


def test_an_edge_that_came_in_while_looking_knows_better(kernel: EventReader) -> None:
    dropped(kernel, 90)
    kernel.take([KernelEvent(4, False, 105, 3, 1)], full=False)
    assert kernel.look({4: True}, 100, 110) == []
    assert kernel.levels()[4] is False


def test_the_event_of_an_edge_that_was_found_first_changes_nothing_any_more(kernel: EventReader) -> None:
    dropped(kernel, 95)
    assert len(kernel.look({4: False}, 100, 110)) == 1
    assert edges(kernel.take([KernelEvent(4, False, 90, 3, 1)], full=False)) == [(4, False, 90)]
    kernel.take([KernelEvent(4, True, 150, 4, 2)], full=False)
    assert kernel.levels()[4] is True
    assert kernel.look({4: True}, 300, 310) == []


# -- edges that leave no trace but the level


def test_a_level_that_no_event_explains_in_time_is_a_lost_edge(kernel: EventReader) -> None:
    kernel.look({4: True}, 1 * MS, 1 * MS + 5)
    assert kernel.look({4: False}, 5 * MS, 5 * MS + 5) == []  # its event may be under way
    assert kernel.look({4: False}, 25 * MS, 25 * MS + 5) == []
    assert kernel.look({4: False}, 26 * MS, 26 * MS + 5) == [
        Gap(1, 1 * MS, 5 * MS + 5),
        Edge(4, False, 5 * MS + 5, 0, wide_ns=4 * MS + 5),
    ]
    assert kernel.look({4: False}, 60 * MS, 60 * MS + 5) == []


def test_the_event_that_explains_a_level_makes_it_no_loss(kernel: EventReader) -> None:
    kernel.look({4: False}, 5 * MS, 5 * MS + 5)
    assert edges(kernel.take([KernelEvent(4, False, 4 * MS, 1, 1)], full=False)) == [(4, False, 4 * MS)]
    assert kernel.look({4: False}, 60 * MS, 60 * MS + 5) == []


@pytest.mark.parametrize("bounced", [False, True])
def test_a_lost_press_is_reported_when_the_button_is_let_go(kernel: EventReader, bounced: bool) -> None:
    """The way back has an event (read late, it shows the bounce): the way there was lost before it.

    It must be neither a twitch nor, if the button bounces as it is let go, a press of that moment.
    """
    kernel.look({4: False}, 5 * MS, 6 * MS)
    events = [KernelEvent(4, True, 80 * MS, 1, 1)]
    if bounced:
        events = [KernelEvent(4, False, 80 * MS, 1, 1), KernelEvent(4, True, 81 * MS, 2, 2)]
    reported = kernel.take(events, full=False)
    assert reported[:2] == [Gap(1, 0, 6 * MS), Edge(4, False, 6 * MS, 0, wide_ns=6 * MS)]
    later = edges(reported[2:])
    assert later[0] == (4, True, 80 * MS)
    assert later[-1][1] is True and kernel.levels()[4] is True


def test_a_late_event_of_a_press_that_was_found_lost_is_no_second_press(kernel: EventReader) -> None:
    for now_ns in (5 * MS, 30 * MS):
        kernel.look({4: False}, now_ns, now_ns + 5)
    reported = edges(kernel.take([KernelEvent(4, False, 4 * MS, 1, 1)], full=False))
    assert reported == [(4, False, 4 * MS)]  # the same level as the wide edge: an edge that changes nothing
    assert kernel.look({4: False}, 60 * MS, 60 * MS + 5) == []


def test_a_release_while_its_press_is_found_lost_is_reported_once(kernel: EventReader) -> None:
    """The line goes up just after its level was read, and the event comes after the look."""
    kernel.look({4: False}, 5 * MS, 5 * MS + 5)
    assert len(kernel.look({4: False}, 30 * MS, 30 * MS + 50)) == 2
    assert edges(kernel.take([KernelEvent(4, True, 30 * MS + 20, 1, 1)], full=False)) == [
        (4, True, 30 * MS + 20)
    ]
    assert kernel.look({4: True}, 60 * MS, 60 * MS + 5) == []
    assert kernel.look({4: True}, 90 * MS, 90 * MS + 5) == []


def test_a_bounce_during_a_look_still_dates_the_press_by_its_first_edge(kernel: EventReader) -> None:
    """Down and up again before the look, which finds the line at rest; the event comes after it."""
    assert kernel.look({4: True}, 100, 110) == []
    reported = kernel.take([KernelEvent(4, True, 90, 1, 1), KernelEvent(4, False, 120, 2, 2)], full=False)
    assert edges(reported) == [(4, False, 90), (4, True, 90), (4, False, 120)]


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_whatever_edges_a_chip_loses_the_last_level_is_reported_and_wide_edges_say_when(
    seed: int, changes: int
) -> None:
    """A chip that loses interrupts without a hole in any number, and that is looked at now and then."""
    chance = Random(seed)
    levels = dict.fromkeys(LINES, True)
    changed = {line: [0] for line in LINES}
    reported_by = reader()
    reports: list[Edge | Gap] = []
    numbers, lost, now_ns = Counter[int](), 0, 0
    for number in range(1, changes + 1):
        now_ns += chance.choice([10 * US, 300 * US, 8 * MS, 30 * MS, 100 * MS])
        line = chance.choice(LINES)
        levels[line] = not levels[line]
        changed[line].append(now_ns)
        if chance.random() < 0.3:
            lost += 1
        else:
            numbers[line] += 1
            event = KernelEvent(line, levels[line], now_ns, number - lost, numbers[line])
            reports += reported_by.take([event], full=False)
        if chance.random() < 0.7:
            reports += reported_by.look(levels, now_ns + 1, now_ns + 2)
    for _ in range(2):
        now_ns += 25 * MS
        reports += reported_by.look(levels, now_ns, now_ns + 2)
    assert reported_by.levels() == levels
    gaps = sum(report.lost for report in reports if isinstance(report, Gap))
    wide = [report for report in reports if isinstance(report, Edge) and report.wide_ns]
    assert gaps == len(wide) <= lost
    for edge in wide:
        assert any(edge.t_ns - edge.wide_ns <= t_ns <= edge.t_ns for t_ns in changed[edge.line])
    for line in LINES:
        reported = [True, *levels_reported(reports, line)]
        assert all(old is not new for old, new in pairwise(reported))


# -- whatever happens


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(len(LINES), 16))
def test_whatever_is_merged_or_dropped_the_last_level_reported_is_the_true_one(
    seed: int, changes: int, queue: int
) -> None:
    """A kernel by its rules: threads run late and in any order, and the queue drops its oldest."""
    chance = Random(seed)
    kernel = KernelModel(chance, queue)
    reported_by = reader()
    reports: list[Edge | Gap] = []
    lost = 0
    for _ in range(changes):
        kernel.change(chance.choice(LINES))
        if chance.random() < 0.3:
            kernel.run_threads()
        if chance.random() < 0.2:
            lost += kernel.dropped
            reports += read(kernel, reported_by)
    kernel.run_threads()
    lost += kernel.dropped
    reports += read(kernel, reported_by)
    assert reported_by.levels() == kernel.levels
    gaps = [report for report in reports if isinstance(report, Gap)]
    assert gaps or not lost  # a queue that was just full may be taken for one that ran over
    assert sum(gap.lost for gap in gaps) >= lost
    assert all(gap.since_ns <= gap.until_ns for gap in gaps)
    seqs = [report.seq for report in reports if isinstance(report, Edge)]
    assert seqs == list(range(len(seqs)))
    if not gaps:
        for line in LINES:
            reported = [True, *levels_reported(reports, line)]
            assert all(old is not new for old, new in pairwise(reported))


def read(kernel: KernelModel, reported_by: EventReader) -> list[Edge | Gap]:
    """As the driver does it."""
    events, full = kernel.drain()
    reports = reported_by.take(events, full)
    gap = bool(reports) and isinstance(reports[0], Gap)
    now_ns = kernel.now_ns + 1
    return reports + reported_by.look(kernel.settled_levels() if gap else kernel.levels, now_ns, now_ns)


class KernelModel:
    """The kernel's side of a request: interrupts number and stamp, threads read levels and queue."""

    def __init__(self, chance: Random, queue: int) -> None:
        self.levels = dict.fromkeys(LINES, True)
        self.now_ns = 0
        self.dropped = 0
        self._chance = chance
        self._size = queue
        self._queue: list[KernelEvent] = []
        self._number = 0
        self._line_numbers = dict.fromkeys(LINES, 0)
        self._raised: dict[int, tuple[int, int]] = {}

    def change(self, line: int) -> None:
        self.now_ns += 10
        self._number += 1
        self.levels[line] = not self.levels[line]
        self._raised[line] = (self.now_ns, self._number)

    def run_threads(self) -> None:
        lines = list(self._raised)
        self._chance.shuffle(lines)
        for line in lines:
            t_ns, number = self._raised.pop(line)
            self._line_numbers[line] += 1
            if len(self._queue) == self._size:
                del self._queue[0]
                self.dropped += 1
            self._queue.append(KernelEvent(line, self.levels[line], t_ns, number, self._line_numbers[line]))

    def settled_levels(self) -> dict[int, bool]:
        """The levels of the lines whose thread has nothing to do; of the others the event is yet to come."""
        return {line: high for line, high in self.levels.items() if line not in self._raised}

    def drain(self) -> tuple[list[KernelEvent], bool]:
        events, self._queue = self._queue, []
        self.dropped = 0
        return events, len(events) == self._size
