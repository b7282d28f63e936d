"""The contract of edge sources, over the drivers that need no kernel."""

import pytest

from hw.ports import EdgeSource
from hw.sim.courier import Courier
from hw.sim.script import ScriptedLines, resting
from tests.hw.gpio.edge_contract import EdgeSourceContract, ResyncContract, Subject
from tests.hw.i2c.rig import Rig
from tests.hw.table import LINES, Wires


def on(wires: Wires, source: EdgeSource) -> Subject:
    """A driver of simulated pins; each deed there takes a while."""

    def drive(line: int, high: bool) -> None:
        wires.agenda.run(wires.agenda.now_ns + 1_000_000)
        wires.drive(line, high)

    return Subject(
        source=source, lines=LINES, drive=drive, now_ns=lambda: wires.agenda.now_ns, uncertainty_ns=100_000
    )


def gpiozero_lines() -> Subject:
    wires = Wires()
    return on(wires, wires.lines)


def prompt_courier() -> Subject:
    wires = Wires()
    return on(wires, Courier(wires.lines, wires.agenda, lambda edge: 0))


def scripted_lines() -> Subject:
    lines = ScriptedLines(resting(LINES, low=[]), uncertainty_ns=100_000)

    def drive(line: int, high: bool) -> None:
        if lines.levels()[line] is not high:
            lines.deliver(line, high, t_ns=0)

    return Subject(source=lines, lines=LINES, drive=drive, now_ns=lambda: 0, uncertainty_ns=100_000)


def bank() -> Subject:
    """Three pins of a port expander, on both of its ports."""
    rig = Rig(pins={0: 4, 6: 5, 14: 6})

    def drive(line: int, high: bool) -> None:
        rig.run(5_000_000)
        rig.set(line, high)
        rig.run(1_000)

    return Subject(source=rig.bank, lines=LINES, drive=drive, now_ns=rig.now_ns, uncertainty_ns=100_000)


class TestEdgeSources(EdgeSourceContract):
    @pytest.fixture(params=[gpiozero_lines, prompt_courier, scripted_lines, bank])
    def subject(self, request: pytest.FixtureRequest) -> Subject:
        made: Subject = request.param()
        return made


class TestLookingAgain(ResyncContract):
    @pytest.fixture
    def subject(self) -> Subject:
        return gpiozero_lines()
