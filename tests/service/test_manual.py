"""The manual of service mode names every page as the scoreboard does."""

from pathlib import Path

import pytest

from firmware_host.model.phrases import Phrase
from firmware_host.model.times import S
from firmware_host.service.panel import ALONE_NS, COMBINATION_NS, CONFIRM_NS, HOLD_NS
from tests.service.operator import DICE, Operator

MANUAL = (Path(__file__).parents[2] / "docs" / "service.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [(), (Phrase.TESTS,), (Phrase.SETTINGS,)])
def test_every_entry_is_in_the_map(path: tuple[Phrase, ...]) -> None:
    operator = Operator(DICE)
    operator.go(*path)
    menu_map = MANUAL.split("```")[1]
    for title in operator.ring():
        name = title.split(":")[0]
        assert f"─ {name}" in menu_map or f"\n{name}" in menu_map


def test_the_hints_and_times_are_those_of_the_panel() -> None:
    operator = Operator(DICE)
    operator.go(Phrase.TESTS)
    assert all(f"`{hint}`" in MANUAL for hint in operator.said(line=1))
    assert (COMBINATION_NS, HOLD_NS, CONFIRM_NS, ALONE_NS) == (3 * S, 1 * S, 2 * S, 60 * S)
    for words in ("three seconds", "a second: back", "two seconds: yes", "for a minute"):
        assert words in MANUAL
