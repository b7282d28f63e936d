"""A small share of `make fuzz`; and that it finds what is wrong, and tells it as a scenario."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from firmware_host.games.dice import dice_phases
from firmware_host.games.dice.records import Records
from firmware_host.lab.scenarios.reading import parse_scenario
from firmware_host.lab.scenarios.running import run_scenario
from firmware_host.model.errors import IllegalMove
from tests.fuzz.__main__ import main
from tests.fuzz.cases import KINDS
from tests.fuzz.fuzzing import fuzz

COLUMNS = ["inputs", "sequences", "verdicts", "share", "rounds", "matches", "exceptions"]


@pytest.mark.parametrize("kind", KINDS)
def test_whatever_comes_in_nothing_raises(kind: str) -> None:
    tally = fuzz(kind, seed=1, inputs=600)
    assert [found.text for found in tally.found] == []
    assert tally.judged > 5
    assert {"PLAY", "SETTLE", "CLEAR"} <= tally.phases.keys()


def test_the_same_seed_makes_the_same_inputs() -> None:
    assert fuzz("dice", seed=3, inputs=200) == fuzz("dice", seed=3, inputs=200)


def test_an_exception_is_found_and_told_as_a_short_scenario(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(records: Records, seat: int) -> bool:
        raise IllegalMove("nobody may claim a die")

    monkeypatch.setattr(Records, "claim", refuse)
    found = fuzz("dice", seed=1, inputs=100, shrink_s=1).found[0]
    assert found.failure.message == "nobody may claim a die"
    scenario = parse_scenario(found.text, "found.txt")
    assert len(scenario.statements) < 10
    with pytest.raises(IllegalMove, match="nobody may claim a die"):
        run_scenario(scenario)


def test_scores_that_do_not_add_up_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice_phases, "dice_scores", lambda left, finisher: (1, 0, 0, 0))
    found = fuzz("dice", seed=1, inputs=500, shrink_s=0).found[0]
    assert found.failure.where == "scores are impossible"


def test_what_came_of_it_is_told() -> None:
    asked = ["--inputs", "100", "--kind", "dice", "--kind", "cards2-piles", "--workers", "1"]
    good = CliRunner().invoke(main, asked)
    assert good.exit_code == 0
    head, dice, cards, _ = good.output.splitlines()
    assert head.split() == ["seed", "1", *COLUMNS]
    assert dice.startswith("dice ") and dice.endswith(" 0") and cards.startswith("cards2-piles ")
