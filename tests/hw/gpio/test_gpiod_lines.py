"""What the kernel's events say: order, losses, bounces, and levels that were looked at again."""

from __future__ import annotations

import select
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import gpiod
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.gpio.gpio_chips import ChipInfo
from hw.gpio.gpiod_lines import EventReader, GpiodLines, KernelEvent
from hw.gpio.known_level import KnownLevel
from hw.ports import Edge, Gap
from tests.hw.gpio.lossy_request import LossyRequest
from tests.hw.wired_lines import edges_of

LINES = (4, 5, 6)
US = 1_000
MS = 1_000_000


def reader() -> EventReader:
    return EventReader(dict.fromkeys(LINES, True), 0)


def levels_reported(reports: list[Edge | Gap], line: int) -> list[bool]:
    return [report.high for report in reports if isinstance(report, Edge) and report.line == line]


def run(steps: str, kernel: EventReader | None = None) -> str:
    """Take steps; what was reported is `4-90` for an edge, `4-90~20` for a wide one, `gap6 10..90`.

    `4-90#8.2` is an event with the request's number and the line's; several come together, behind `full`
    if they filled the queue. `4-5+ 100..110` are levels that were read then. `restart` is a new request.
    """
    kernel, reported = kernel or reader(), []
    for step in steps.split("|"):
        words = step.split()
        reports: list[Edge | Gap] = []
        if words == ["restart"]:
            kernel.restart()
        elif ".." in words[-1]:
            levels = {int(words[0][at]): words[0][at + 1] == "+" for at in range(0, len(words[0]), 2)}
            before_ns, after_ns = map(int, words[1].split(".."))
            reports = kernel.look(levels, before_ns, after_ns)
        else:
            events = []
            for word in words[words[0] == "full" :]:
                t_ns, _, numbers = word[2:].partition("#")
                number, _, line_number = numbers.partition(".")
                events.append(
                    KernelEvent(int(word[0]), word[1] == "+", int(t_ns), int(number), int(line_number))
                )
            reports = kernel.take(events, words[0] == "full")
        reported.append(" ".join(map(text, reports)))
    return " | ".join(reported)


def text(report: Edge | Gap) -> str:
    if isinstance(report, Gap):
        return f"gap{report.lost} {report.since_ns}..{report.until_ns}"
    wide = f"~{report.wide_ns}" if report.wide_ns else ""
    return f"{report.line}{'-+'[report.high]}{report.t_ns}{wide}"


