"""Values that come from a file become dataclasses, or it is said which of them can't be right."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest

from firmware_host.model.effects import MOST, from_record
from firmware_host.model.errors import MalformedText


class Side(StrEnum):
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True)
class Note:
    """A field of each type that a record has."""

    n: int
    side: Side
    text: str = ""
    seat: int | None = None
    scores: tuple[int, ...] = ()
    marks: frozenset[str] = frozenset()
    sure: bool = False


FULL: dict[str, Any] = {
    "n": -MOST,
    "side": Side.LEFT,
    "text": "hello",
    "seat": 3,
    "scores": (1, -2),
    "marks": frozenset(("x", "y")),
    "sure": True,
}


def test_all_fields_are_taken_over() -> None:
    assert from_record(Note, FULL) == Note(**FULL)


def test_what_has_a_default_may_be_missing() -> None:
    assert from_record(Note, {"n": 1, "side": Side.RIGHT}) == Note(1, Side.RIGHT)
    assert from_record(Note, {**FULL, "seat": None}).seat is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", True),
        ("n", 1.0),
        ("n", MOST + 1),
        ("n", -MOST - 1),
        ("n", None),
        ("side", "left"),
        ("text", 7),
        ("seat", "3"),
        ("seat", False),
        ("scores", [1, 2]),
        ("scores", (1, "2")),
        ("marks", ("x",)),
        ("marks", frozenset((1,))),
        ("sure", 1),
    ],
)
def test_a_value_of_another_type_is_named(name: str, value: object) -> None:
    with pytest.raises(MalformedText, match=f"^{name} can't be "):
        from_record(Note, {**FULL, name: value})


def test_an_unknown_field_and_a_missing_one_are_named() -> None:
    with pytest.raises(MalformedText, match="'colour' is unknown"):
        from_record(Note, {**FULL, "colour": "red"})
    with pytest.raises(MalformedText, match="side is missing"):
        from_record(Note, {"n": 1})
