"""The table of rules, and when a finding is only a warning."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wiring
from firmware_host.profile.profile import BUILD_SETTINGS, BuildChoices, BuildSetting
from firmware_host.profile.profile_reading import parse_profile
from firmware_host.workshop.electrical.built import Strength
from firmware_host.workshop.electrical.rules import RULES, judged, rule_tables
from tests.workshop.electrical.derived import derived_profile
from tests.workshop.plan.plans import SHIPPED, shipped

BOARDS = ("0010", "900092", "a02082", "902120", "c03111", "a03140", "c04170")
"""A Pi B+, a Zero, a Pi 3, a Zero 2 W, a Pi 4, a Compute Module 4 and a Pi 5."""
HEADER_END = 28


def test_each_rule_is_complete() -> None:
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    known = {field.name for field in fields(BuildChoices)}
    for rule in RULES:
        assert set(rule.rests_on) <= known, rule.name
        for words in (rule.what, rule.why, rule.right):
            assert words, rule.name
            assert words == words.strip(" ."), rule.name


def test_the_tables_of_the_page_have_a_row_for_each_rule() -> None:
    assert len([line for line in rule_tables() if line.startswith("| ")]) == len(RULES) + 2


def test_what_nobody_chose_is_assumed_and_only_a_warning() -> None:
    assumed = judged(derived_profile('base = "dice4"\n[gpio]\npull = "floating"'))
    stated = judged(
        derived_profile('base = "dice4"\n[gpio]\npull = "floating"\n[build]\ncontact-pull-up-ohm = 0')
    )
    assert [(each.strength, each.assumed) for each in assumed] == [
        (Strength.WARNING, ("build.contact-pull-up-ohm",))
    ]
    assert [(each.strength, each.assumed) for each in stated] == [(Strength.ERROR, ())]


def test_a_part_of_a_section_is_a_choice_too() -> None:
    (found,) = judged(derived_profile('base = "dice4"\n[build.pull-ups]\nleft = 500'))
    assert (found.strength, found.assumed) == (Strength.ERROR, ())


def test_errors_come_first() -> None:
    found = judged(derived_profile('base = "dice4"\n[build]\nhall = "drv5032-20"\nhall-volts = 5.0'))
    assert [each.strength for each in found] == [Strength.ERROR, Strength.WARNING]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_profile_that_chooses_nothing_has_no_errors(name: str) -> None:
    text = wiring.profile_file(name).read_text(encoding="utf-8")
    assert parse_profile(text, name).build == shipped(name).build
    bare = derived_profile(f'base = "{name}"\nwithout = ["build"]')
    assert not [finding for finding in judged(bare) if finding.strength is Strength.ERROR]


def _values(setting: BuildSetting) -> st.SearchStrategy[Any]:
    if setting.words or setting.numbers:
        return st.sampled_from(setting.words or setting.numbers)
    if not setting.span:
        return st.booleans()
    least, most = setting.span
    usual = getattr(BuildChoices(), setting.field)
    return st.integers(int(least), int(most)) if isinstance(usual, int) else st.floats(least, most)


@st.composite
def choices(draw: st.DrawFn) -> dict[str, Any]:
    """Some choices of [build], as a file may have them."""
    keys = draw(st.lists(st.sampled_from(sorted(BUILD_SETTINGS)), unique=True, max_size=8))
    return {BUILD_SETTINGS[key].field: draw(_values(BUILD_SETTINGS[key])) for key in keys}


@given(st.sampled_from(SHIPPED), choices(), st.sampled_from(BOARDS))
def test_any_choices_can_be_judged(name: str, chosen: dict[str, Any], board: str) -> None:
    profile = shipped(name, given=frozenset(chosen), **chosen)
    if max(profile.direct_lines) < HEADER_END:
        profile = replace(profile, board=board)
    for finding in judged(profile):
        assert finding.where.split(".")[0] in (*tomllib.loads(_text(name)), "build")
        assert finding.assumed == () or not set(finding.rule.rests_on) & set(chosen)


def _text(name: str) -> str:
    return wiring.profile_file(name).read_text(encoding="utf-8")
