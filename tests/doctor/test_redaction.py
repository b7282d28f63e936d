"""Nothing that names a machine or its people gets through, and the same thing keeps the same word."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.doctor.redaction import Redactor, Secret, found_in, is_telling
from firmware_host.input_text import parse_input

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
        (
            "/dev/serial/by-id/usb-1a86_USB2.0-Serial-if00-port0",
            "/dev/serial/by-id/usb-1a86_USB2.0-Serial-if00-port0",
        ),
        ("usb 1-1: SerialNumber: A50285BI", "usb 1-1: SerialNumber: SERIAL-1"),
        ("E: ID_SERIAL_SHORT=A50285BI", "E: ID_SERIAL_SHORT=SERIAL-1"),
        ('ATTRS{serial}=="A50285BI"', 'ATTRS{serial}=="SERIAL-1"'),
        ("  iSerial                 3 A50285BI", "  iSerial                 3 SERIAL-1"),
        ("/dev/ligretto/serial-A50285BI", "/dev/ligretto/serial-SERIAL-1"),
        ("/dev/ligretto/serial-A50285BI-01: gone", "/dev/ligretto/serial-SERIAL-1-01: gone"),
        ("(/dev/ligretto/serial-A50285BI-01.1).", "(/dev/ligretto/serial-SERIAL-1-01.1)."),
        ("DEVLINKS=ligretto/serial-AB-12_3.", "DEVLINKS=ligretto/serial-SERIAL-1."),
        ("/dev/ligretto/port-1-1.2", "/dev/ligretto/port-1-1.2"),
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


def test_data_is_redacted_inside_and_so_are_its_keys() -> None:
    data = {"anna": ["anna", ("kitchen-pi", 3)], "n": None}
    assert Redactor(SECRETS).data(data) == {"USER-1": ["USER-1", ["HOST-1", 3]], "n": None}


def test_what_one_line_gives_away_is_taken_out_of_all() -> None:
    redactor = Redactor()
    redactor.learn({"log": ["/dev/ligretto/serial-A50285BI was unplugged", ("read /home/juergen/x",)]})
    assert redactor.text("usb 1-1.2: A50285BI, juergen") == "usb 1-1.2: SERIAL-1, USER-1"
    assert redactor.text("juergen-laptop: usb-X_A50285BI_Y") == "USER-1-laptop: usb-X_SERIAL-1_Y"
    assert redactor.text("juergens") == "juergens"


def test_one_line_has_both_forms_of_a_serial_number() -> None:
    text = "/dev/ligretto/serial-A50285BI and usb 1-1.2: SerialNumber: A50285BI; /home/juergen/x of juergen"
    redacted = "/dev/ligretto/serial-SERIAL-1 and usb 1-1.2: SerialNumber: SERIAL-1; /home/USER-1/x of USER-1"
    assert Redactor().text(text) == redacted


def test_a_short_name_is_a_word_of_its_own() -> None:
    redactor = Redactor([Secret("HOST", "vm"), Secret("USER", "jo")])
    assert (
        redactor.text("Nov 18 10:00:00 vm ligretto[7]: jo@vm")
        == "Nov 18 10:00:00 HOST-1 ligretto[7]: USER-1@HOST-1"
    )
    assert redactor.text("kvm vmlinux join") == "kvm vmlinux join"


@pytest.mark.parametrize("name", ["", "a", "pi", "table", "Table", "user", "seat", "12345"])
def test_a_name_that_says_nothing_of_anybody_stays(name: str) -> None:
    redactor = Redactor([Secret("HOST", name), Secret("USER", name)])
    text = f"12.0001 a press on seat 3 of ligretto-table, user pi at {name}, 12345"
    assert redactor.text(text) == text
    assert redactor.text("/home/pi/table.toml") == "/home/pi/table.toml"


JOURNAL = (
    *("12.0001..12.0003 edge on seat 3 #17", "1.0 edge off call 2 #3", "1.0 edge on red 3 #1"),
    *("1.0 show pad 1 card 1 blue 7", "1.0 withdraw pile 3 unknown 04a1b2c3"),
    *("1.0 start 6,6,6,6", "1.0 pause", "1.0 resume", "1.0 void", "1.0 end", "1.0 leftover 1 3"),
    *("1.0 lost 3 2ms", "1.0 device pad-1 degraded needed seat 1 (is not plugged in)"),
    *("1.0 device left ok", "1.0 interrupted power", "1.0 interrupted service"),
)


@pytest.mark.parametrize("line", JOURNAL)
def test_no_name_of_a_machine_spoils_the_journal(line: str) -> None:
    before = parse_input(line)
    names = [Secret("HOST", word) for word in re.findall("[a-z]+", line)]
    redacted = Redactor(names).text(line)
    if "unknown" in line:
        redacted = re.sub("unknown [0-9a-f]{8}", "unknown 04a1b2c3", redacted)
    assert parse_input(redacted) == before and redacted == line


@pytest.mark.parametrize("serial", ["A1", "0001", "Thing"])
def test_what_may_stand_anywhere_is_taken_out_only_where_it_is_a_number(serial: str) -> None:
    text = f"usb-X_Y_{serial}-if00 and {serial}"
    assert Redactor().text(text) == f"usb-X_Y_SERIAL-1-if00 and {serial}"


NUMBER = st.from_regex("[A-Z]{3,6}[2-9][A-Z0-9]{2,6}", fullmatch=True)
NAME = st.text("bcdfghjklmnpqrstvwxz", min_size=7, max_size=12)
GIVEN_AWAY = st.one_of(
    st.tuples(
        NUMBER,
        st.sampled_from(
            [
                "/dev/ligretto/serial-{}",
                "open /dev/ligretto/serial-{}-01.2: gone.",
                "usb 1-1.2: SerialNumber: {}",
                "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_{}-if00-port0",
                "(serial={})",
            ]
        ),
    ),
    st.tuples(NAME, st.sampled_from(["/home/{}/table.toml", "it is in /home/{}.", "'/Users/{}'"])),
    st.tuples(st.ip_addresses(v=4).map(str).filter(lambda text: text[0] != "0"), st.just("from {} port 22")),
)
BARE = st.sampled_from(["{}", "of {}.", "a-{}-b", "x_{}", "{}@y", "[{}]"])


@given(st.lists(st.tuples(GIVEN_AWAY, BARE), min_size=1, max_size=5), st.permutations(range(10)))
def test_what_any_text_gives_away_is_in_none(
    told: list[tuple[tuple[str, str], str]], order: list[int]
) -> None:
    texts = [text for (secret, form), bare in told for text in (form.format(secret), bare.format(secret))]
    texts = [texts[n] for n in order if n < len(texts)]
    redactor = Redactor()
    redactor.learn(texts)
    redacted = [redactor.text(text) for text in texts]
    for (secret, _), _ in told:
        assert not any(secret in text for text in redacted), (secret, redacted)
    assert [redactor.text(text) for text in redacted] == redacted


PIECES = (
    *("/home/", "usb-X_", "-if00", "ligretto/serial-", "SerialNumber: ", "serial=", "tag ", "unknown "),
    *("A1B2C3", "juergen", "10.1.2.3", "fe80::1", "dc:a6:32:01:02:03", "04a1b2c3", "pi", "01", "é"),
    *(" ", "-", "_", ".", ":", "/", "@", "(", ", "),
)


@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), max_size=4))
def test_of_any_texts_nothing_is_left_that_was_found_in_one(texts: list[str]) -> None:
    redactor = Redactor()
    redactor.learn(texts)
    left = [redactor.text(text) for text in texts]
    for secret in (each for text in texts for each in found_in(text) if is_telling(each)):
        word = re.compile(rf"(?<![^\W_]){re.escape(secret.text)}(?![^\W_])")
        assert not any(word.search(text) for text in left), (secret, left)
