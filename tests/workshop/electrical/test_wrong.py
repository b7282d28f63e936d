"""Profiles that are electrically wrong: each file begins with all that is said about it.

Lines that begin with `#:` are what is printed, or the faults that reading finds before anybody asks about
electricity. The rest is what the profile has in place of what a shipped one has.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import wiring
from firmware_host.model.errors import BadSettings
from firmware_host.workshop.electrical.rules import RULES, judged
from tests.workshop.electrical.derived import derived_profile
from tests.workshop.plan.plans import shipped

WRONG = Path(__file__).parent / "wrong"
CASES = sorted(WRONG.glob("*.toml"))
FOUND_BY_READING = [case for case in CASES if case.stem.startswith("read-")]
FOUND_BY_SENSE = [case for case in CASES if case not in FOUND_BY_READING]
FEWEST, LONGEST = 40, 12


def words_of(case: Path) -> list[str]:
    """What its first lines ask for."""
    lines = case.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("#: ") for line in lines if line.startswith("#:")]


def without_lines(fault: str) -> str:
    """A fault without the line of the derived profile where it is."""
    return re.sub(r" in line [0-9]+", "", re.sub(r"^derived\.toml:[0-9]+: ", "", fault))


@pytest.mark.parametrize("case", FOUND_BY_SENSE, ids=lambda case: case.stem)
def test_it_gets_exactly_its_findings(case: Path) -> None:
    findings = judged(derived_profile(case.read_text(encoding="utf-8")))
    assert [line for finding in findings for line in finding.lines] == words_of(case)


@pytest.mark.parametrize("case", FOUND_BY_READING, ids=lambda case: case.stem)
def test_what_reading_finds_is_found_by_nobody_else(case: Path) -> None:
    with pytest.raises(BadSettings) as error:
        derived_profile(case.read_text(encoding="utf-8"))
    assert list(map(without_lines, error.value.faults)) == words_of(case)


def test_each_rule_has_a_profile_that_breaks_it() -> None:
    findings = [judged(derived_profile(case.read_text(encoding="utf-8"))) for case in FOUND_BY_SENSE]
    assert {finding.rule.name for found in findings for finding in found} == {rule.name for rule in RULES}


def test_there_are_enough_of_them_and_each_is_small() -> None:
    assert len(FOUND_BY_SENSE) >= FEWEST
    for case in CASES:
        lines = case.read_text(encoding="utf-8").splitlines()
        assert sum(bool(line) and not line.startswith("#:") for line in lines) <= LONGEST, case.name


@pytest.mark.parametrize("name", wiring.profile_names())
def test_nothing_is_wrong_with_the_profiles_that_ship(name: str) -> None:
    assert judged(shipped(name)) == ()
