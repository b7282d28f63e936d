"""The plan of a table leads to what the program opens on it: each line, address, LED and port, one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest

import wiring
from firmware_host.lab.chips_table import SimulatedSite
from firmware_host.model.places import Button, Source
from firmware_host.model.times import MS, S
from firmware_host.profile.profile import BANK_LINES, Profile, ports_of
from firmware_host.run.devices import InputLines, install
from firmware_host.run.equipment import Equipment, HealthBox
from firmware_host.run.table_files import load_profile
from firmware_host.show.lamps import frame_length
from firmware_host.workshop.plan.planning import wiring_plan
from hw.ports import LedPanel, LedWire
from hw.serial_port import OpenPort
from hw.sim.agenda import Agenda
from tests.workshop.plan.following import Followed, followed

COLOURS = {4: "red", 2: "green", 1: "blue"}


class WatchedSite(SimulatedSite):
    """A simulated table that remembers what was opened."""

    def __init__(self, profile: Profile) -> None:
        self.health = HealthBox()
        self.world = Agenda()
        super().__init__(profile, self.world, self.health, 0)
        self.opened: dict[str, set[int]] = {}
        self.lit: set[int] = set()
        self.ports: dict[str, str] = {}

    def inputs(self, name: str, lines: Iterable[int]) -> InputLines:
        wanted = list(lines)
        self.opened[name] = set(wanted)
        return super().inputs(name, wanted)

    def lamps(self, wires: Sequence[LedWire]) -> LedPanel:
        self.lit = {wire.led for wire in wires}
        return super().lamps(wires)

    def open_port(self, name: str, path: str, baud: int, bits: int, parity: str) -> OpenPort:
        self.ports[name] = path
        return super().open_port(name, path, baud, bits, parity)


@pytest.fixture(params=wiring.profile_names())
def profile(request: pytest.FixtureRequest) -> Profile:
    return load_profile(request.param)


def opened(profile: Profile) -> tuple[WatchedSite, Equipment]:
    """The devices of a table, a second after they were opened."""
    site = WatchedSite(profile)
    equipment = install(profile, site, site.health, site.registry)
    site.world.run(1 * S)
    return site, equipment


def spoken(source: Source) -> str:
    """A contact as it is called in the plan."""
    return f"button {source.seat}" if isinstance(source, Button) else str(source)


def test_each_line_of_the_pi(profile: Profile) -> None:
    site, equipment = opened(profile)
    wires = followed(wiring_plan(profile))
    assert site.opened["gpio"] == set(wires.inputs)
    assert wires.inputs == {line: spoken(source) for line, source in profile.direct_lines.items()}
    assert site.opened.get("interrupts", set()) == set(wires.interrupts)
    assert wires.interrupts == {bank.interrupt: bank.name for bank in profile.banks}
    assert site.lit == set(wires.outputs)
    equipment.close()


def test_each_pin_of_an_expander(profile: Profile) -> None:
    wires = followed(wiring_plan(profile))
    expected = [(bank.name, pin, line) for bank in profile.banks for pin, line in bank.pins.items()]
    assert wires.pins == {(name, pin): spoken(profile.lines[line]) for name, pin, line in expected}
    assert len(wires.pins) == sum(line >= BANK_LINES for line in profile.lines)


def test_each_address(profile: Profile) -> None:
    site, equipment = opened(profile)
    wires = followed(wiring_plan(profile))
    assert {transfer.address for transfer in site.bus.log} == set(wires.addresses.values())
    assert wires.addresses == site.addresses
    equipment.close()


def test_each_led_and_each_lamp_on_a_line(profile: Profile) -> None:
    site, equipment = opened(profile)
    wires = followed(wiring_plan(profile))
    lamps = sorted({wire.lamp for wire in profile.lamp_wires})
    found: list[str] = []
    for lamp in lamps:
        count = sum(wire.lamp == lamp for wire in profile.lamp_wires)
        burning = {light(site, equipment, wires, lamp, tint) for tint in list(COLOURS)[:count]}
        assert len(burning) == 1, lamp
        found += burning
    assert len(set(found)) == len(lamps)
    equipment.close()


def light(site: WatchedSite, equipment: Equipment, wires: Followed, lamp: int, tint: int) -> str:
    """Let one lamp burn; gives the only component that does then."""
    frame = bytearray(frame_length(site.profile.seats, site.profile.piles))
    frame[lamp] = tint
    equipment.leds.show(bytes(frame))
    site.world.run(site.world.now_ns + 50 * MS)
    (component,) = burning_components(site, wires, COLOURS[tint])
    return component


def burning_components(site: WatchedSite, wires: Followed, colour: str) -> set[str]:
    """The lamps that burn, by following the wires from the chips and lines that are on."""
    found = set()
    for name, chip in site.led_chips.items():
        for led in chip.lit():
            component, own = wires.leds[name][led]
            assert own in (colour, "")
            found.add(component)
    found |= {wires.outputs[line] for line in site.lit if site.pins.pin(f"GPIO{line}").state}
    return found


def test_each_serial_port(profile: Profile) -> None:
    site, equipment = opened(profile)
    plan = wiring_plan(profile)
    assert site.ports == {name: port for name, port in ports_of(profile).items() if port}
    for name in site.ports:
        assert plan.component(name).section.value in ("tag readers", "scoreboard")
    if profile.build.reader_link != "usb-uart-4":
        titles = [each.title for each in plan.components if each.part in ("usb-uart", "usb-rs232")]
        assert sorted(title.rpartition(": ")[2] for title in titles) == sorted(site.ports.values())
    equipment.close()
