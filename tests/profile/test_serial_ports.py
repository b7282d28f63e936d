"""Which paths are serial ports, and which of them lead to the same one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.model.errors import BadSettings
from firmware_host.profile.device_kinds import SIGNS
from firmware_host.profile.keys import format_table
from firmware_host.profile.pins import HEADER_PORTS, PORT_FORM, may_lack_parity, port_of, whole_port
from firmware_host.profile.profile import SCOREBOARD
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.profile.table_reading import disputed
from firmware_host.run.table_files import rewired
from tests.profile.profiles import CARDS4, DICE4
from tests.profile.shelf import loaded


def faults_of(text: str) -> list[str]:
    with pytest.raises(BadSettings) as error:
        loaded(text)
    return [fault.removeprefix("/t/table.toml:") for fault in error.value.faults]


@pytest.mark.parametrize(
    "path",
    [
        "/dev/ttyUSB0", "/dev/ttyACM12", "/dev/ttyAMA0", "/dev/ttyAMA10", "/dev/ttyS0", "/dev/serial0",
        "/dev/serial1", "/dev/ttySC1", "/dev/ttyXRUSB0", "/dev/pts/3", "/tmp/ttyV0",
        "/dev/ligretto/port-1-1.2", "/dev/ligretto/serial-A50285BI",
        "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0",
        "/dev/serial/by-path/platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.1:1.0-port0",
    ],
)  # fmt: skip
def test_a_serial_port_is_one_in_any_spelling(path: str) -> None:
    assert port_of(path) == path
    for odd in (f"/{path}", path.replace("/", "//"), f"/dev/serial/./../..{path}", f"{path}/"):
        assert port_of(odd) == path


@pytest.mark.parametrize(
    "value",
    [
        "/etc/passwd", "/tmp/ttyV", "/dev/null", "/dev/i2c-1", "/dev/gpiochip0", "/dev/tty", "/dev/tty1",
        "/dev/ttyUSB", "/dev/serial", "/dev/serial/by-id", "/dev/ligretto/", "/dev/ligretto", "/dev/pts",
        "/dev/pts/ptmx", "/dev/sda", "/dev/serial/by-id/../../null", "/dev/ligretto/a/b", "/dev/ttyUSB0/x",
        "dev/ttyUSB0", "", "/", 3, None, "/dev/ligretto/a\n", "/dev/ligretto/a\0",
    ],
)  # fmt: skip
def test_anything_else_is_none(value: object) -> None:
    assert port_of(value) == ""


def test_the_port_of_the_header_is_one_under_all_its_names() -> None:
    assert {whole_port(port) for port in HEADER_PORTS} == {"/dev/serial0"}
    assert whole_port("/dev/ttyAMA1") == "/dev/ttyAMA1"


def test_a_profile_has_each_port_once_in_any_spelling() -> None:
    text = CARDS4.replace("/dev/ttyUSB2", "/dev/serial/../ttyUSB1").replace("/dev/ttyUSB0", "/dev/ttyUSB1/")
    with pytest.raises(BadSettings) as error:
        parse_profile(text, "own.toml")
    first = "is taken by readers.pad-1.port in line 56"
    assert error.value.faults == [
        "own.toml:57: readers.pad-2.port is '/dev/serial/../ttyUSB1'; allowed: a port of its own: "
        f"'/dev/serial/../ttyUSB1' {first} as '/dev/ttyUSB1'",
        "own.toml:63: scoreboard.port is '/dev/ttyUSB1/'; allowed: a port of its own: "
        f"'/dev/ttyUSB1/' {first} as '/dev/ttyUSB1'",
    ]
    assert parse_profile(
        text.replace("/dev/serial/../ttyUSB1", "//dev/ttyUSB5").replace("B1/", "B0"), ""
    ).readers


def test_a_port_of_the_profile_is_taken_in_any_spelling() -> None:
    text = 'wiring = "cards4"\ntags = "tags.csv"\n[ports]\nscoreboard = "/dev//ttyUSB1"'
    assert faults_of(text) == [
        "4: ports.scoreboard is '/dev//ttyUSB1'; allowed: a port of its own: "
        "'/dev/ttyUSB1' is taken by pad-1 of 'cards4'"
    ]


def test_two_games_may_name_a_port_differently() -> None:
    dice, cards = parse_profile(DICE4, "dice4"), parse_profile(CARDS4, "cards4")
    ports = {SCOREBOARD: "/dev/serial0"}
    assert disputed(dice, cards, ports) == ""
    assert disputed(dice, replace(cards, sign="dm-d", sign_port="/dev/ttyS0"), {}) == ""
    serial = replace(dice, sign_port="/dev/ttyAMA0")
    clash = "the scoreboard is cd5220 for dice and dm-d for cards"
    assert disputed(serial, replace(cards, sign="dm-d", sign_port="/dev/ttyS0"), {}) == clash


# -- parity


@pytest.mark.parametrize(
    "port", ["/dev/serial0", "/dev/serial1", "/dev/ttyS0", "/dev/ttyAMA0", "/dev/ttyUSB0"]
)
@pytest.mark.parametrize("sign", SIGNS)
def test_a_sign_with_a_parity_bit_is_not_at_a_mini_uart(sign: str, port: str) -> None:
    text = DICE4.replace('"cd5220"', f'"{sign}"').replace("/dev/ttyUSB0", port)
    good = sign not in ("alpha", "betabrite") or not may_lack_parity(port)
    assert may_lack_parity(port) == (port in ("/dev/serial0", "/dev/serial1", "/dev/ttyS0"))
    if good:
        assert parse_profile(text, "own.toml").sign_port == port
        return
    with pytest.raises(BadSettings) as error:
        parse_profile(text, "own.toml")
    assert error.value.faults == [
        f"own.toml:53: scoreboard.port is '{port}'; allowed: a port with a parity bit, which '{sign}' needs: "
        "a USB adapter, or '/dev/ttyAMA0' with dtoverlay=disable-bt in config.txt; this one may be the mini "
        "UART, which has none"
    ]


def test_a_sign_without_a_parity_bit_may_be_put_there() -> None:
    config = loaded('wiring = "dice4"\n[ports]\nscoreboard = "/dev/serial0"').config
    assert config.ports == {SCOREBOARD: "/dev/serial0"}


# -- no scoreboard


def test_a_table_can_do_without_a_scoreboard() -> None:
    config = loaded('wiring = "dice4"\n[ports]\nscoreboard = "none"').config
    table = rewired(config.profile, config)
    assert table == replace(config.profile, sign_port="")
    again = loaded(format_table(config)).config
    assert '\nscoreboard = "none"\n' in format_table(config)
    assert again.ports == config.ports == {SCOREBOARD: ""}


def test_its_port_is_free_for_a_reader_then() -> None:
    config = loaded(
        'wiring = "cards4"\ntags = "tags.csv"\n[ports]\nscoreboard = "none"\npad-1 = "/dev/ttyUSB0"'
    ).config
    assert config.ports == {SCOREBOARD: "", "pad-1": "/dev/ttyUSB0"}


def test_neither_of_two_games_has_one_then() -> None:
    two = 'wiring = { dice = "dice4", cards = "cards12" }\ngame = "dice"\ntags = "tags.csv"\n'
    (fault,) = faults_of(two + '[ports]\nscoreboard = "none"')
    assert "scoreboard" not in fault


def test_only_the_scoreboard_can_be_none() -> None:
    text = 'wiring = "cards4"\ntags = "tags.csv"\n[ports]\n'
    assert faults_of(f'{text}pad-1 = "none"') == [f"4: ports.pad-1 is 'none'; allowed: {PORT_FORM}"]
    assert faults_of(f'{text}scoreboard = "None"') == [
        f"4: ports.scoreboard is 'None'; allowed: {PORT_FORM}, or 'none'"
    ]
