"""The bus: whose turn it is, how a chip is recovered, and what is reported."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from typing import Any

import pytest

from hw.i2c.bus import Anomaly, I2cBus, Registers
from hw.i2c.mcp23017 import Mcp23017Bank
from hw.ports import Condition, Health
from hw.sim.agenda import Agenda, AgendaOwner
from hw.sim.i2c_bus import SimI2cBus
from hw.sim.lines import ScriptedLines
from tests.hw.i2c.bus_rig import MS, S

PERIOD_NS = 100 * MS
SET_UP = bytes([0x5A])


class RegisterMemory:
    """A chip of 256 registers that fails on request."""

    def __init__(self) -> None:
        self.registers = bytearray(256)
        self.fails: list[int] = []

    def read(self, register: int | None, count: int) -> bytes:
        self._maybe_fail()
        start = register or 0
        return bytes(self.registers[start : start + count])

    def write(self, register: int, data: bytes) -> None:
        self._maybe_fail()
        self.registers[register : register + len(data)] = data

    def _maybe_fail(self) -> None:
        if self.fails:
            number = self.fails.pop(0)
            raise OSError(number, os.strerror(number))


class Probe:
    """A driver that sets one register up and reads it ten times a second."""

    def __init__(self, name: str, address: int) -> None:
        self.name = name
        self.address = address
        self.wake: Callable[[], None] = lambda: None
        self.starts: list[int] = []
        self.worked: list[int] = []
        self.losses: list[int] = []
        self.rested = 0
        self.anomaly: Anomaly | None = None
        self.next_ns = 0

    def start(self, registers: Registers, now_ns: int) -> None:
        self.starts.append(now_ns)
        registers.write(0x10, SET_UP)
        self.next_ns = now_ns

    def due_ns(self, now_ns: int) -> int | None:
        return self.next_ns

    def work(self, registers: Registers, now_ns: int) -> Anomaly | None:
        if now_ns < self.next_ns:
            return None
        registers.read(0x10, 1)
        self.worked.append(now_ns)
        self.next_ns = now_ns + PERIOD_NS
        return self.anomaly

    def rest(self, registers: Registers) -> None:
        registers.write(0x10, b"\0")
        self.rested += 1

    def lost(self, now_ns: int) -> None:
        self.losses.append(now_ns)


class BusBench:
    """Two probes on a bus."""

    def __init__(self, *, can_reset: bool = False) -> None:
        self.agenda = Agenda()
        self.one, self.two = Probe("one", 0x30), Probe("two", 0x31)
        self.memories = {0x30: RegisterMemory(), 0x31: RegisterMemory()}
        self.wires = SimI2cBus(dict(self.memories))
        self.reported: list[Health] = []
        self.resets: list[int] = []
        self.cures: set[int] = set()
        self.bus = I2cBus(
            "i2c",
            self.open,
            [self.one, self.two],
            now_ns=lambda: self.agenda.now_ns,
            tell=self.reported.append,
            reset=self.reset if can_reset else None,
        )
        self.no_bus = 0
        self.owner = AgendaOwner(self.bus, self.agenda)

    def open(self) -> Any:
        if self.no_bus:
            raise OSError(self.no_bus, os.strerror(self.no_bus))
        return self.wires.open()

    def reset(self) -> None:
        self.resets.append(self.agenda.now_ns)
        self.wires.gone -= self.cures

    def run(self, for_ns: int) -> None:
        self.agenda.run(self.agenda.now_ns + for_ns)

    def conditions(self, device: str) -> list[Condition]:
        return [health.condition for health in self.reported if health.name == device]


@pytest.fixture
def bench() -> BusBench:
    return BusBench()


def test_every_chip_is_set_up_and_then_works_when_it_is_due(bench: BusBench) -> None:
    bench.run(1 * S)
    for probe in (bench.one, bench.two):
        assert probe.starts == [0]
        assert probe.worked == [turn * PERIOD_NS for turn in range(11)]
    assert (bench.wires.opened, bench.reported) == (1, [])


def test_a_chip_that_asks_for_its_turn_gets_it(bench: BusBench) -> None:
    bench.run(10 * MS)
    bench.two.next_ns = 0
    bench.two.wake()
    bench.run(1)
    assert bench.two.worked == [0, 10 * MS]


@pytest.mark.parametrize("failures", [1, 2])
def test_a_transfer_is_tried_twice_more_on_the_same_bus(bench: BusBench, failures: int) -> None:
    bench.run(1 * MS)
    bench.memories[0x30].fails = [errno.EREMOTEIO] * failures
    bench.run(100 * MS)
    assert (bench.wires.opened, bench.one.starts, bench.one.losses) == (1, [0], [])
    assert bench.reported == [
        Health(
            "one",
            Condition.DEGRADED,
            "does not answer at the first try",
            "check power, pull-ups and the length of the cable",
        )
    ]


def test_after_five_good_seconds_it_is_well_again(bench: BusBench) -> None:
    bench.run(1 * MS)
    bench.memories[0x30].fails = [errno.EREMOTEIO]
    bench.run(100 * MS)
    bench.run(4900 * MS)
    assert bench.conditions("one") == [Condition.DEGRADED]
    bench.run(200 * MS)
    assert bench.conditions("one") == [Condition.DEGRADED, Condition.OK]
    assert bench.reported[-1] == Health("one", Condition.OK)


def test_if_three_tries_fail_the_bus_is_opened_anew_and_the_chip_set_up() -> None:
    bench = BusBench(can_reset=True)
    bench.run(1 * MS)
    bench.memories[0x30].fails = [errno.EREMOTEIO] * 3
    bench.run(100 * MS)
    assert (bench.wires.opened, len(bench.one.starts), bench.resets, bench.one.losses) == (2, 2, [], [])
    assert [(health.condition, health.seen) for health in bench.reported] == [
        (Condition.DEGRADED, "had to be set up again")
    ]
    assert len(bench.two.starts) == 1


def test_if_that_fails_too_the_reset_line_is_pulsed_and_every_chip_set_up() -> None:
    bench = BusBench(can_reset=True)
    bench.run(1 * MS)
    bench.wires.gone.add(0x31)
    bench.cures.add(0x31)
    bench.run(100 * MS)
    assert (len(bench.resets), bench.two.losses) == (1, [])
    assert (len(bench.one.starts), len(bench.two.starts)) == (2, 3)
    assert bench.one.starts[-1] <= bench.resets[0] + 1, (
        "the first chip is set up at once, and not when it is due"
    )
    assert bench.conditions("two") == [Condition.DEGRADED]
    assert bench.conditions("one") == []


def test_if_all_fails_the_chip_is_lost_and_tried_again_with_growing_pauses() -> None:
    bench = BusBench(can_reset=True)
    bench.run(50 * MS)
    bench.wires.gone.add(0x30)
    bench.run(20 * S)
    assert len(bench.one.losses) == 1
    lost_ns = bench.one.losses[0]
    tries = [round((t_ns - lost_ns) / S, 2) for t_ns in bench.one.starts if t_ns > lost_ns]
    assert tries == [0.25, 0.75, 1.75, 3.75, 7.75, 11.75, 15.75, 19.75]
    assert len(bench.resets) == 1, "a reset disturbs the others, so it is not tried again and again"
    assert bench.reported == [
        Health(
            "one",
            Condition.LOST,
            "does not answer",
            "check the chip's power, its four wires and its address jumpers",
        )
    ]


def test_while_one_is_lost_the_other_goes_on(bench: BusBench) -> None:
    bench.wires.gone.add(0x30)
    bench.run(10 * S)
    assert bench.two.starts == [0]
    assert bench.two.worked == [turn * PERIOD_NS for turn in range(101)]
    assert bench.conditions("two") == []


def test_when_it_comes_back_it_is_set_up_and_its_pauses_are_short_again(bench: BusBench) -> None:
    bench.wires.gone.add(0x30)
    bench.run(5 * S)
    bench.wires.gone.clear()
    bench.run(4 * S)
    assert bench.conditions("one") == [Condition.LOST, Condition.OK]
    assert bench.memories[0x30].registers[0x10:0x11] == SET_UP
    bench.wires.gone.add(0x30)
    bench.run(1 * S)
    assert [round((t_ns - bench.one.losses[1]) / S, 2) for t_ns in bench.one.starts[-2:]] == [0.25, 0.75]


def test_a_hanging_bus_is_not_tried_over_and_over(bench: BusBench) -> None:
    """Each try would block for a second: once, once more on a bus that was opened again, and no more."""
    bench.run(1 * MS)
    bench.wires.hangs = True
    before = bench.wires.transfers
    bench.run(100 * MS)
    assert bench.wires.transfers - before == 2 * 2
    assert {(health.condition, health.seen) for health in bench.reported} == {
        (Condition.LOST, "the bus hangs")
    }
    assert all("holds the data line" in health.advice for health in bench.reported)
    bench.wires.hangs = False
    bench.run(5 * S)
    assert bench.conditions("one") == bench.conditions("two") == [Condition.LOST, Condition.OK]


def test_on_a_hanging_bus_no_step_is_much_longer_than_one_chip_takes() -> None:
    """Whoever watches the thread must not take it for dead, however many chips there are."""
    now_ns = 0

    class Hanging(RegisterMemory):
        def _maybe_fail(self) -> None:
            nonlocal now_ns
            now_ns += 1 * S
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))

    probes = [Probe(f"chip {n}", 0x20 + n) for n in range(8)]
    wires = SimI2cBus({probe.address: Hanging() for probe in probes})
    reported: list[Health] = []
    bus = I2cBus("i2c", wires.open, probes, now_ns=lambda: now_ns, tell=reported.append)
    longest_ns = steps = 0
    while len(reported) < len(probes):
        began_ns = now_ns
        assert bus.step(now_ns) is not None
        longest_ns, steps = max(longest_ns, now_ns - began_ns), steps + 1
    assert longest_ns <= 4 * S and steps <= len(probes)
    assert {health.name for health in reported} == {probe.name for probe in probes}


@pytest.mark.parametrize(
    ("number", "seen", "advice"),
    [
        (errno.ENOENT, "there is no such bus", "enable I2C"),
        (errno.EACCES, "this user may not open the bus", "group i2c"),
    ],
)
def test_a_bus_that_can_not_be_opened_says_what_to_do(number: int, seen: str, advice: str) -> None:
    bench = BusBench()
    bench.no_bus = number
    bench.run(1 * S)
    assert [health.seen for health in bench.reported] == [seen, seen]
    assert all(advice in health.advice for health in bench.reported)
    bench.no_bus = 0
    bench.run(2 * S)
    assert bench.conditions("one") == [Condition.LOST, Condition.OK]


def test_another_trouble_with_a_lost_chip_is_reported_but_not_every_time(bench: BusBench) -> None:
    bench.wires.gone.add(0x30)
    bench.run(10 * S)
    bench.wires.hangs = True
    bench.run(10 * S)
    assert [health.seen for health in bench.reported if health.name == "one"] == [
        "does not answer",
        "the bus hangs",
    ]


def test_what_a_driver_finds_odd_is_reported_once_and_until_it_is_over(bench: BusBench) -> None:
    bench.one.anomaly = Anomaly("smells", "open a window")
    bench.run(2 * S)
    assert bench.reported == [Health("one", Condition.DEGRADED, "smells", "open a window")]
    bench.one.anomaly = Anomaly("smokes", "pull the plug")
    bench.run(2 * S)
    assert len(bench.reported) == 1
    bench.run(2 * S)
    assert bench.reported[1:] == [Health("one", Condition.DEGRADED, "smokes", "pull the plug")]
    bench.one.anomaly = None
    bench.run(6 * S)
    assert bench.reported[2:] == [Health("one", Condition.OK)]


def test_a_reading_that_is_too_short_is_a_garbled_one(bench: BusBench) -> None:
    bench.run(1 * MS)
    memory = bench.memories[0x30]
    whole = memory.read
    bench.bus.opened().read_i2c_block_data = lambda *_: []
    bench.run(100 * MS)
    assert whole(0x10, 1) == SET_UP
    assert bench.conditions("one") == [Condition.DEGRADED]


def test_long_writes_go_in_blocks_of_what_smbus_moves(bench: BusBench) -> None:
    bench.run(1 * MS)
    data = bytes(range(70))
    bench.one.start = lambda registers, now_ns: registers.write(0x20, data)  # type: ignore[method-assign]
    bench.wires.log.clear()
    bench.bus._sessions[0].was_reset()
    bench.run(100 * MS)
    writes = [(each.register, len(each.data)) for each in bench.wires.log if not each.reads]
    assert writes == [(0x20, 32), (0x40, 32), (0x60, 6)]
    assert bench.memories[0x30].registers[0x20 : 0x20 + 70] == data


def test_closing_leaves_every_chip_at_rest_that_can_be_reached(bench: BusBench) -> None:
    bench.run(1 * MS)
    bench.wires.gone.add(0x30)
    bench.owner.close()
    bench.bus.close()
    assert (bench.one.rested, bench.two.rested) == (0, 1)
    assert bench.memories[0x31].registers[0x10] == 0


def test_a_chip_that_was_never_set_up_is_left_at_rest_too(bench: BusBench) -> None:
    """An earlier run may have left it burning."""
    bench.memories[0x30].registers[0x10] = 0x5A
    bench.bus.close()
    assert (bench.one.rested, bench.two.rested) == (1, 1)
    assert bench.memories[0x30].registers[0x10] == 0


def test_closing_a_bus_that_is_not_there_is_no_error(bench: BusBench) -> None:
    bench.no_bus = errno.ENOENT
    bench.bus.close()
    assert (bench.one.rested, bench.wires.transfers) == (0, 0)


def bank(name: str, address: int, line: int) -> Mcp23017Bank:
    return Mcp23017Bank(name, address, {0: address}, line, uncertainty_ns=0)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (bank("b", 0x20, 18), "b and a have the same address"),
        (bank("b", 0x21, 17), "b and a share an interrupt line"),
    ],
)
def test_chips_that_would_hide_each_other_are_refused(other: Mcp23017Bank, words: str) -> None:
    lines = ScriptedLines({17: True, 18: True}, 0)
    with pytest.raises(ValueError, match=words):
        I2cBus(
            "i2c",
            lambda: None,
            [bank("a", 0x20, 17), other],
            now_ns=lambda: 0,
            tell=lambda health: None,
            interrupts=lines,
        )
