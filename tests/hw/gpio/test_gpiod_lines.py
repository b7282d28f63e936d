"""The driver of the kernel's lines, on a chip that loses edges without a word."""

from __future__ import annotations

import select
from collections.abc import Iterator

import gpiod
import pytest

from hw.gpio.gpio_chips import ChipInfo
from hw.gpio.gpiod_lines import GpiodLines
from hw.ports import Edge, Gap
from tests.hw.gpio.lossy_request import LossyRequest
from tests.hw.wired_lines import edges_of

ONE, TWO = LINES = (5, 6)
MS = 1_000_000
CHIP = ChipInfo("/dev/gpiochip0", "pinctrl-bcm2711", 58)


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> LossyRequest:
    request = LossyRequest(LINES, 10 * MS)
    monkeypatch.setattr(gpiod, "request_lines", lambda *args, **options: request)
    return request


@pytest.fixture
def lines(kernel: LossyRequest) -> Iterator[GpiodLines]:
    opened = GpiodLines(CHIP, LINES, "up", now_ns=lambda: kernel.now_ns)
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
