"""A configuration as text, there and back."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.settings import TIMINGS
from firmware_host.profile.keys import format_table, quoted
from tests.profile.shelf import loaded
from tests.profile.test_table_reading import FULL

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
