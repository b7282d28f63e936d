"""The opened devices of a table: what is active now, and what they do if nobody says otherwise."""

from __future__ import annotations

from dataclasses import replace

from firmware_host.model.places import Button, Colour, Slot
from firmware_host.run.equipment import Equipment, equip
from firmware_host.run.table_files import load_profile
from hw.ports import Edge
from hw.scoreboard.text import PlainScoreboard
from hw.sim.agenda import VirtualClock
from hw.sim.outputs import SimLedPanel, SimTextDisplay
from tests.run.rooms import Room

RED_1 = Slot(Colour.RED, 1)
PROFILE = replace(load_profile("dice4-direct"), lines={1: Button(1), 2: Button(2), 3: RED_1})


class Levels:
    """Lines that stand as a test wants them."""

    uncertainty_ns = 0

    def __init__(self, **levels: bool) -> None:
        self._levels = {int(name[1:]): high for name, high in levels.items()}

    def read(self) -> list[Edge]:
        return []

    def levels(self) -> dict[int, bool]:
        return self._levels

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        """There is nothing to let go of."""


def equipment(*lines: Levels) -> Equipment:
    clock = VirtualClock()
    scoreboard = PlainScoreboard(SimTextDisplay().write)
    return equip(PROFILE, clock, 0, lines=lines, leds=SimLedPanel(4, clock.now_ns), scoreboard=scoreboard)


def test_what_is_active_is_asked_of_all_lines_each_time() -> None:
    expander = Levels(_3=False)
    table = equipment(Levels(_1=False, _2=True), expander)
    assert table.active == [Button(1), RED_1]
    expander.levels()[3] = True
    assert table.active == [Button(1)]


def test_a_line_that_means_nothing_is_never_active() -> None:
    assert equipment(Levels(_1=True, _99=False)).active == []


def test_what_a_table_does_not_have_is_not_missed() -> None:
    table = equipment()
    table.dim(7)
    table.close()
    assert table.stuck() == [] and table.checks == () and table.others == ()
    assert table.waits_for_devices


def test_a_real_one_is_dark_and_blank_after_its_end_however_often_it_is_closed() -> None:
    room = Room("dice4")
    table = room.open()
    table.leds.show(bytes([7] * len(room.frame)))
    table.scoreboard.show(("Round 1/2", "1:12 2:12"))
    room.wait()
    assert all(room.frame[:4]) and room.sign == ("Round 1/2", "1:12 2:12")
    table.close()
    table.close()
    assert room.is_dark


def test_all_its_chips_are_dimmed() -> None:
    room = Room("dice4")
    table = room.open()
    table.leds.show(bytes([7] * len(room.frame)))
    room.wait()
    table.dim(3)
    room.wait()
    assert {chip.brightness for chip in room.site.led_chips.values()} == {3}
