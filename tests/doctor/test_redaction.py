"""Nothing that names a machine or its people gets through, and the same thing keeps the same word."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.doctor.redaction import Redactor, Secret

SECRETS = [Secret("USER", "anna"), Secret("HOST", "kitchen-pi"), Secret("SERIAL", "10000000deadbeef")]


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("anna may not open it", "USER-1 may not open it"),
        ("annabel may, and so may joanna", "annabel may, and so may joanna"),
        ("Nov 18 kitchen-pi ligretto[7]: up", "Nov 18 HOST-1 ligretto[7]: up"),
        ("read /home/anna/table.toml", "read /home/USER-1/table.toml"),
        ("read /home/berta/table.toml", "read /home/USER-1/table.toml"),
        ("Serial\t\t: 10000000deadbeef", "Serial\t\t: SERIAL-1"),
        (
            "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0",
            "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_SERIAL-1-if00-port0",
        ),
        (
            "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0",
            "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0",
        ),
        ("usb 1-1: SerialNumber: A50285BI", "usb 1-1: SerialNumber: SERIAL-1"),
        ("link/ether DC:A6:32:01:02:03 up", "link/ether ADDRESS-1 up"),
        ("from 192.168.1.17 port 22", "from ADDRESS-1 port 22"),
        ("inet6 fe80::dea6:32ff:fe01:203/64", "inet6 ADDRESS-1/64"),
        ("lgpio 0.2.2.0", "lgpio 0.2.2.0"),
        ("at 12:34:56 it began", "at 12:34:56 it began"),
        (
            "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.3:1.0",
            "platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.3:1.0",
        ),
        ('12.0001..12.0003 press 3; "scores":[1,2]', '12.0001..12.0003 press 3; "scores":[1,2]'),
    ],
)
def test_what_is_taken_out_and_what_stays(text: str, redacted: str) -> None:
    assert Redactor(SECRETS).text(text) == redacted


def test_the_same_thing_has_the_same_word_everywhere() -> None:
    redactor = Redactor(SECRETS)
    port = "usb-FTDI_FT232R_{}-if00-port0"
    first, second = redactor.text(port.format("A1")), redactor.text(port.format("B2"))
    assert first != second
    assert redactor.text(f"{port.format('B2')} and {port.format('A1')}") == f"{second} and {first}"
    assert redactor.text("/home/carl") == "/home/USER-1"
    assert redactor.text("anna, /home/carl, /home/anna") == "USER-2, /home/USER-1, /home/USER-2"


def test_a_redacted_text_stays_as_it_is() -> None:
    redactor = Redactor(SECRETS, b"salt")
    once = redactor.text("anna@kitchen-pi /home/anna usb-X_Y_SN1-if00 10.0.0.1")
    assert redactor.text(once) == once


@given(st.ip_addresses().filter(lambda address: not str(address).startswith("0.")))
def test_no_address_gets_through(address: IPv4Address | IPv6Address) -> None:
    assert str(address) not in Redactor().text(f"peer {address}, gone")


@given(st.binary(min_size=6, max_size=6))
def test_no_hardware_address_gets_through(address: bytes) -> None:
    assert address.hex(":") not in Redactor().text(f"[{address.hex(':')}]")


@given(st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size)))
def test_numbers_of_tags_are_replaced_by_others_that_can_be_read(uid: bytes) -> None:
    redactor = Redactor(salt=b"one")
    for form in ("unknown {}", "tag {} comes", '{{"uid":"{}"}}'):
        text = redactor.text(form.format(uid.hex()))
        match = re.fullmatch(re.escape(form.format("X")).replace("X", "([0-9a-f]+)"), text)
        assert match is not None and len(match[1]) == 2 * len(uid) and match[1] != uid.hex()
        assert match[1] == redactor.text(f"unknown {uid.hex()}").split()[1]
    assert redactor.text(f"unknown {uid.hex()}") != Redactor(salt=b"two").text(f"unknown {uid.hex()}")


def test_data_is_redacted_inside_and_keeps_its_keys() -> None:
    data = {"anna": ["anna", ("kitchen-pi", 3)], "n": None}
    assert Redactor(SECRETS).data(data) == {"anna": ["USER-1", ["HOST-1", 3]], "n": None}


def test_a_secret_of_two_letters_is_left_alone() -> None:
    assert Redactor([Secret("USER", "pi"), Secret("USER", "")]).text("a pi") == "a pi"
