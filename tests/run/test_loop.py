"""The loop of a table that listens to devices, when the computer is held up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.games import Table
from firmware_host.lab.simulated_table import begin_game, scripted_table
from firmware_host.model.effects import Effect, Judged, LateSignal, SourceMasked, SourceUnmasked, Verdict
from firmware_host.model.events import (
    DeviceChanged,
    Input,
    SignalsLost,
    SourceEdge,
    StartMatch,
    TagEvent,
    TagSeen,
)
from firmware_host.model.places import Button, Card, Colour, Pad, Slot, Source, Stranger
from firmware_host.model.settings import Settings
from firmware_host.model.times import MS, S, Stamp, exactly
from firmware_host.profile.profile import Bank, TagSpot
from firmware_host.profile.tags import Registry
from firmware_host.run.equipment import Equipment
from firmware_host.run.shell import Loop
from firmware_host.run.table_files import load_profile
from firmware_host.show.lamps import frame_length
from hw.gpio.gpiozero_lines import GpiozeroLines
from hw.ports import Condition, Edge, Gap, Health, TagRead
from hw.scoreboard.text import PlainScoreboard
from hw.sim.agenda import Agenda, SimPinFactory, VirtualClock
from hw.sim.outputs import SimLedPanel, SimTextDisplay
from tests.run.sittings import Told, ToldLines

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
        leds = SimLedPanel(frame_length(4), self.clock.now_ns)
        scoreboard = PlainScoreboard(SimTextDisplay().write)
        keep = [lambda step: self.effects.extend(step.effects)]
        equipment = Equipment(PROFILE, self.clock, 100_000, lines=[lines], leds=leds, scoreboard=scoreboard)
        self.shell, self.loop = begin_game(equipment, Table(), Settings(), Random(1), keep)
        self.shell.command(StartMatch((6, 6, 6, 6), exactly(0)))
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


# -- the time of the table


class Notes:
    """Takes what comes in and writes it down; `due_ns` is when it wants to be called."""

    def __init__(self) -> None:
        self.due_ns: int | None = None
        self.signals: list[tuple[SourceEdge, int]] = []
        self.tags: list[tuple[TagEvent, int]] = []
        self.told: list[Input] = []
        self.advanced: list[int] = []

    def put(self, seen: Input, now_ns: int) -> None:
        if isinstance(seen, SourceEdge):
            self.signals.append((seen, now_ns))
        elif isinstance(seen, TagEvent):
            self.tags.append((seen, now_ns))
        else:
            self.told.append(seen)

    def advance(self, now_ns: int) -> None:
        self.advanced.append(now_ns)


UID = bytes.fromhex("ca010001")
CARD = Card(1, Colour.RED, 1)
REPORTING = replace(
    PROFILE,
    lines={5: Button(1), 6: RED_1},
    banks=(Bank(name="left", address=0x20, interrupt=4, pins={}),),
    readers=(TagSpot(name="pad-1", at=Pad(1), port="/dev/ttyUSB0", group=1),),
)
"""A table whose devices only report."""


class Bench:
    """A loop on devices that only report, on a clock that the test moves."""

    def __init__(self, *, waits: bool = True, checks: bool = False) -> None:
        self.clock = VirtualClock(10 * S)
        self.lines = ToldLines([5, 6])
        self.others: Told[Health | TagRead] = Told()
        self.agenda = Agenda()
        self.agenda.now_ns = 10 * S
        self.looks: list[int] = []
        leds = SimLedPanel(frame_length(4), self.clock.now_ns)
        self.equipment = Equipment(
            REPORTING,
            self.clock,
            100,
            lines=[self.lines],
            leds=leds,
            scoreboard=PlainScoreboard(SimTextDisplay().write),
            registry=Registry({UID.hex(): CARD}),
            others=[self.others],
            checks=[lambda: self.looks.append(self.clock.now_ns())] if checks else [],
            agenda=None if waits else self.agenda,
        )
        self.notes = Notes()
        self.loop = Loop(self.equipment, self.notes)

    def report(self, *reports: Edge | Gap | Health | TagRead) -> None:
        for report in reports:
            if isinstance(report, Edge | Gap):
                self.lines.mailbox.post(report)
            else:
                self.others.mailbox.post(report)


SHIFTS = [0, -4 * S, 7 * S, -11 * S]


@pytest.mark.parametrize("shift_ns", SHIFTS)
def test_all_that_is_told_comes_on_the_time_of_the_table(shift_ns: int) -> None:
    bench = Bench()
    bench.loop.shift(shift_ns)
    assert bench.loop.now_ns == 10 * S + shift_ns
    bench.report(
        Edge(5, False, 10 * S + 5 * MS, 1),
        Gap(2, 10 * S, 10 * S + 7 * MS),
        Health("left", Condition.LOST, "no answer"),
        TagRead(0, UID, True, 10 * S + 1 * MS, 10 * S + 9 * MS),
    )
    assert bench.loop.step(bench.loop.now_ns + 20 * MS) == 10 * S + 20 * MS + shift_ns
    at_ns = 10 * S + shift_ns
    ((signal, arrival_ns),) = bench.notes.signals
    assert (signal.source, signal.active) == (Button(1), True)
    assert signal.stamp == Stamp(at_ns + 5 * MS - 100, at_ns + 5 * MS + 100)
    assert arrival_ns == at_ns + 5 * MS  # nothing has been looked at since before it happened
    lost, left = bench.notes.told
    assert lost == SignalsLost(2, 7 * MS, exactly(at_ns + 7 * MS))
    assert isinstance(left, DeviceChanged) and left.stamp == exactly(at_ns + 20 * MS)
    ((shown, shown_ns),) = bench.notes.tags
    assert shown == TagSeen(Pad(1), CARD, Stamp(at_ns + 1 * MS, at_ns + 9 * MS))
    assert shown_ns == at_ns + 9 * MS
    assert bench.notes.advanced == [at_ns + 20 * MS]


@pytest.mark.parametrize("shift_ns", SHIFTS)
def test_when_the_loop_last_looked_is_moved_with_the_time_of_the_table(shift_ns: int) -> None:
    """An edge from before the last look came late, however the table's time was set meanwhile."""
    bench = Bench()
    bench.loop.step(bench.loop.now_ns + 50 * MS)
    bench.loop.shift(shift_ns)
    bench.report(Edge(5, False, 10 * S + 20 * MS, 1), Edge(5, True, 10 * S + 60 * MS, 2))
    bench.loop.step(bench.loop.now_ns + 100 * MS)
    arrivals = [arrival_ns - shift_ns for _, arrival_ns in bench.notes.signals]
    assert arrivals == [10 * S + 50 * MS, 10 * S + 60 * MS]


