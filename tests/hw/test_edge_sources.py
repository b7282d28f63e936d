"""The contract of edge sources, over the drivers that need no kernel."""

import pytest

from hw.ports import EdgeSource
from hw.sim.lines import DelayedLines, ScriptedLines, resting
from tests.hw.gpio.edge_contract import EdgeRig, EdgeSourceContract, ResyncContract
from tests.hw.i2c.bus_rig import BusRig
from tests.hw.wired_lines import LINES, WiredLines


def on(wires: WiredLines, source: EdgeSource) -> EdgeRig:
    """A driver of simulated pins; each deed there takes a while."""

    def drive(line: int, high: bool) -> None:
        wires.agenda.run(wires.agenda.now_ns + 1_000_000)
        wires.drive(line, high)

    return EdgeRig(
        source=source, lines=LINES, drive=drive, now_ns=lambda: wires.agenda.now_ns, uncertainty_ns=100_000
    )


def gpiozero_lines() -> EdgeRig:
    wires = WiredLines()
    return on(wires, wires.lines)


def prompt_courier() -> EdgeRig:
    wires = WiredLines()
    return on(wires, DelayedLines(wires.lines, wires.agenda, lambda edge: 0))


def scripted_lines() -> EdgeRig:
    lines = ScriptedLines(resting(LINES, low=[]), uncertainty_ns=100_000)

    def drive(line: int, high: bool) -> None:
        if lines.levels()[line] is not high:
            lines.deliver(line, high, t_ns=0)

    return EdgeRig(source=lines, lines=LINES, drive=drive, now_ns=lambda: 0, uncertainty_ns=100_000)


def bank() -> EdgeRig:
    """Three pins of a port expander, on both of its ports."""
    rig = BusRig(pins={0: 4, 6: 5, 14: 6})

    def drive(line: int, high: bool) -> None:
        rig.run(5_000_000)
        rig.set(line, high)
        rig.run(1_000)

    return EdgeRig(source=rig.bank, lines=LINES, drive=drive, now_ns=rig.now_ns, uncertainty_ns=100_000)


class TestEdgeSources(EdgeSourceContract):
    @pytest.fixture(params=[gpiozero_lines, prompt_courier, scripted_lines, bank])
    def subject(self, request: pytest.FixtureRequest) -> EdgeRig:
        made: EdgeRig = request.param()
        return made


class TestLookingAgain(ResyncContract):
    @pytest.fixture
    def subject(self) -> EdgeRig:
        return gpiozero_lines()
