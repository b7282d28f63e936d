"""Names of players: one short line in which everything can be seen."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.errors import MalformedText
from firmware_host.model.plain_text import LONGEST_NAME, checked_name, name_key


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Anna", "Anna"),
        ("  Anna   Maria \n", "Anna Maria"),
        ("Zoe\u0308", "Zoë"),
        ("D'Arcy", "D'Arcy"),
        ("🦊", "🦊"),
        ("I ❤\ufe0f it", "I ❤ it"),
        ("नेहा", "नेहा"),
        ("Player 1", "Player 1"),
        ("x" * LONGEST_NAME, "x" * LONGEST_NAME),
    ],
)
def test_a_name_is_kept_as_people_see_it(text: str, name: str) -> None:
    assert checked_name(text) == name


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the name is missing"),
        (" \u00a0\t", "the name is missing"),
        ("\ufe0f", "the name is missing"),
        ("x" * (LONGEST_NAME + 1), "up to 20 letters, and this one has 21"),
        ("An\u200bna", "can be seen"),
        ("\u202eannA", "can be seen"),
        ("An\x1b[31mna", "can be seen"),
        ("\u3164", "can be seen"),
        ("A\u0301\u0302\u0303\u0304", "can be seen"),
        ("\u0301Anna", "can be seen"),
        ("An\ud800na", "can be seen"),
        ("42", "more than a number"),
        ("٤٢", "more than a number"),
    ],
)
def test_anything_else_is_refused(text: str, why: str) -> None:
    with pytest.raises(MalformedText, match=why):
        checked_name(text)


@pytest.mark.parametrize(
    ("one", "other"), [("Anna", "ANNA"), ("Zoë", "zoë"), ("Straße", "STRASSE"), ("Ａda", "ada")]
)
def test_names_that_people_take_for_the_same_are_the_same(one: str, other: str) -> None:
    assert name_key(checked_name(one)) == name_key(checked_name(other))


def test_other_names_are_not_the_same() -> None:
    assert name_key("Anna") != name_key("Ana")


@given(st.text(max_size=30))
def test_whatever_is_kept_is_one_line_and_stays_as_it_is(text: str) -> None:
    try:
        name = checked_name(text)
    except MalformedText:
        return
    assert name.isprintable() and 0 < len(name) <= LONGEST_NAME and name == name.strip()
    assert unicodedata.is_normalized("NFC", name)
    assert checked_name(name) == name