@pytest.mark.parametrize("shift_ns", SHIFTS)
def test_checks_go_on_at_their_pace(shift_ns: int) -> None:
    bench = Bench(checks=True)
    bench.loop.run(bench.loop.now_ns + 600 * MS)
    bench.loop.shift(shift_ns)
    bench.loop.run(bench.loop.now_ns + 600 * MS)
    assert bench.looks == [10 * S + 250 * MS * n for n in range(1, 5)]


@pytest.mark.parametrize("shift_ns", SHIFTS)
def test_soon_after_edges_the_lines_are_checked_and_then_at_the_old_pace(shift_ns: int) -> None:
    bench = Bench(checks=True)
    bench.loop.shift(shift_ns)
    for at_ms in (100, 110, 140):
        bench.loop.run(10 * S + at_ms * MS + shift_ns)
        bench.report(Edge(5, False, 10 * S + at_ms * MS, at_ms))
        bench.loop.step(bench.loop.now_ns)
    bench.loop.run(bench.loop.now_ns + 600 * MS)
    assert [look_ns // MS - 10_000 for look_ns in bench.looks] == [125, 165, 415, 665]


@pytest.mark.parametrize("shift_ns", SHIFTS)
def test_the_simulated_world_goes_on_by_its_own_time(shift_ns: int) -> None:
    bench = Bench(waits=False)
    done: list[int] = []
    bench.agenda.at(10 * S + 30 * MS, lambda: done.append(bench.agenda.now_ns))
    bench.loop.shift(shift_ns)
    assert bench.loop.step(bench.loop.now_ns + 1 * S) == 10 * S + 30 * MS + shift_ns
    assert done == [10 * S + 30 * MS]
    assert bench.loop.step(bench.loop.now_ns + 1 * S) == 11 * S + 30 * MS + shift_ns


@pytest.mark.parametrize("shift_ns", SHIFTS)
def test_whoever_takes_what_comes_in_is_called_when_it_is_due(shift_ns: int) -> None:
    bench = Bench()
    bench.loop.shift(shift_ns)
    bench.notes.due_ns = bench.loop.now_ns + 70 * MS
    assert bench.loop.step(None) == 10 * S + 70 * MS + shift_ns


@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 500)), max_size=12))
def test_where_its_time_stands_still_the_table_never_sees_it_go_back(breaks: list[tuple[int, int]]) -> None:
    """As when the table is in service: the clock goes on, and the table's time where it stood, and a bit."""
    bench = Bench(checks=True)
    game = bench.notes
    for away_ms, bit_ms in breaks:
        bench.loop.run(bench.loop.now_ns + 100 * MS)
        last_ns = bench.loop.now_ns
        bench.loop.feed(Notes())
        bench.loop.run(bench.loop.now_ns + away_ms * MS)
        bench.loop.shift(bench.loop.shift_ns + last_ns + bit_ms * MS - bench.loop.now_ns)
        assert bench.loop.now_ns == last_ns + bit_ms * MS
        bench.loop.feed(game)
        bench.report(Edge(5, False, bench.clock.now_ns(), 1))
    bench.loop.run(bench.loop.now_ns + 100 * MS)
    assert game.advanced == sorted(game.advanced)
    moments = [
        moment for signal, arrival_ns in game.signals for moment in (signal.stamp.latest_ns, arrival_ns)
    ]
    assert all(10 * S < t_ns <= bench.loop.now_ns for t_ns in moments)


