"""Text scenarios: the good ones hold, the bad ones are told line by line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from firmware_host.cli.replay import BROKEN, WRONG, replay
from firmware_host.effects import Verdict
from firmware_host.places import Button
from firmware_host.scenario.reading import parse_scenario
from firmware_host.scenario.running import run_scenario
from firmware_host.scenario.statements import Expect, Input, Scenario
from firmware_host.table.phases import Phase

SCENARIOS = Path(__file__).parent / "scenarios"
FEWEST = 25


def _files(folder: str) -> list[Path]:
    return sorted((SCENARIOS / folder).glob("*.txt"))


def _stem(path: Path) -> str:
    return path.stem


def _read(path: Path) -> Scenario:
    return parse_scenario(path.read_text(encoding="utf-8-sig"), path.name)


def _in_time(scenario: Scenario) -> bool:
    """Whether every edge of it is seen as it happens."""
    return all(edge.arrival_ns == edge.t_ns for edge in scenario.statements if isinstance(edge, Input))


def _delayed(scenario: Scenario, random: Random) -> Scenario:
    """The same, with every edge delayed by anything up to its settle time."""

    def delay(edge: Input) -> Input:
        settings = scenario.settings
        most_ns = settings.button_settle_ns if isinstance(edge.source, Button) else settings.slot_settle_ns
        most_ns = max(0, most_ns - edge.wide_ns)  # a wide one may be as old as that already
        delay_ns = random.choice((0, random.randint(0, most_ns), most_ns))
        return replace(edge, arrival_ns=edge.t_ns + delay_ns, background=True)

    statements = (delay(s) if isinstance(s, Input) else s for s in scenario.statements)
    return replace(scenario, statements=tuple(statements))


def _expected(subject: str) -> set[str]:
    """All texts that the dice scenarios expect of a subject."""
    return {
        statement.wanted
        for path in _files("dice")
        for statement in _read(path).statements
        if isinstance(statement, Expect) and statement.subject == subject
    }


def _replay(path: Path) -> tuple[int, str]:
    """Exit code and everything said, with the file's name written as FILE."""
    result = CliRunner().invoke(replay, [str(path)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output.replace(str(path), "FILE")


@pytest.mark.parametrize("path", _files("dice"), ids=_stem)
def test_a_scenario_of_the_dice_game_holds(path: Path) -> None:
    code, said = _replay(path)
    assert (code, said.startswith("FILE: ok, ")) == (0, True), said


@pytest.mark.parametrize("path", [path for path in _files("dice") if _in_time(_read(path))], ids=_stem)
def test_edges_that_come_later_change_nothing(path: Path) -> None:
    scenario = _read(path)
    found = run_scenario(scenario)
    for seed in range(3):
        assert run_scenario(_delayed(scenario, Random(seed))) == found


@pytest.mark.parametrize("path", _files("dice"), ids=_stem)
def test_a_scenario_begins_with_its_title(path: Path) -> None:
    first = path.read_text(encoding="utf-8-sig").splitlines()[0]
    assert first.startswith("# ")
    assert _read(path).title == first.removeprefix("# ")


@pytest.mark.parametrize("path", _files("broken"), ids=_stem)
def test_a_broken_scenario_tells_every_fault(path: Path) -> None:
    assert _replay(path) == (BROKEN, path.with_suffix(".stderr").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", _files("failing"), ids=_stem)
def test_a_failing_scenario_tells_what_was_expected_and_found(path: Path) -> None:
    assert _replay(path) == (WRONG, path.with_suffix(".stderr").read_text(encoding="utf-8"))


def test_there_are_enough_scenarios() -> None:
    assert len(_files("dice")) >= FEWEST
    assert _files("broken")
    assert _files("failing")


def test_no_message_is_without_its_scenario() -> None:
    messages = sorted(SCENARIOS.rglob("*.stderr"))
    assert messages == [path.with_suffix(".stderr") for path in _files("broken") + _files("failing")]


def test_titles_are_told_apart() -> None:
    titles = [_read(path).title for path in _files("dice")]
    assert len(set(titles)) == len(titles)


def test_every_verdict_is_met() -> None:
    met = {wanted.split()[1] for wanted in _expected("verdict") if wanted != "none"}
    assert met == {verdict.value for verdict in Verdict}


def test_every_phase_is_met() -> None:
    assert _expected("phase") == set(Phase.__members__)


def test_a_folder_is_replayed_as_a_whole() -> None:
    result = CliRunner().invoke(replay, [str(SCENARIOS / "failing"), str(SCENARIOS / "broken")])
    assert result.exit_code == BROKEN
    for path in _files("failing") + _files("broken"):
        assert f"{path}:" in result.output
