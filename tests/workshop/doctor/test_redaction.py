"""Of a text nothing is told but this program's own words and values that say nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.workshop.doctor.bundle import Redaction
from firmware_host.workshop.doctor.vocabulary import texts


def redacted(text: str) -> str:
    return Redaction().text(text)


MESSAGES = (
    *("{} is not in {}", "{} has {} MB, and is sound", "{} was unplugged", "{}", "pad-1: {}", "{} {}"),
    *("{} is broken ({}): kept as {}, a new file begins", "{}, in the groups {}", "'{}' holds line {}"),
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("the kernel is built with PREEMPT_DYNAMIC", "the kernel is built with PREEMPT_DYNAMIC"),
        ("answers at 0x20", "answers at 0x20"),
        ("'juergen' holds line 5 (seat 1)", "'…' holds line 5 (seat 1)"),
        ("is not plugged in (/dev/ttyUSB0)", "is not plugged in (/dev/ttyUSB0)"),
        ("is not plugged in (/dev/ttyUSB0 of anna)", "is not plugged in (/dev/ttyUSB0 of …)"),
        ("gudrun", "…"),
        ("slots.red[1] is missing; allowed: a text", "slots.red[1] is missing; allowed: a text"),
        ("store.file is 'gudrun'; allowed: a text", "store.file is '…'; allowed: a text"),
        ("slots.gudrun[1] is missing; allowed: a text", "…[1] is missing; allowed: a text"),
        ("6.12.34+rpt-rpi-v8", "6.12.34+rpt-rpi-v8"),
        ("5.15.0-91-generic", "5.15.0-91-generic"),
        ("6.12.34-gudrun reports no edges to RPi.GPIO", "6.12.34… reports no edges to RPi.GPIO"),
        ("6.12.34-0176-1234-567", "…"),
        ("", ""),
    ],
)
def test_what_is_told_of_a_text(text: str, told: str) -> None:
    assert redacted(text) == told


@pytest.mark.parametrize(
    "value",
    [
        "192.168.1.17",
        "10.0.0.7",
        "10.1.1.7",
        "dc:a6:32:01:02:03",
        "dca632010203",
        "12345678",
        "04a1b2c3",
        "fe80::1",
        "0176 1234 567",
        "1234, 5678, 0123, 4567",
        "1234, 5678",
        "1234,567,890",
        "0176 and 1234",
        "01, 76, 12, 34",
        "17, 61, 23",
        "176.123, 456.789",
        "176.123.456 and 7",
        "+49, 176",
        "a.b-12.example",
    ],
)
def test_no_address_or_serial_number_is_kept(value: str) -> None:
    for form in (
        "pad-1, as {}",
        "{}",
        "a: {}",
        "{} is not in {}",
        "'{}' holds line 5 ({})",
        "({}): {}",
        "{} came, late",
    ):
        assert value not in redacted(form.format(value, value))


@pytest.mark.parametrize(
    "value",
    [
        "timing.lock",
        "handicap.3",
        "wiring.cards",
        "5, 6, 13, 19",
        "1 and 3",
        "3",
        "0.5 ms",
        "99 %",
        "seat 3",
        "red 1, red 2",
        "pad-1",
        "/dev/ttyUSB0",
        "2.0.1.post3",
        "lgpio 0.2.2.0, click 8.1.7",
        "79,061 MB are free in",
        "cards",
    ],
)
def test_values_that_many_tables_have_stay(value: str) -> None:
    assert redacted(value) == value


@pytest.mark.parametrize(
    "secret",
    [
        "192.168.1.17",
        "0176 1234 567",
        "1234, 5678",
        "0176 and 1234",
        "dc:a6:32:01:02:03",
        "04a1b2c9",
        "/srv/zoe/x.db",
    ],
)
def test_no_message_of_all_tells_what_stands_in_its_gaps(secret: str) -> None:
    for text in texts():
        assert "\0" not in text or secret not in redacted(text.replace("\0", secret)), text


NAME = st.text("bcdfghjklmnpqrstvwxzäöü", min_size=7, max_size=12)


@settings(deadline=None)  # the sources are read once
@given(
    st.sampled_from(MESSAGES),
    st.lists(st.tuples(NAME, st.sampled_from(["{}", "a {}", "/x/{}.db", "{}=1"])), min_size=3, max_size=3),
)
def test_no_name_gets_through_any_message(message: str, names: list[tuple[str, str]]) -> None:
    text = message.format(*(form.format(name) for name, form in names))
    told = redacted(text)
    assert not any(name in told for name, _ in names)
    assert set(re.findall(r"\w+", told)) <= set(re.findall(r"\w+", text))
