"""The loop of a table that listens to devices, when the computer is held up."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from firmware_host.durations import MS, S
from firmware_host.effects import Effect, Judged, LateSignal, Verdict
from firmware_host.events import StartMatch
from firmware_host.places import Button, Colour, Slot, Source
from firmware_host.runtime.assembly import load_profile
from firmware_host.runtime.intake import Intake
from firmware_host.runtime.loop import Loop
from firmware_host.runtime.pipeline import Pipeline
from firmware_host.settings import Settings
from firmware_host.show.lamps import frame_length
from firmware_host.stamps import exactly
from firmware_host.table.session import Table
from hw.gpio.gpiozero_lines import GpiozeroLines
from hw.scoreboard.plain import PlainScoreboard
from hw.sim.agenda import VirtualClock
from hw.sim.display import SimTextDisplay
from hw.sim.panel import SimLedPanel
from hw.sim.pins import SimPinFactory

PROFILE = load_profile("dice4-direct")
RED_1 = Slot(Colour.RED, 1)


class Listening:
    """A table that waits for its lines, on a clock that the test moves."""

    def __init__(self, clock: VirtualClock | None = None) -> None:
        self.effects: list[Effect] = []
        self.clock = clock or VirtualClock()
        self.stamp_ns = 0
        self.pins = SimPinFactory(lambda: self.stamp_ns, PROFILE.board)
        lines = GpiozeroLines(self.pins, PROFILE.lines, "up", int, 100_000)
        self.pipeline = Pipeline(
            Table(),
            Settings(),
            Random(1),
            0,
            SimLedPanel(frame_length(4), self.clock.now_ns),
            PlainScoreboard(SimTextDisplay().write),
            [lambda t_ns, effects: self.effects.extend(effects)],
        )
        self.loop = Loop(self.clock, [lines], Intake(PROFILE.lines, 100_000), self.pipeline)
        self.pipeline.command(StartMatch((6, 6, 6, 6), exactly(0)))
        self.loop.run(4 * S)

    def close_contact(self, source: Source, at_ns: int) -> None:
        """A contact closes; its edge waits in the driver until the loop looks."""
        self.stamp_ns = at_ns
        self.pins.pin(f"GPIO{PROFILE.line_of(source)}").drive_low()

    def stall(self, until_ns: int) -> None:
        """The process gets no processor until then."""
        self.clock.wait(until_ns, [])

    def verdicts(self) -> list[tuple[int, Verdict]]:
        return [(each.seat, each.verdict) for each in self.effects if isinstance(each, Judged)]


def test_a_stall_of_the_computer_makes_no_slap_late() -> None:
    table = Listening()
    table.close_contact(RED_1, 4 * S + 10 * MS)
    table.close_contact(Button(2), 4 * S + 21 * MS)
    table.close_contact(Button(1), 4 * S + 20 * MS)
    table.stall(4 * S + 900 * MS)
    table.loop.run(5 * S)
    assert not any(isinstance(effect, LateSignal) for effect in table.effects)
    assert table.verdicts() == [(1, Verdict.ACCEPTED), (2, Verdict.TOO_LATE)]


def test_an_edge_from_before_the_last_look_is_late() -> None:
    table = Listening()
    table.loop.run(4 * S + 500 * MS)
    table.close_contact(Button(1), 4 * S + 20 * MS)
    table.loop.run(5 * S)
    assert [type(effect) for effect in table.effects if isinstance(effect, LateSignal)] == [LateSignal]
    assert table.verdicts() == []


def test_edges_that_nobody_announced_are_read_all_the_same_after_a_stall() -> None:
    """The wait timed out, and only then the process was held up: there is no sign of the edges."""

    class Unannounced(VirtualClock):
        def wait(self, until_ns: int | None, descriptors: Sequence[int]) -> bool:
            super().wait(until_ns, descriptors)
            if self.now_ns() == 4 * S + 100 * MS:
                self.hold_up()
                return False
            return True

        def hold_up(self) -> None:
            table.close_contact(Button(2), 4 * S + 121 * MS)
            table.close_contact(Button(1), 4 * S + 120 * MS)
            super().wait(4 * S + 400 * MS, [])

    table = Listening(Unannounced())
    table.close_contact(RED_1, 4 * S + 10 * MS)
    table.loop.run(4 * S + 100 * MS)
    table.loop.run(5 * S)
    assert table.verdicts() == [(1, Verdict.ACCEPTED), (2, Verdict.TOO_LATE)]
