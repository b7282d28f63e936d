"""A whole profile becomes plain data that JSON can take, with places as people write them."""

from __future__ import annotations

import json

from firmware_host.model.places import Button, Colour, Pad
from firmware_host.workshop.doctor.findings import plain
from tests.workshop.doctor.profiles import CARDS, DICE, DIRECT, TAGGED


def test_profiles_can_be_written_down() -> None:
    for profile in (CARDS, DICE, DIRECT, TAGGED):
        data = json.loads(json.dumps(plain(profile)))
        assert data["title"] == profile.title
        assert list(data["lines"].values()) == [str(source) for source in profile.lines.values()]
        assert [reader["at"] for reader in data["readers"]] == [str(reader.at) for reader in profile.readers]


def test_what_is_plain_stays() -> None:
    value = {Button(1): [Pad(2), Colour.RED, None, 1.5], "set": frozenset({3, 1, 2}), "pair": (1, "x")}
    assert plain(value) == {"seat 1": ["pad 2", "red", None, 1.5], "set": [1, 2, 3], "pair": [1, "x"]}


def test_a_class_is_no_value_of_its_own() -> None:
    kind = type(DICE)
    assert plain(kind) is kind
