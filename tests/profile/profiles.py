"""The texts of profiles that ship, changed here and there, and what is said of them."""

from __future__ import annotations

import pytest

import wiring
from firmware_host.model.errors import BadSettings
from firmware_host.profile.profile_reading import parse_profile

SHIPPED = {name: wiring.profile_file(name).read_text(encoding="utf-8") for name in wiring.profile_names()}
DICE4, DIRECT, RFID = SHIPPED["dice4"], SHIPPED["dice4-direct"], SHIPPED["dice4-rfid"]
CARDS4, CARDS12 = SHIPPED["cards4"], SHIPPED["cards12"]
BREADBOARD, PILES = SHIPPED["cards2"], SHIPPED["cards2-piles"]


def faults_of(text: str) -> list[str]:
    """The faults of a profile, each with its line."""
    with pytest.raises(BadSettings) as error:
        parse_profile(text, "own.toml")
    return [fault.removeprefix("own.toml:") for fault in error.value.faults]


def changed(text: str, before: str, after: str) -> str:
    """The text with the first of these pieces replaced."""
    assert before in text
    return text.replace(before, after, 1)


def without(text: str, *lines: str) -> str:
    """The text without the lines that begin so."""
    for line in lines:
        assert any(each.startswith(line) for each in text.splitlines())
    return "\n".join(each for each in text.splitlines() if not each.startswith(lines))
