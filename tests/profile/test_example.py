"""The example to begin with: right as it stands, and with any of its suggestions taken."""

from __future__ import annotations

import re

import pytest

import wiring
from firmware_host.profile.keys import TABLE_NAMES, TABLE_SECTIONS, example_table
from tests.profile.shelf import loaded

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


def test_it_shows_everything_that_can_be_set() -> None:
    shown = re.findall(r"(?m)^(?:# )?([a-z-]+) = ", EXAMPLE) + re.findall(r"(?m)^\[([a-z]+)\]", EXAMPLE)
    wanted = {
        *TABLE_NAMES,
        *TABLE_SECTIONS["timing"],
        *TABLE_SECTIONS["sound"],
        *TABLE_SECTIONS["store"],
        "scoreboard",
    }
    assert set(shown) == wanted
    assert sorted(shown) == sorted([*wanted, "wiring"])


def test_it_fits_a_terminal() -> None:
    assert max(map(len, EXAMPLE.splitlines())) <= 120
