"""What a round needs, by the names under which devices tell how they are."""

from __future__ import annotations

import os
from random import Random

import pytest

from firmware_host.games.games import Table
from firmware_host.lab.chips_table import ChipTable, chip_table
from firmware_host.model.effects import DeviceReported
from firmware_host.model.settings import Settings
from firmware_host.model.times import S
from firmware_host.referee import Step
from firmware_host.run.equipment import HealthBox, needed_devices
from firmware_host.run.table_files import load_profile
from hw.ports import Condition, Health

PROFILE = load_profile("dice4")


def table_that_tells(told: list[DeviceReported]) -> ChipTable:
    def observe(step: Step) -> None:
        told.extend(effect for effect in step.effects if isinstance(effect, DeviceReported))

    return chip_table(
        PROFILE,
        table=Table(),
        settings=Settings(),
        draws=Random(1),
        chance=Random(1),
        onlookers=[observe],
    )


def test_lines_and_sensors_are_needed_lamps_and_signs_are_not() -> None:
    assert needed_devices(PROFILE) == {"gpio": 0, "i2c": 0, "left": 0, "right": 0}
    assert needed_devices(load_profile("dice4-direct")) == {"gpio": 0}


def test_a_pad_is_needed_by_its_own_seat_and_a_reader_of_the_centre_by_all() -> None:
    needed = needed_devices(load_profile("cards4"))
    assert needed == {"gpio": 0, "pad-1": 1, "pad-2": 2, "pad-3": 3, "pad-4": 4}
    assert needed_devices(load_profile("cards2")) == {"gpio": 0, "pad-1": 1, "pad-2": 2}
    assert set(needed_devices(load_profile("cards2-piles")).values()) == {0}
    by_tags = needed_devices(load_profile("dice4-rfid"))
    assert len(by_tags) == 4 + 24 and set(by_tags.values()) == {0}


@pytest.mark.parametrize(("device", "needed"), [("left", True), ("rows", False)])
def test_a_device_tells_under_its_name_in_the_profile(device: str, needed: bool) -> None:
    told: list[DeviceReported] = []
    table = table_that_tells(told)
    table.loop.run(1 * S)
    table.site.bus.gone.add(table.site.addresses[device])
    table.loop.run(5 * S)
    assert [(each.device.name, each.needed) for each in told] == [(device, needed)]
    assert told[0].device.condition == "lost"
    table.close()


def test_a_mistake_in_one_driver_takes_only_its_own_chip_away() -> None:
    told: list[DeviceReported] = []
    table = table_that_tells(told)
    table.loop.run(1 * S)
    left = table.site.banks["left"]
    read = left.read

    def mistaken(register: int | None, count: int) -> bytes:
        raise AssertionError("nobody thought of that")

    left.read = mistaken  # type: ignore[method-assign]
    table.loop.run(3 * S)
    assert [(each.device.name, each.device.condition) for each in told] == [("left", "lost")]
    assert "internal error" in told[0].device.seen
    left.read = read  # type: ignore[method-assign]
    table.loop.run(10 * S)
    assert [(each.device.name, each.device.condition) for each in told][-1] == ("left", "ok")
    table.close()


def test_the_health_of_all_devices_is_read_in_the_order_in_which_it_was_told() -> None:
    box = HealthBox()
    said = [Health("left", Condition.LOST), Health("left", Condition.OK)]
    for health in said:
        box.tell(health)
    assert list(box.read()) == said
    box.close()


def test_tables_leave_no_descriptor_behind() -> None:
    table_that_tells([]).close()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        table = table_that_tells([])
        table.loop.run(1 * S)
        table.close()
    assert len(os.listdir("/proc/self/fd")) == before
