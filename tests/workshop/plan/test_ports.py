"""Readers, scoreboard, speaker, and USB."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.profile.profile import Profile
from firmware_host.workshop.plan.pi_models import header_pin
from firmware_host.workshop.plan.planning import wiring_plan
from tests.workshop.plan.plans import by_pin, plan_of, shipped
from tests.workshop.plan.test_buses import ends


def at(port: str, profile: Profile) -> Profile:
    """The profile with its first reader at another port."""
    first, *others = profile.readers
    return replace(profile, readers=(replace(first, port=port), *others))


def test_a_reader_has_an_adapter_that_feeds_it() -> None:
    plan = plan_of("cards4")
    assert ends(plan, "pad-2", "RXD") == [("adapter pad-2", "TXD")]
    assert ends(plan, "pad-2", "TXD") == [("adapter pad-2", "RXD")]
    assert ends(plan, "pad-2", "VCC") == [("adapter pad-2", "5V")]
    assert ends(plan, "pad-2", "GND") == [("adapter pad-2", "GND")]
    assert plan.component("adapter pad-2").title == "adapter of pad-2: /dev/ttyUSB2"


@pytest.mark.parametrize(
    ("choices", "source", "rail"),
    [
        ({"reader_power": "supply"}, "5 V strip", "5 V"),
        ({"reader_power": "pi-3v3"}, "3.3 V strip", "3.3 V"),
        ({"reader_power": "adapter-3v3"}, "adapter pad-1", "3.3 V"),
        ({"reader_power": "adapter-3v3", "reader_link": "usb-uart-5v"}, "5 V strip", "5 V"),
        ({"reader_link": "usb-rs232"}, "5 V strip", "5 V"),
    ],
)
def test_a_reader_may_be_fed_otherwise(choices: dict[str, str], source: str, rail: str) -> None:
    (wire,) = by_pin(plan_of("cards4", **choices))["pad-1", "VCC"]
    assert (wire.start.component, wire.signal) == (source, rail)


@pytest.mark.parametrize("power", ["supply", "pi-3v3"])
def test_what_a_strip_gives_a_reader_comes_back_to_a_strip_and_not_through_usb(power: str) -> None:
    plan = plan_of("cards4", reader_power=power)
    for name in ("pad-1", "adapter pad-1"):
        (wire,) = by_pin(plan)[name, "GND"]
        assert wire.start.component.startswith("ground strip") and wire.signal == "ground", name


def test_four_readers_share_an_adapter_with_four_ports() -> None:
    plan = plan_of("dice4-rfid")
    assert [each.name for each in plan.components if each.part == "usb-uart-4"] == [
        f"adapter {number}" for number in range(1, 8)
    ]
    assert ends(plan, "red-1", "RXD") == [("adapter 1", "TXD A")]
    assert ends(plan, "red-6", "TXD") == [("adapter 2", "RXD B")]
    assert by_pin(plan)["red-6", "VCC"][0].start.component.startswith("5 V strip")
    assert by_pin(plan)["adapter 2", "GND"][0].signal == "ground"


def test_a_reader_at_the_header_is_wired_to_it() -> None:
    plan = wiring_plan(at("/dev/serial0", shipped("cards4")))
    assert ends(plan, "pad-1", "RXD") == [("pi", "GPIO 14")]
    assert ends(plan, "pad-1", "TXD") == [("pi", "GPIO 15")]
    assert by_pin(plan)["pad-1", "VCC"][0].start.component == "5 V strip"


@pytest.mark.parametrize(("board", "lines"), [("c03114", (4, 5)), ("c04170", (8, 9))])
def test_a_port_from_an_overlay_has_the_lines_of_this_pi(board: str, lines: tuple[int, int]) -> None:
    plan = wiring_plan(replace(at("/dev/ttyAMA3", shipped("cards4")), board=board))
    assert ends(plan, "pad-1", "RXD") == [("pi", f"GPIO {lines[0]}")]
    assert ends(plan, "pad-1", "TXD") == [("pi", f"GPIO {lines[1]}")]
    assert by_pin(plan)["pi", f"GPIO {lines[0]}"][0].start.number == str(header_pin(lines[0]))


def test_the_lines_of_a_port_that_a_pi_does_not_have_are_not_known() -> None:
    profile = replace(at("/dev/ttyAMA3", shipped("cards4")), board="a02082")
    assert ends(wiring_plan(profile), "pad-1", "RXD") == [("pi", "TXD of /dev/ttyAMA3")]


@pytest.mark.parametrize(
    ("link", "part"),
    [("usb-rs232", "usb-rs232"), ("max3232", "usb-rs232"), ("usb-uart", "usb-uart"), ("direct", "usb-uart")],
)
def test_a_scoreboard_on_usb_has_an_adapter(link: str, part: str) -> None:
    plan = plan_of("dice4", sign_link=link)
    assert plan.component("sign link").part == part
    assert ends(plan, "scoreboard", "RXD") == [("sign link", "TXD")]
    assert ends(plan, "sign link", "USB") == [("pi", "USB 1")]


def test_a_scoreboard_may_be_a_usb_device_itself() -> None:
    assert ends(plan_of("dice4", sign_link="usb"), "scoreboard", "USB") == [("pi", "USB 1")]


def test_a_scoreboard_at_the_header_has_a_level_converter() -> None:
    profile = replace(shipped("dice4"), sign_port="/dev/ttyAMA0")
    plan = wiring_plan(profile)
    assert ends(plan, "sign link", "TXD") == [("pi", "GPIO 14")]
    assert ends(plan, "scoreboard", "RXD") == [("sign link", "T1OUT")]
    direct = wiring_plan(replace(profile, build=replace(profile.build, sign_link="direct")))
    assert ends(direct, "scoreboard", "TXD") == [("pi", "GPIO 15")]


def test_each_kind_of_speaker_is_wired() -> None:
    assert ends(plan_of("dice4"), "speaker", "USB") == [("pi", "USB 2")]
    assert ends(plan_of("dice4", speaker="jack"), "speaker", "jack") == [("pi", "jack")]
    assert ends(plan_of("dice4-direct", speaker="i2s"), "speaker", "BCLK") == [("pi", "GPIO 18")]
    assert not any(each.name == "speaker" for each in plan_of("dice4", speaker="none").components)


def test_hubs_are_added_until_everything_has_a_port() -> None:
    plan = plan_of("cards12")
    assert [each.name for each in plan.components if each.part == "hub-7"] == ["hub 1", "hub 2"]
    assert ends(plan, "hub 1", "USB") == [("pi", "USB 4")]
    plugs = [wire.end.component for wire in plan.wires if wire.colour == "USB cable"]
    assert len(plugs) == 2 + 1 + 1 + 12


def test_hubs_follow_hubs_where_the_pi_has_no_more_ports() -> None:
    plan = plan_of("cards12", hub="hub-4", hubs=6)
    assert ends(plan, "hub 5", "USB") == [("hub 4", "port 4")]


def test_what_finds_no_port_is_not_plugged_in() -> None:
    plan = plan_of("cards12", hubs=0)
    plugs = [wire.end.component for wire in plan.wires if wire.colour == "USB cable"]
    assert len(plugs) == 4


def test_a_speaker_that_finds_no_port_leaves_no_cable() -> None:
    profile = replace(
        shipped("dice4", hubs=0), board="902120"
    )  # a Zero 2 W, whose one port has the scoreboard
    assert not any(each.name == "speaker" for each in wiring_plan(profile).cables)
