"""Texts in which everything can be seen: for a terminal, as a name, and in the faults of a file."""

from __future__ import annotations

import json
import tomllib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.errors import MalformedText
from firmware_host.model.plain_text import (
    LONGEST_NAME,
    both,
    checked_name,
    clean,
    either,
    in_a_line,
    meant,
    name_key,
    nearest,
    only_near,
    shown,
    visible,
)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain, äöü ▲ 日本", "plain, äöü ▲ 日本"),
        ("two\nlines\tand tabs", "two\nlines\tand tabs"),
        ("\x1b[2J", "\\u001b[2J"),
        ("\x9b2J\x7f\r", "\\u009b2J\\u007f\\u000d"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("caf\udce9", "caf\\udce9"),
    ],
)
def test_what_is_seen(text: str, seen: str) -> None:
    assert visible(text) == seen


@given(st.text(st.characters(exclude_categories=())))
def test_no_text_steers_a_terminal(text: str) -> None:
    left = visible(text).replace("\n", "").replace("\t", "")
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in left)
    assert not any(
        unicodedata.bidirectional(letter) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        for letter in left
    )


@given(st.dictionaries(st.text(), st.text() | st.integers()))
def test_json_says_the_same_as_before(data: dict[str, str | int]) -> None:
    assert json.loads(visible(json.dumps(data, ensure_ascii=False, indent=1))) == data


# -- names of players


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


# -- how faults show what was found


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("true", "true"),
        ("5", "5"),
        ("16.0", "16.0"),
        ("'x'", "'x'"),
        ("'''x\ny'''", "'x\\ny'"),
        ("{ a = 1 }", "a section"),
        ("[1, 'x', true]", "[1, 'x', true]"),
        ("[[1, 2], []]", "[[1, 2], []]"),
        (f"[{'1, ' * 30}]", "a list of 30"),
        ("2026-11-18", "2026-11-18"),
        (f"'{'x' * 100}'", f"'{'x' * 57}...'"),
    ],
)
def test_a_value_is_shown_as_the_file_has_it(written: str, seen: str) -> None:
    assert shown(tomllib.loads(f"value = {written}")["value"]) == seen


def test_nothing_begins_another_line() -> None:
    assert in_a_line("a\nb\r\x1b[0m\u2028") == "a\\nb\\r\\x1b[0m\\u2028"
    assert clean("\n" + "x" * 100) == "\\n" + "x" * 56 + "..."


def test_choices_read_as_people_say_them() -> None:
    assert (either(["a"]), either(["a", "b"]), either(["a", "b", "c"])) == ("a", "a or b", "a, b or c")
    assert both(["a", "b", "c"]) == "a, b and c"


def test_the_nearest_name_is_found_whatever_its_case() -> None:
    assert nearest(" Verdict", ["rounds", "verdicts"]) == "verdicts"
    assert nearest("zzz", ["rounds"]) is None
    assert nearest(5, ["5"]) is None
    assert only_near("lft", ["left", "right"]) == "left"
    assert only_near("piles-x", ["piles-1", "piles-2"]) is None
    assert (meant("left"), meant(None)) == ("; did you mean 'left'?", "")
