"""What is made of the rows of the keys: the example, a profile to begin with, and the present settings."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.model.settings import TIMINGS
from firmware_host.profile.keys import (
    example_profile,
    example_table,
    format_table,
    quoted,
)
from firmware_host.profile.profile_reading import parse_profile
from tests.profile.profiles import DICE4, changed
from tests.profile.shelf import loaded
from tests.profile.test_table_reading import FULL

EXAMPLE = example_table(wiring.profile_names())
SUGGESTIONS = [line for line in EXAMPLE.splitlines() if re.match(r"# [a-z-]+ = ", line)]


def test_it_is_right_and_changes_nothing() -> None:
    assert loaded(EXAMPLE).config == loaded('wiring = "dice4"').config


@pytest.mark.parametrize("line", SUGGESTIONS)
def test_every_suggestion_can_be_taken(line: str) -> None:
    text = EXAMPLE.replace(line, line.removeprefix("# "), 1)
    if line.startswith("# wiring"):
        text = text.replace('\nwiring = "dice4"\n', "\n")
        for needed in ("# game", "# tags"):
            text = text.replace(needed, needed.removeprefix("# "))
    loaded(text)


def test_all_suggestions_can_be_taken_at_once() -> None:
    text = EXAMPLE
    for line in SUGGESTIONS:
        if not line.startswith("# wiring"):
            text = text.replace(line, line.removeprefix("# "), 1)
    assert loaded(text).config.event == "Summer party"


# -- a profile to begin with

BUILT = """
[build]
hall = "us5881"
supply-amps = 2.5
level-shifter = false
overlays = ["uart3", "disable-bt"]

[build.board]
margin-mm = 120

[build.places]
"red 1" = [10, 20]

[build.cables]
"row red" = 700

[build.pull-ups]
rows = 0
"""


def example(text: str) -> str:
    return example_profile(text, parse_profile(text, "own.toml"))


@pytest.mark.parametrize(
    "text", [DICE4, DICE4 + BUILT, changed(DICE4, "[scoreboard]", BUILT + "\n[scoreboard]")]
)
def test_the_new_profile_means_the_same(text: str) -> None:
    old, new = parse_profile(text, "own.toml"), parse_profile(example(text), "own.toml")
    assert (new, new.build) == (old, old.build)


def test_what_is_stated_is_written_and_defaults_are_comments() -> None:
    lines = [line.partition(" #")[0].strip() for line in example(DICE4 + BUILT).splitlines()]
    for stated in BUILT.split("\n"):
        assert stated in lines or not stated, stated
    defaults = example(DICE4).splitlines()
    assert any(line.startswith('# hall = "a3144" ') for line in defaults)
    assert any(line.startswith('# overlays = ["disable-bt"] ') for line in defaults)
    assert '# "seat 1" = 900' in defaults
    assert any(line.startswith("# level-shifter = true ") for line in defaults)


def test_a_copy_of_a_copy_is_the_same() -> None:
    once = example(DICE4 + BUILT)
    assert example(once) == once


# -- a configuration as text, there and back

TAGS = 'tags = "tags.csv"'
WIRINGS = st.sampled_from([
    'wiring = "dice4"', f'wiring = "cards4"\n{TAGS}', 'wiring = "own.toml"',
    f'wiring = {{ cards = "cards4", dice = "dice4-rfid" }}\ngame = "dice"\n{TAGS}',
])  # fmt: skip
TOP = [
    "rounds = 7",
    "handicap = [1, 0, 2]",
    "extra = [0, 2]",
    "seats = [1, 3]",
    "brightness = 0",
    'language = "fr"',
    TAGS,
]
BELOW = [
    '[timing]\nlock = "1500ms"\nclear = "5min"', '[ports]\nscoreboard = "/dev/ttyS0"',
    '[sound]\ncard = "none"\nvolume = 0', '[store]\nsync = "verdicts"',
    '[store]\nfile = "x.db"\nkeep-rounds = 9',
]  # fmt: skip


@given(
    WIRINGS,
    st.sets(st.sampled_from(TOP)),
    st.sets(st.sampled_from(BELOW), max_size=3),
    st.text(st.characters(exclude_categories=["C", "Z"]), max_size=60),
)
def test_what_is_printed_reads_back(wiring: str, top: set[str], below: set[str], event: str) -> None:
    wanted = [wiring, *(line for line in top if line not in wiring), f"event = {quoted(event)}"]
    sections = {section.partition("\n")[0]: section for section in below}
    config = loaded("\n".join([*wanted, *sections.values()])).config
    again = loaded(format_table(config)).config
    assert again == config
    assert format_table(again) == format_table(config)


def test_everything_reads_back() -> None:
    config = loaded(FULL).config
    assert loaded(format_table(config)).config == config


def test_all_settings_are_there_whether_written_or_not() -> None:
    text = format_table(loaded('wiring = "cards4"\ntags = "tags.csv"').config)
    data = tomllib.loads(text)
    assert tuple(data["timing"]) == tuple(TIMINGS)
    assert data["seats"] == [1, 2, 3, 4]
    assert (data["game"], data["language"], data["event"]) == ("cards", "en", "")
    assert data["store"] == {
        "file": "/var/lib/ligretto-table/table.db", "sync": "rounds", "keep-rounds": 200,
    }  # fmt: skip
    assert "# rounds: 4 with cards\n" in text
    assert "# brightness: piles-1 has 12, piles-2 has 12\n" in text
    assert '# pad-3 = "/dev/ttyUSB3"  # cards4\n' in text


def test_a_table_of_wood_says_what_it_has_not() -> None:
    text = format_table(replace(loaded('wiring = "dice4-direct"').config, file="x.toml"))
    assert text.startswith("# All settings of x.toml\n")
    assert "# rounds: 3 for each who plays with dice\n" in text
    assert "# brightness: no LED chips\n" in text
    assert "# tags: none\n" in text
    assert "scoreboard" not in text


@pytest.mark.parametrize("text", ["", 'say "hi"', "back\\slash", "tab\t", "\x7f", "ß €"])
def test_texts_are_quoted_as_toml_wants_it(text: str) -> None:
    assert tomllib.loads(f"text = {quoted(text)}") == {"text": text}
