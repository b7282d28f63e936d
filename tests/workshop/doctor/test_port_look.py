"""Serial ports, readers and scoreboards behind pseudo-terminals, with their real drivers."""

from __future__ import annotations

import time

import pytest

from firmware_host.lab.chips_table import sign_model
from firmware_host.model.places import Pad
from firmware_host.profile.profile import TagSpot
from firmware_host.workshop.doctor.device_look import look_at_ports, look_at_readers, look_at_sign, trial_page
from hw.serial_port import PyserialPort
from tests.hw.uart.pty_bench import Repeater
from tests.workshop.doctor.finding import CARDS, DICE, profile_with
from tests.workshop.doctor.tree import Tree, reader

BY_ID = "usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0"
BY_PATH = "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.3:1.0-port0"


def spot(number: int, port: str) -> TagSpot:
    return TagSpot(name=f"pad-{number}", at=Pad(number), port=port, group=number)


def test_ports_are_found_with_all_their_names(tree: Tree) -> None:
    tree.plug("/dev/ttyUSB10", reader())
    tree.plug("/dev/ttyUSB2", reader(), BY_ID, BY_PATH)
    tree.path("/dev/ttyAMA0").touch()
    tree.path("/dev/serial0").symlink_to("ttyAMA0")
    tree.path("/dev/ttyUSB9").symlink_to("/nowhere")
    tree.path("/dev/ligretto").mkdir()
    for name in ("port-1-1.3", "serial-A50285BI"):
        tree.path(f"/dev/ligretto/{name}").symlink_to("../ttyUSB2")
    tree.path("/dev/ligretto/port-1-1.4").symlink_to("../ttyUSB9")
    ports = look_at_ports(tree.system(), ())
    assert [port.path for port in ports] == ["/dev/ttyUSB2", "/dev/ttyUSB10", "/dev/serial0"]
    assert ports[0].by_id == f"/dev/serial/by-id/{BY_ID}"
    assert ports[0].by_path == f"/dev/serial/by-path/{BY_PATH}"
    assert ports[0].ours == ("/dev/ligretto/port-1-1.3", "/dev/ligretto/serial-A50285BI")
    assert (ports[1].by_id, ports[1].by_path, ports[1].ours) == ("", "", ())


def test_a_profiles_ports_are_found_by_whichever_name(tree: Tree) -> None:
    tree.plug("/dev/ttyUSB0", reader(), BY_ID)
    tree.plug("/dev/ttyUSB1", reader(), by_path=BY_PATH)
    spots = (spot(1, f"/dev/serial/by-id/{BY_ID}"), spot(2, "/dev/ttyUSB7"))
    profile = profile_with(CARDS, readers=spots, sign_port="/dev/ttyUSB1")
    first, second = look_at_ports(tree.system(), [profile])
    assert first.used == (("pad-1", f"/dev/serial/by-id/{BY_ID}"),)
    assert second.used == (("scoreboard", "/dev/ttyUSB1"),)


def test_a_profile_without_a_sign_uses_no_port_for_it(tree: Tree) -> None:
    tree.plug("/dev/ttyUSB0", reader())
    (port,) = look_at_ports(tree.system(), [profile_with(DICE, sign_port="")])
    assert port.used == ()


def test_readers_tell_their_firmware_and_are_left_without_a_field(tree: Tree) -> None:
    models = [reader(), reader()]
    for number, model in enumerate(models, start=1):
        tree.plug(f"/dev/ttyUSB{number}", model)
    readers = look_at_readers(tree.system(), [spot(1, "/dev/ttyUSB1"), spot(2, "/dev/ttyUSB2")])
    assert [(each.name, each.firmware, each.seen, each.there) for each in readers] == [
        ("pad-1", "PN532 1.6", "", True),
        ("pad-2", "PN532 1.6", "", True),
    ]
    until = time.monotonic() + 5
    while any(model.field_on for model in models):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_what_is_wrong_with_a_reader_is_told_in_its_drivers_words(tree: Tree) -> None:
    tree.plug("/dev/ttyUSB1", reader(silent=True))
    tree.plug("/dev/ttyUSB2", Repeater())
    spots = [spot(1, "/dev/ttyUSB1"), spot(2, "/dev/ttyUSB2"), spot(3, "/dev/ttyUSB3")]
    silent, echo, gone = look_at_readers(tree.system(), spots)
    assert (silent.firmware, silent.seen, silent.there) == ("", "does not answer", True)
    assert "HSU" in silent.advice
    assert echo.seen == "sends back what it gets"
    assert (gone.seen, gone.there) == ("is not plugged in", False)


def test_a_port_in_use_is_told(tree: Tree) -> None:
    tree.plug("/dev/ttyUSB1", reader())
    other = PyserialPort(str(tree.path("/dev/ttyUSB1")), 115200)
    (found,) = look_at_readers(tree.system(), [spot(1, "/dev/ttyUSB1")])
    other.close()
    assert found.seen == "is used by another program"


def test_no_readers_take_no_time(tree: Tree) -> None:
    assert look_at_readers(tree.system(), []) == ()


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_the_trial_page_fills_every_column(columns: int) -> None:
    first, second = trial_page(columns)
    assert len(first) == len(second) == columns
    assert (first[:11], second[-1]) == ("12345678901", "|")


@pytest.mark.parametrize("kind", ["cd5220", "dm-d", "text", "vt100"])
def test_a_sign_shows_the_page_while_it_stands_and_nothing_afterwards(tree: Tree, kind: str) -> None:
    profile = profile_with(DICE, sign=kind, sign_port="/dev/ttyUSB0", columns=20)
    model = sign_model(kind, 20)
    tree.plug("/dev/ttyUSB0", model)
    stood: list[tuple[str, ...]] = []
    shown: list[tuple[str, ...]] = []

    def stand(page: tuple[str, ...]) -> None:
        stood.append(page)
        shown.append(model.lines)

    sign = look_at_sign(tree.system(), profile, stand)
    assert shown == stood == [sign.page]
    assert (sign.kind, sign.there, sign.seen) == (kind, True, "")
    assert sign.line == "9600 8N1"
    until = time.monotonic() + 5
    while any(model.lines):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_sign_that_is_not_there_shows_nothing(tree: Tree) -> None:
    stood: list[tuple[str, ...]] = []
    sign = look_at_sign(tree.system(), DICE, stood.append)
    assert (sign.there, sign.seen, stood) == (False, "is not plugged in", [])