# -- what the loop remembers


def test_it_knows_how_each_device_is_and_what_lies_where() -> None:
    bench = Bench()
    other = bytes.fromhex("04a1b2c3")
    bench.report(
        Health("left", Condition.LOST, "no answer"),
        Health("sign", Condition.DEGRADED, "slow"),
        TagRead(0, UID, True, 0, 1),
        TagRead(0, other, True, 0, 1),
    )
    bench.loop.step(bench.loop.now_ns + 1 * MS)
    assert {name: each.device.condition for name, each in bench.loop.health.items()} == {
        "left": "lost",
        "sign": "degraded",
    }
    assert bench.loop.present == {Pad(1): {CARD, Stranger(other.hex())}}
    bench.report(Health("left", Condition.OK), TagRead(0, UID, False, 2, 3), TagRead(0, other, False, 2, 3))
    bench.loop.step(bench.loop.now_ns + 1 * MS)
    assert bench.loop.health["left"].device.condition == "ok"
    assert bench.loop.present == {}


def test_what_lies_where_is_told_by_the_registry_of_now() -> None:
    """A tag that is enrolled while it lies on a reader goes away as what it has become."""
    bench = Bench()
    new = bytes.fromhex("04a1b2c3")
    bench.report(TagRead(0, new, True, 0, 1))
    bench.loop.step(bench.loop.now_ns + 1 * MS)
    assert bench.loop.present == {Pad(1): {Stranger(new.hex())}}
    other = Card(2, Colour.BLUE, 7)
    bench.equipment.intake.registry = Registry({new.hex(): other})
    assert bench.loop.present == {Pad(1): {other}}
    bench.report(TagRead(0, new, False, 2, 3))
    bench.loop.step(bench.loop.now_ns + 1 * MS)
    assert bench.loop.present == {}


def test_it_is_told_when_it_does_not_come_up_and_when_it_does() -> None:
    profile = load_profile("dice4")
    jammed = Button(2)
    table = scripted_table(profile, table=Table(), settings=Settings(), draws=Random(1), active=[jammed])
    told: list[Effect] = []
    table.shell.onlookers.append(lambda step: told.extend(step.effects))
    table.loop.run(29 * S)
    assert not any(isinstance(effect, SourceMasked) for effect in told)
    table.loop.run(31 * S)
    assert [effect.source for effect in told if isinstance(effect, SourceMasked)] == [jammed]
    table.lines.deliver(profile.line_of(jammed), True, 32 * S)
    table.loop.run(33 * S)
    assert [effect.source for effect in told if isinstance(effect, SourceUnmasked)] == [jammed]
    table.close()
