"""The plan of a table leads to what the daemon opens: each line, address, pin of a chip, LED and port."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import gpiod
import pytest
from gpiod.line import Direction

from firmware_host.profile.profile import Profile, ports_of
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.run.real_table import real_equipment
from firmware_host.show.lamps import frame_length
from firmware_host.workshop.plan.planning import wiring_plan
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.i2c_stub import stub_bus
from tests.kernel.guest.test_daemon import Service, service, write_config
from tests.kernel.guest.test_whole_dice import SEATS, profile_text, profile_with
from tests.workshop.plan.following import Followed, followed
from tests.workshop.plan.own_table import own_table

PATIENCE_S = 30.0
ADDRESSES = (0x20, 0x21, 0x27, 0x70, 0x71, 0x72, 0x73, 0x74)
"""Those on the bus; a table may only speak to its own."""
GPINTEN = 0x04
RAM_BYTES = 16


@contextmanager
def terminals(folder: Path, seats: int) -> Iterator[dict[str, str]]:
    """A pseudo-terminal for the scoreboard and for each pad; gives the real device of each path."""
    ends = []
    devices = {}
    for number in range(seats + 1):
        ends += [*os.openpty()]
        link = folder / f"ttyV{number}"
        devices[str(link)] = os.ttyname(ends[-1])
        link.symlink_to(devices[str(link)])
    try:
        yield devices
    finally:
        for end in ends:
            os.close(end)


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def used_lines(chip: SimChip) -> dict[int, Direction]:
    """What the kernel says of the lines that somebody has."""
    with gpiod.Chip(chip.path) as opened:
        infos = [opened.get_line_info(line) for line in range(opened.get_info().num_lines)]
    return {info.offset: info.direction for info in infos if info.used}


def memory(bus: int, address: int) -> bytes:
    """The first registers of a chip."""
    from smbus2 import SMBus

    with SMBus(bus) as opened:
        return bytes(opened.read_i2c_block_data(address, 0, RAM_BYTES))


def lit(bus: int, address: int) -> set[int]:
    """The LEDs that are on in the memory of an LED chip."""
    ram = memory(bus, address)
    return {led for led in range(8 * RAM_BYTES) if ram[led // 8] >> led % 8 & 1}


def open_files(daemon: Service) -> set[str]:
    """The files that the daemon has open."""
    folder = Path(f"/proc/{daemon.pid}/fd")
    found = set()
    for each in folder.iterdir():
        try:
            found.add(os.readlink(each))
        except FileNotFoundError:  # closed meanwhile
            continue
    return found


def own_text(bus: int, folder: Path) -> str:
    """A profile of somebody's own, with its ports here."""
    text = own_table().replace("bus = 1 ", f"bus = {bus} ")
    return text.replace('"/dev/ttyUSB', f'"{folder / "ttyV"}')


@pytest.mark.parametrize("text_of", [pytest.param(profile_text, marks=pytest.mark.long), own_text])
def test_the_daemon_opens_what_the_plan_leads_to(
    chip: SimChip, tmp_path: Path, text_of: Callable[[int, Path], str]
) -> None:
    with stub_bus(ADDRESSES) as bus, service(tmp_path) as daemon:
        write_config(tmp_path, bus)
        text = text_of(bus, tmp_path)
        (tmp_path / "wiring.toml").write_text(text)
        profile = parse_profile(text, "wiring.toml")
        plan = wiring_plan(profile)
        wires = followed(plan)
        with terminals(tmp_path, profile.seats) as devices:
            daemon.start()
            check_lines(chip, wires)
            check_chips(bus, profile, wires)
            ports = {name: port for name, port in ports_of(profile).items() if port}
            assert set(ports) <= {component.name for component in plan.components}
            for port in ports.values():
                wait_for_file(daemon, devices[port])
            assert daemon.stop() == 0
    assert used_lines(chip) == {}


def check_lines(chip: SimChip, wires: Followed) -> None:
    """The daemon has the lines to which the wires lead, and no others."""
    contacts = dict.fromkeys((*wires.inputs, *wires.interrupts), Direction.INPUT)
    assert used_lines(chip) == contacts | dict.fromkeys(wires.outputs, Direction.OUTPUT)


def check_chips(bus: int, profile: Profile, wires: Followed) -> None:
    """It has set up the chips to which the wires lead, with their pins, and spoken to no others."""
    for bank in profile.banks:
        pins = sum(1 << pin for name, pin in wires.pins if name == bank.name)
        wait_for_pins(bus, wires.addresses[bank.name], pins)
    for name, leds in wires.leds.items():
        wait_for_light(bus, wires.addresses[name])
        assert lit(bus, wires.addresses[name]) <= set(leds)
    strange = set(ADDRESSES) - set(wires.addresses.values())
    assert not any(any(memory(bus, address)) for address in strange)


def wait_for_light(bus: int, address: int) -> None:
    """Wait until something burns at an LED chip."""
    until(lambda: bool(lit(bus, address)))


def wait_for_pins(bus: int, address: int, pins: int) -> None:
    """Wait until these pins of an expander, and no others, call when they change."""

    def calling() -> int:
        registers = memory(bus, address)
        return registers[GPINTEN] | registers[GPINTEN + 1] << 8

    until(lambda: calling() == pins)


def wait_for_file(daemon: Service, device: str) -> None:
    """Wait until the daemon has opened a file."""
    until(lambda: device in open_files(daemon))


def test_each_lamp_is_where_the_plan_has_it(chip: SimChip, tmp_path: Path) -> None:
    with stub_bus(ADDRESSES) as bus, terminals(tmp_path, SEATS):
        profile = profile_with(bus, tmp_path)
        wires = followed(wiring_plan(profile))
        lamps = sorted({wire.lamp for wire in profile.lamp_wires})
        equipment = real_equipment(profile)
        try:
            shown = [burning(profile, chip, bus, wires, lamp, equipment.leds.show) for lamp in lamps]
        finally:
            equipment.close()
    assert len(set(shown)) == len(shown) == 24 + 4 + 4
    assert shown[:2] == ["lamp red 1", "lamp red 2"]
    assert shown[-1] == "button 4"


def burning(
    profile: Profile, chip: SimChip, bus: int, wires: Followed, lamp: int, show: Callable[[bytes], None]
) -> str:
    """The only component that burns when one lamp is to be red."""
    frame = bytearray(frame_length(profile.seats))
    frame[lamp] = 4
    show(bytes(frame))

    def components() -> list[str]:
        on_lines = [name for line, name in wires.outputs.items() if chip.level(line)]
        return on_lines + [wires.leds["rows"][led][0] for led in lit(bus, wires.addresses["rows"])]

    expected = wires_of(profile, lamp)
    until(lambda: lit(bus, wires.addresses["rows"]) == expected)
    until(lambda: len(components()) == 1)
    return components()[0]


def wires_of(profile: Profile, lamp: int) -> set[int]:
    """The LEDs of the chip that a red lamp needs."""
    red = [wire for wire in profile.lamp_wires if wire.lamp == lamp and wire.mask & 4]
    return {wire.led for wire in red if wire.chip == "rows"}
