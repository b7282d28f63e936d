"""A table on a chip that loses edges: what is judged of a slap whose edge never came, and what is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import gpiod
import pytest

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import begin_game
from firmware_host.model.effects import EdgesLost, Effect, Judged, LateSignal, Noise, Verdict
from firmware_host.model.events import StartMatch
from firmware_host.model.places import Button, Colour, Slot, Source
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S, exactly
from firmware_host.run.equipment import Equipment
from firmware_host.run.table_files import load_profile
from firmware_host.show.lamps import frame_length
from hw.gpio.gpio_chips import ChipInfo
from hw.gpio.gpiod_lines import UNCERTAINTY_NS, GpiodLines
from hw.scoreboard.text import PlainScoreboard
from hw.sim.agenda import VirtualClock
from hw.sim.outputs import SimLedPanel, SimTextDisplay
from tests.hw.gpio.lossy_request import LossyRequest

PROFILE = load_profile("dice4-direct")
LINES = sorted(PROFILE.lines)
ONE, TWO = Slot(Colour.RED, 1), Slot(Colour.GREEN, 1)


class Wakeful(VirtualClock):
    """Time goes on; the lines of the kernel that it carries along wake nobody sooner."""

    def __init__(self, kernel: LossyRequest) -> None:
        super().__init__()
        self._kernel = kernel

    def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
        readable = super().wait(until_ns, descriptors)
        self._kernel.now_ns = self.now_ns()
        return readable


class Lossy:
    """A table in PLAY, its first dice put down, whose lines are those of a lossy chip."""

    def __init__(self, kernel: LossyRequest) -> None:
        self.kernel = kernel
        self.effects: list[Effect] = []
        self.clock = Wakeful(kernel)
        lines = GpiodLines(
            ChipInfo("/dev/gpiochip0", "pinctrl-bcm2711", 58), LINES, "up", now_ns=self.clock.now_ns
        )
        self.close = lines.close
        leds = SimLedPanel(frame_length(4), self.clock.now_ns)
        scoreboard = PlainScoreboard(SimTextDisplay().write)
        keep = [lambda step: self.effects.extend(step.effects)]
        equipment = Equipment(
            PROFILE,
            self.clock,
            UNCERTAINTY_NS,
            lines=[lines],
            leds=leds,
            scoreboard=scoreboard,
            checks=[lines.resync],
        )
        shell, self.loop = begin_game(equipment, Table(), Settings(), Random(1), keep)
        shell.command(StartMatch((6, 6, 6, 6), exactly(0)))
        self.loop.run(4 * S)
        self.move(ONE, True)
        self.wait(100)

    def move(self, source: Source, active: bool, *, late: bool = False) -> gpiod.EdgeEvent:
        return self.kernel.drive(PROFILE.line_of(source), not active, late=late)

    def lose(self, source: Source, active: bool) -> None:
        self.kernel.lose(PROFILE.line_of(source), not active)

    def wait(self, milliseconds: int) -> None:
        """So long, in steps of a millisecond: whoever waits for the lines is woken at once."""
        for _ in range(milliseconds):
            self.loop.step(self.loop.now_ns + 1 * MS)

    def verdicts(self) -> list[tuple[int, Verdict, bool]]:
        return [(each.seat, each.verdict, each.doubtful) for each in self.effects if isinstance(each, Judged)]

    def count(self, kind: type[Effect]) -> int:
        return sum(isinstance(each, kind) for each in self.effects)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Lossy]:
    kernel = LossyRequest(LINES, 0)
    monkeypatch.setattr(gpiod, "request_lines", lambda *args, **options: kernel)
    made = Lossy(kernel)
    yield made
    made.close()


def test_a_slap_that_was_lost_beside_another_is_told_and_takes_nothing_from_it(table: Lossy) -> None:
    table.lose(Button(2), True)
    table.move(Button(3), True)
    table.wait(400)
    assert [verdict[:2] for verdict in table.verdicts()] == [(3, Verdict.ACCEPTED)]
    (lost,) = [each for each in table.effects if isinstance(each, EdgesLost)]
    assert lost.count == 1
    assert lost.stamp.earliest_ns <= 4 * S + 100 * MS <= lost.stamp.latest_ns


def test_it_is_told_within_some_thirty_milliseconds(table: Lossy) -> None:
    table.lose(Button(2), True)
    table.move(Button(3), True)
    table.wait(35)
    assert table.count(EdgesLost) == 1


@pytest.mark.parametrize("held_ms", [40, 150, 600])
def test_a_lost_press_and_its_release_are_no_slap_of_another_moment(table: Lossy, held_ms: int) -> None:
    """Nor is the next press of that seat any different: it is as exact as ever."""
    table.lose(Button(2), True)
    table.wait(held_ms)
    for active in (False, True, False):  # it bounces as it is let go
        table.move(Button(2), active)
    table.wait(500)
    assert table.verdicts() == []
    table.move(Button(2), True)
    table.wait(400)
    assert [verdict[:2] for verdict in table.verdicts()] == [(2, Verdict.ACCEPTED)]


def test_an_event_that_is_late_by_more_than_anybody_waits_is_no_second_press(table: Lossy) -> None:
    event = table.move(Button(2), True, late=True)
    table.move(Button(3), True)
    table.wait(60)
    assert table.count(EdgesLost) == 1
    table.kernel.queue(event)
    table.wait(400)
    assert [verdict[:2] for verdict in table.verdicts()] == [(3, Verdict.ACCEPTED)]
    assert table.count(LateSignal) == 2  # what was found, and then the event: neither can be judged
    table.move(Button(2), False)
    table.move(TWO, True)
    table.wait(100)
    table.move(Button(2), True)
    table.wait(400)
    assert table.verdicts()[-1][:2] == (2, Verdict.ACCEPTED)
    assert table.count(EdgesLost) == 1


def test_an_event_that_is_late_by_less_is_judged_as_exactly_as_ever(table: Lossy) -> None:
    event = table.move(Button(2), True, late=True)
    table.wait(1)
    table.move(Button(3), True)
    table.wait(3)
    table.kernel.queue(event)
    table.wait(400)
    assert table.verdicts() == [(2, Verdict.ACCEPTED, False), (3, Verdict.TOO_LATE, False)]
    assert not table.count(EdgesLost) and not table.count(LateSignal) and not table.count(Noise)
