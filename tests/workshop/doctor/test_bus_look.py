"""Who answers on a bus: smbus2's own calls, down to chips simulated to the register."""

from __future__ import annotations

import errno
import os
from typing import Any

from firmware_host.workshop.doctor.device_look import look_at_bus
from hw.sim.ht16k33 import Ht16k33Model
from hw.sim.i2c_bus import ChipModel
from hw.sim.mcp23017 import Mcp23017Model
from tests.workshop.doctor.finding import DICE, profile_with
from tests.workshop.doctor.tree import Tree


def chips() -> dict[int, ChipModel]:
    return {0x20: Mcp23017Model(), 0x21: Mcp23017Model(), 0x71: Ht16k33Model()}


def test_a_bus_is_scanned_and_left_closed(tree: Tree) -> None:
    wires = tree.i2c(chips())
    bus = look_at_bus(tree.system(), DICE)
    assert (bus.number, bus.adapter, bus.driver, bus.device) == (1, True, True, True)
    assert bus.answered == {0x20, 0x21, 0x71}
    assert (bus.claimed, bus.seen, bus.clock_hz) == (frozenset(), "", 0)
    assert wires.opened == 1
    assert wires.bytes_written == 0


def test_its_speed_is_that_of_the_device_tree(tree: Tree) -> None:
    tree.i2c(chips())
    tree.write("/sys/bus/i2c/devices/i2c-1/of_node/clock-frequency", "").write_bytes(b"\x00\x01\x86\xa0")
    assert look_at_bus(tree.system(), DICE).clock_hz == 100_000


def test_a_chip_that_fell_off_does_not_answer(tree: Tree) -> None:
    tree.i2c(chips()).gone.add(0x21)
    assert look_at_bus(tree.system(), DICE).answered == {0x20, 0x71}


def test_a_bus_that_hangs_is_told_in_the_drivers_words(tree: Tree) -> None:
    tree.i2c(chips()).hangs = True
    bus = look_at_bus(tree.system(), DICE)
    assert bus.seen == "the bus hangs"
    assert "shorts" in bus.advice


def test_a_bus_that_may_not_be_opened_says_so(tree: Tree) -> None:
    tree.i2c(chips())

    def refused(path: str) -> Any:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    bus = look_at_bus(tree.system(open_bus=refused), DICE)
    assert (bus.seen, bus.advice) == ("this user may not open the bus", "add the user to the group i2c")


def test_an_error_without_a_number_is_told_as_it_is(tree: Tree) -> None:
    tree.i2c(chips())

    def broken(path: str) -> Any:
        raise OSError("strange")

    assert look_at_bus(tree.system(open_bus=broken), DICE).seen == "strange"


def test_a_missing_device_is_told_with_what_there_is(tree: Tree) -> None:
    assert not look_at_bus(tree.system(), DICE).adapter
    tree.i2c(chips())
    tree.remove("/dev/i2c-1")
    bus = look_at_bus(tree.system(), DICE)
    assert (bus.adapter, bus.driver, bus.device, bus.answered) == (True, True, False, frozenset())
    tree.remove("/sys/module/i2c_dev/refcnt")
    tree.path("/sys/module/i2c_dev").rmdir()
    assert not look_at_bus(tree.system(), DICE).driver


def test_the_profiles_bus_is_meant(tree: Tree) -> None:
    tree.i2c(chips(), number=3)
    assert look_at_bus(tree.system(), profile_with(DICE, i2c_bus=3)).answered == {0x20, 0x21, 0x71}
    assert not look_at_bus(tree.system(), DICE).device