@pytest.mark.parametrize(
    ("steps", "reported"),
    [
        # Edges come in the order of their arrival; a number that comes with the next reading was not lost.
        ("4-10#1.1 6-30#3.1 5-20#2.1 4+40#4.2", "4-10 6-30 5-20 4+40"),
        ("5-20#2.1 | 4-10#1.1 | 6-30#3.1", "5-20 | 4-10 | 6-30"),
        # A hole in a line's numbers is a loss. So is a full queue with a hole before it, though its line is
        # silent, but not a full queue alone.
        ("4-10#1.1 | 4+90#8.8 5-95#9.1", "4-10 | gap6 10..90 4+90 5-95"),
        ("full 4-90#8.1", "gap7 0..90 4-90"),
        ("full 4-90#1.1", "4-90"),
        # A gap begins at the latest stamp before it; losses on several lines are one.
        ("5-50#2.1 4-40#1.1 | full 6-90#5.1", "5-50 4-40 | gap2 50..90 6-90"),
        ("full 4-90#9.3 5-95#10.4", "gap8 0..90 4-90 5-95"),
        # After a loss a level says nothing of what was before: when the dropped edges happened is unknown.
        ("full 4+90#5.5", "gap4 0..90 4+90"),
        # Numbers begin again with a new request.
        ("full 4-10#7.7 | restart | 4+20#1.1", "gap6 0..10 4-10 |  | 4+20"),
        # Interrupts that became one are no loss: press, up, down again before the thread ran.
        ("4-30#3.1", "4-30"),
        # A line that was back when it was read has been away; if the way back has an event of its own (read
        # late, too), it has its own stamp. So a press is dated by its first edge.
        ("4+30#2.1", "4-30 4+30"),
        ("4+10#1.1 5-20#2.1 4+30#3.2 4-90#4.3", "4-10 5-20 4+30 4-90"),
        ("4+10#1.1 4-900#2.2", "4-10 4+10 4-900"),
        # Looking again: lines that are as they were reported are not mentioned, after a loss neither.
        ("4-10#1.1 | 4-5+6+ 100..110 | full 5-150#5.2 | 4-5-6+ 200..210", "4-10 |  | gap3 10..150 5-150 | "),
        # After a gap a line that has changed is a wide edge at once, since it may have been lost.
        ("4-10#1.1 | full 5-80#5.2 | 4+5-6- 100..110 | 4+5-6- 200..210",
         "4-10 | gap3 10..80 5-80 | 4+110~100 6-110~100 | "),
        ("4-70#1.1 | full 5-90#5.2 | 4-5-6- 100..110", "4-70 | gap3 70..90 5-90 | 6-110~40"),
        ("6+ 100..110 | full 5-150#5.2 | 6- 200..210", " | gap4 0..150 5-150 | 6-210~110"),
        # An edge that came in while looking knows better; the event of one found first changes nothing.
        ("full 5-90#5.2 | 4-105#3.1 | 4+ 100..110", "gap4 0..90 5-90 | 4-105 | "),
        ("full 5-95#5.2 | 4- 100..110 | 4-90#3.1 | 4+150#4.2 | 4+ 300..310",
         "gap4 0..95 5-95 | 4-110~110 | 4-90 | 4+150 | "),
        # A bounce during a look still dates the press by its first edge.
        ("4+ 100..110 | 4+90#1.1 4-120#2.2", " | 4-90 4+90 4-120"),
    ],
)  # fmt: skip
def test_what_is_reported(steps: str, reported: str) -> None:
    assert run(steps) == reported


@pytest.mark.parametrize(
    ("steps", "reported"),
    [
        # A level that no event explains in time is a lost edge; until then its event may be under way.
        ("4+ 1..2 | 4- 5..6 | 4- 25..25 | 4- 26..27 | 4- 60..61", " |  |  | gap1 1..6 4-6~5 | "),
        ("4- 5..6 | 4-4#1.1 | 4- 60..61", " | 4-4 | "),
        # A lost press is reported when the button is let go, and a bounce (read late) is no press then.
        ("4- 5..6 | 4+80#1.1", " | gap1 0..6 4-6~6 4+80"),
        ("4- 5..6 | 4-80#1.1 4+81#2.2", " | gap1 0..6 4-6~6 4+80 4-80 4+81"),
        # A late event of a press that was found lost changes nothing.
        ("4- 5..6 | 4- 30..31 | 4-4#1.1 | 4- 60..61", " | gap1 0..6 4-6~6 | 4-4 | "),
        # The line goes up just after its level was read, and the event comes after the look.
        ("4- 5..6 | 4- 30..32 | 4+31#1.1 | 4+ 60..61 | 4+ 90..91", " | gap1 0..6 4-6~6 | 4+31 |  | "),
    ],
)
def test_edges_that_leave_no_trace_but_the_level(steps: str, reported: str) -> None:
    """In milliseconds."""
    kernel = EventReader(dict.fromkeys(LINES, True), 0, under_way_ns=20)
    assert run(steps, kernel) == reported


def test_an_event_from_before_the_levels_were_read_is_no_twitch() -> None:
    """The line went down between request and first look: its event comes afterwards."""
    assert run("4-50#1.1", EventReader({4: False, 5: True, 6: True}, 100)) == "4-50"


def test_edges_are_numbered() -> None:
    reports = reader().take([KernelEvent(4, True, 30, 2, 1), KernelEvent(5, False, 40, 3, 1)], full=False)
    assert [report.seq for report in reports if isinstance(report, Edge)] == [0, 1, 2]


