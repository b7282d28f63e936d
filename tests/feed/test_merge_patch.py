"""A patch leads from one state to the other; by the examples and rules of RFC 7396."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.feed.known_state import merge_patch, patched

VALUES = st.recursive(
    st.booleans()
    | st.integers(0, 3)
    | st.sampled_from(["", "red"])
    | st.lists(st.integers(0, 2), max_size=2),
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)
STATES = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)


@given(STATES, STATES)
def test_a_patch_leads_from_one_state_to_the_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    assert patched(before, merge_patch(before, after)) == after


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"a": 1}, {"a": 1}, {}),
        ({"a": 1}, {"a": 2}, {"a": 2}),
        ({"a": 1}, {"a": 1, "b": 2}, {"b": 2}),
        ({"a": 1, "b": 2}, {"b": 2}, {"a": None}),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, {"a": {"c": 3}}),
        ({"a": {"b": 1}}, {"a": [1]}, {"a": [1]}),
        ({"a": [1]}, {"a": {"b": 1}}, {"a": {"b": 1}}),
    ],
)
def test_only_what_differs_is_in_it(before: dict[str, Any], after: dict[str, Any], patch: object) -> None:
    assert merge_patch(before, after) == patch
    assert patched(before, merge_patch(before, after)) == after


def test_a_patch_may_name_what_is_not_there() -> None:
    assert patched({"a": 1}, {"b": None}) == {"a": 1}
    assert patched({"a": [1]}, {"a": {"b": {"c": 1, "d": None}}}) == {"a": {"b": {"c": 1}}}


def test_the_state_before_stays_as_it_is() -> None:
    before = {"a": {"b": 1}, "c": 2}
    patched(before, {"a": {"b": 2}, "c": None})
    assert before == {"a": {"b": 1}, "c": 2}
