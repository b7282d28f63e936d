"""Nothing that a terminal obeys is left in a visible text."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.plain_text import visible


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
