"""Whatever becomes of a file, it is read or refused: in a few messages, and without endless work."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.model.errors import MOST_FAULTS, BadSettings
from firmware_host.profile.keys import example_table
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.profile.tags import Registry, format_registry, parse_registry
from tests.mutations import mutated
from tests.profile.shelf import loaded

EXAMPLE = re.sub(r"(?m)^# (?=[a-z-]+ = )", "", example_table(wiring.profile_names()))
PROFILES = [wiring.profile_file(name).read_text(encoding="utf-8") for name in wiring.profile_names()]
TAGS = format_registry(Registry.for_cards(2))
PIECES = [
    "", "\n", "=", ".", "[", "]", "[[", "{", "}", ",", '"', "'", '"""', "#", "\\", "\0", "\x7f", "\ufeff",
    "é", "\r", "-1", "0x", "1e999", "nan", "2026-13-01", "true", "/dev/zero", "99ns", "lock", "[timing]\n",
    "wiring = ",
]  # fmt: skip
LONGEST_FAULT = 1000


def check(read: Callable[[], object]) -> None:
    """It is read, or refused in a few messages that a screen can show."""
    try:
        read()
    except BadSettings as refusal:
        faults = refusal.faults
    else:
        faults = []
    assert len(faults) <= 2 * (MOST_FAULTS + 1)
    for fault in faults:
        assert re.fullmatch(r"[^\n]+?:([1-9][0-9]*:)? [^\n]+", fault)
        assert len(fault) < LONGEST_FAULT


@given(mutated(EXAMPLE, PIECES))
def test_a_mutated_table_is_read_or_refused(text: str) -> None:
    check(lambda: loaded(text))


@pytest.mark.parametrize("number", range(len(PROFILES)))
@given(data=st.data())
def test_a_mutated_profile_is_read_or_refused(number: int, data: st.DataObject) -> None:
    text = data.draw(mutated(PROFILES[number], PIECES))
    check(lambda: parse_profile(text, "own.toml"))


@given(mutated(TAGS, PIECES))
def test_a_mutated_registry_is_read_or_refused(text: str) -> None:
    check(lambda: parse_registry(text, "tags.csv"))


def test_thousands_of_unknown_keys_are_a_few_messages() -> None:
    with pytest.raises(BadSettings) as error:
        loaded('wiring = "dice4"\n' + "".join(f"key-{number} = 1\n" for number in range(2000)))
    assert len(error.value.faults) == MOST_FAULTS + 1
    assert error.value.faults[0].startswith("/t/table.toml:2: key-0 is unknown; allowed: brightness, ")
    assert error.value.faults[-1] == "/t/table.toml:32: 1970 more faults from here on are not shown"
