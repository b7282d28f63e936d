"""The profile to begin with, and the tables of all keys."""

from __future__ import annotations

import pytest

import wiring
from firmware_host.profile.keys import PROFILE_KEYS, build_table, example_profile, key_table
from firmware_host.profile.profile import BOARD_SETTINGS, BUILD_SETTINGS
from firmware_host.profile.profile_reading import parse_profile

DICE4 = wiring.profile_file("dice4").read_text(encoding="utf-8")
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


@pytest.mark.parametrize("text", [DICE4, DICE4 + BUILT])
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


def test_the_tables_have_a_row_for_each_key() -> None:
    assert len(list(key_table())) == 2 + len(PROFILE_KEYS)
    rows = list(build_table())
    assert len(rows) == 2 + len(BUILD_SETTINGS) + len(BOARD_SETTINGS)
    assert (
        "| `[build]` | `level-shifter` | `true` | true or false | "
        "whether there is one between the Pi and the LED chips |" in rows
    )
    assert rows[-5].startswith("| `[build.board]` | `pitch-mm` | `45` | 15 to 500 | from one place")
