"""Every column of both lines is filled once with each pattern."""

from __future__ import annotations

import pytest

from firmware_host.model.phrases import Phrase
from firmware_host.service.checks import PATTERNS
from tests.service.operator import CARDS, Operator


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_patterns_fill_one_line_after_the_other(columns: int) -> None:
    operator = Operator(CARDS, columns)
    operator.go(Phrase.TESTS, Phrase.SCOREBOARD)
    hint = "1:next hold 1:back"
    patterns = [(pattern * 80)[:columns] for pattern in PATTERNS]
    seen = []
    for _ in range(2 * len(PATTERNS)):
        seen.append(operator.panel.lines(columns))
        operator.tap(1)
    assert seen == [*((pattern, hint) for pattern in patterns), *((hint, pattern) for pattern in patterns)]
    assert operator.panel.lines(columns) == seen[0]


def test_the_first_pattern_numbers_the_columns(operator: Operator) -> None:
    operator.go(Phrase.TESTS, Phrase.SCOREBOARD)
    assert operator.above == "12345678901234567890"