def test_a_level_is_compared_with_what_was_known_last() -> None:
    line = KnownLevel(True, 0)
    assert line.compare(True, 100, 110) is None
    assert line.compare(False, 200, 210) == 110
    line = KnownLevel(True, 0)
    line.reported(False, 40)
    assert line.compare(True, 100, 110) == 70
    assert (line.high, line.since_ns) == (True, 110)
    line.reported(False, 99)  # from before what is known
    assert (line.high, line.since_ns) == (True, 110)
    assert KnownLevel(True, 0).compare(False, 100, 110, lost_since_ns=90) == 20


def test_a_slow_machine_gives_its_edges_more_time() -> None:
    line = KnownLevel(True, 0, under_way_ns=300 * MS)
    assert line.look(False, 10 * MS, 10 * MS) is None
    assert line.look(False, 300 * MS, 300 * MS) is None
    assert line.look(False, 310 * MS, 310 * MS) == (0, 10 * MS)


# -- whatever happens


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


ONE, TWO = PAIR = (5, 6)


CHIP = ChipInfo("/dev/gpiochip0", "pinctrl-bcm2711", 58)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> LossyRequest:
    request = LossyRequest(PAIR, 10 * MS)
    monkeypatch.setattr(gpiod, "request_lines", lambda *args, **options: request)
    return request


@pytest.fixture
def lines(kernel: LossyRequest) -> Iterator[GpiodLines]:
    opened = GpiodLines(CHIP, PAIR, "up", now_ns=lambda: kernel.now_ns)
    yield opened
    opened.close()


def drive(kernel: LossyRequest, line: int, high: bool) -> None:
    """Move a line a millisecond after whatever was before."""
    kernel.now_ns += MS
    kernel.drive(line, high)


def lose(kernel: LossyRequest, line: int, high: bool) -> None:
    """The same, but its edge is lost."""
    kernel.now_ns += MS
    kernel.lose(line, high)


def test_each_batch_is_followed_by_one_look(kernel: LossyRequest, lines: GpiodLines) -> None:
    looks = kernel.looks
    assert lines.read() == []
    assert kernel.looks == looks  # nobody looks when nothing came
    drive(kernel, ONE, False)
    drive(kernel, TWO, False)
    assert len(edges_of(lines)) == 2
    assert kernel.looks == looks + 1
    assert not select.select([lines.fileno()], [], [], 0)[0]


def test_an_edge_lost_beside_another_is_found_by_looking_again(
    kernel: LossyRequest, lines: GpiodLines
) -> None:
    drive(kernel, TWO, False)
    lines.read()
    lose(kernel, ONE, False)
    for _ in range(2):
        lines.resync()
        assert lines.read() == []
        kernel.now_ns += 12 * MS
    lines.resync()
    assert lines.read() == [Gap(1, 11 * MS, 12 * MS), Edge(ONE, False, 12 * MS, 1, wide_ns=MS)]
    lines.resync()
    assert lines.read() == []


def test_an_event_that_is_only_late_is_reported_exactly_and_once(
    kernel: LossyRequest, lines: GpiodLines
) -> None:
    """The kernel's thread of that line got no processor yet when the other line's event was read."""
    event = kernel.drive(ONE, False, late=True)
    drive(kernel, TWO, False)
    assert [edge.line for edge in edges_of(lines)] == [TWO]
    kernel.now_ns += 15 * MS
    lines.resync()
    kernel.queue(event)
    assert edges_of(lines) == [Edge(ONE, False, 10 * MS, 1)]
    kernel.now_ns += 40 * MS
    lines.resync()
    assert lines.read() == []


def test_an_event_queued_during_the_look_explains_what_it_saw(
    kernel: LossyRequest, lines: GpiodLines
) -> None:
    lose(kernel, ONE, False)
    lines.resync()
    kernel.now_ns += 30 * MS

    kernel.meanwhile = lambda: kernel.drive(ONE, True)
    lines.resync()
    kernel.meanwhile = lambda: None
    reported = lines.read()
    assert [type(report) for report in reported] == [Gap, Edge, Edge]
    assert reported[-1] == Edge(ONE, True, 41 * MS, 1)
