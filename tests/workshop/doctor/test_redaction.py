"""Of a text nothing is told but what means the same on every table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.workshop.doctor.bundle import OUT, Redaction, redacted_log

SECRETS = (
    *("192.168.1.17", "10.0.0.7", "10.1.1.7", "dc:a6:32:01:02:03", "dca632010203", "12345678", "04a1b2c3"),
    *("fe80::1", "0176 1234 567", "1234, 5678, 0123", "1234", "1,234,567", "0176 and 1234", "+49, 176"),
    *("a.b-12.example", "gudrun", "anna", "/srv/zoe/x.db", "/dev/ttyUSB0 of anna", "red zoe", "seat 1234"),
    *("slots.gudrun[1]", "6.12.34-gudrun", "6.12.34-0176-1234-567", "pad-1\n1234", "hold zoe's die"),
)
USUAL = (
    *(
        "timing.lock",
        "handicap.3",
        "wiring.cards",
        "slots.red[1]",
        "3",
        "0x20",
        "seat 3",
        "red 1",
        "red dice",
    ),
    *("pad-1", "/dev/ttyUSB0", "/dev/i2c-1", "2.0.1.post3", "0.2.2.0", "8.1.7", "PN532 1.6", "cards", ""),
    *("gpio", "sysfs", "left", "de", "expert", "gpiod"),
)
MESSAGES = (
    "{}",
    "pad-1: {}",
    "{} is broken",
    "ready: {}, 4 seats",
    "round 3 is scored, totals {}",
    "{0}\n{0}",
)
NAME = st.text("bcdfghjklmnpqrstvwxzäöü", min_size=7, max_size=12)


@pytest.mark.parametrize("text", SECRETS)
def test_what_may_be_somebodys_has_a_stand_in(text: str) -> None:
    redaction = Redaction()
    assert redaction.name(text) == redaction.data({"a": [text]})["name-2"][0] == "name-1"
    assert text not in Redaction().names(f"readers: {text}, pad-2")


@pytest.mark.parametrize("text", USUAL)
def test_what_many_tables_have_stays(text: str) -> None:
    assert Redaction().name(text) == text
    assert Redaction().names(f"readers: {text}, pad-2") == f"readers: {text}, pad-2"


@given(st.sampled_from(MESSAGES), st.one_of(NAME, st.sampled_from(SECRETS)))
def test_no_message_tells_what_stands_in_its_gaps(message: str, secret: str) -> None:
    line = f"Nov 18 10:00:00 pi table[7]: firmware_host.run.daemon: {message.format(secret)}"
    assert secret not in "\n".join(list(redacted_log([line]))[:-1])


def test_a_message_without_gaps_is_told() -> None:
    lines = [f"ERROR firmware_host.run.daemon: {words}" for words in ("internal error", "internal errors")]
    assert list(redacted_log(lines))[:2] == [lines[0], f"ERROR firmware_host.run.daemon: {OUT}"]
