"""Whatever stands in a file, it is read or refused with reasons: each in one line, with its place."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.model.errors import BadSettings
from firmware_host.profile.keys import KEY_NAMES, PROFILE_NAMES, TABLE_NAMES
from firmware_host.profile.profile_reading import parse_profile
from tests.profile.shelf import loaded

Value = object
WORDS = [
    "dice",
    "cards",
    "left A0",
    "rows 0 1 2",
    "gpio 5",
    "2s",
    "/dev/x",
    "dice4",
    "cards4",
    "own.toml",
    "",
    "x\ny",
]
ANY_NAMES = sorted(KEY_NAMES | {
    "left", "rows", "pad-1", "lock", "hold", "stuck", "file", "sync", "scoreboard", "x", "a b", "é\n",
})  # fmt: skip


def values(names: list[str]) -> st.SearchStrategy[Value]:
    plain = st.sampled_from(WORDS) | st.integers(-2, 60) | st.booleans() | st.floats(allow_nan=False)
    return st.recursive(
        plain,
        lambda inner: (
            st.lists(inner, max_size=7) | st.dictionaries(st.sampled_from(names), inner, max_size=7)
        ),
        max_leaves=20,
    )


def toml(value: Value) -> str:
    """A value as TOML, in one line."""
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{json.dumps(name)} = {toml(each)}' for name, each in value.items())} }}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, str) else repr(value)


def check_faults(faults: list[str], name: str, lines: int) -> None:
    for fault in faults:
        match = re.fullmatch(r"([^\n]+?):([0-9]+): [^\n]+", fault)
        assert match and len(fault.splitlines()) == 1
        assert match[1] != name or 1 <= int(match[2]) <= max(lines, 1)
    assert len(set(faults)) == len(faults)


def documents(top: list[str]) -> st.SearchStrategy[dict[str, Value]]:
    names = st.sampled_from(top) | st.sampled_from(ANY_NAMES)
    return st.dictionaries(names, values(ANY_NAMES), max_size=9)


@given(documents(list(TABLE_NAMES)))
def test_any_table_is_read_or_refused(document: dict[str, Value]) -> None:
    text = "".join(f"{json.dumps(name)} = {toml(value)}\n" for name, value in document.items())
    faults: list[str] = []
    try:
        loaded(text)
    except BadSettings as refusal:
        faults = refusal.faults
    check_faults(faults, "/t/table.toml", len(document))


@given(documents(list(PROFILE_NAMES)))
def test_any_profile_is_read_or_refused(document: dict[str, Value]) -> None:
    text = "".join(f"{json.dumps(name)} = {toml(value)}\n" for name, value in document.items())
    with pytest.raises(BadSettings) as error:
        parse_profile(text, "profile.toml")
    check_faults(error.value.faults, "profile.toml", len(document))
