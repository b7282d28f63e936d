"""Many matches: the sums, the picture, and that neither depends on how they were computed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import run

SHORT = ["--rounds", "1", "--seed", "5"]


def simulated(*arguments: str) -> dict[str, Any]:
    result = run("simulate", "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    facts: dict[str, Any] = json.loads(result.stdout)
    return facts


def test_the_sums_do_not_depend_on_the_number_of_processes() -> None:
    one = simulated("--matches", "12", "--workers", "1", *SHORT)
    assert one == simulated("--matches", "12", "--workers", "3", *SHORT)


def test_the_sums_add_up() -> None:
    facts = simulated("--matches", "6", "--seats", "3", *SHORT)
    seats = facts["seats"].values()
    assert facts["matches"] == facts["rounds"] == sum(seat["rounds_finished_first"] for seat in seats) == 6
    assert abs(sum(seat["mean_score"] for seat in seats)) < 0.01
    assert sum(seat["wins"] for seat in seats) >= 6
    assert facts["verdicts"]["accepted"] > 6 * 8
    assert facts["round_seconds"]["min"] <= facts["round_seconds"]["p50"] <= facts["round_seconds"]["max"]


def test_the_truth_is_a_share_of_each() -> None:
    truth = simulated("--matches", "4", "--skill", "novice", *SHORT)["truth"]
    shares = ("points_wrong", "wrong_winner", "stop_taken_back", "corrected", "locked", "play_share")
    assert all(0 <= truth[share] <= 1 for share in shares)
    assert truth["play_share"] > 0.3
    assert sum(truth["causes"].values()) == truth["points_wrong"] * 4


def test_wrong_rounds_are_explained() -> None:
    nervous = ["--matches", "6", "--skill", "novice", "--rate", "twice=0.9", "--rate", "early=0.5"]
    output = run("simulate", "--explain", "1", *nervous, "--rounds", "1", "--seed", "7").stdout
    assert "rounds whose points fit no reading of the sheets" in output
    story = output.split("demo --seed ", 1)[1]
    assert story.startswith("70000") and "demo --seed" not in story
    for part in ("finisher by the sheets", "left: sheets", "hand   seat", "table  seat"):
        assert part in story


def test_better_players_win_more() -> None:
    skills = ("--skill", "expert,novice", "--seats", "2")
    facts = simulated("--matches", "15", *skills, "--rounds", "1", "--seed", "1")
    assert facts["seats"]["1"]["wins"] > facts["seats"]["2"]["wins"]


def test_seats_that_differ_are_not_compared() -> None:
    skills = ("--skill", "expert,novice", "--seats", "2")
    told = run("simulate", "--matches", "2", *skills, "--rounds", "1", "--seed", "1").stdout
    assert "seats differ in skill or dice" in told


def test_two_seeds_share_no_match() -> None:
    one, other = (run("simulate", "--matches", "1", "--rounds", "1", "--seed", s).stdout for s in "12")
    assert one.split("\n", 1)[1] != other.split("\n", 1)[1]


def test_devices_that_misbehave_are_no_obstacle() -> None:
    wrong = ["--bounce", "all", "--noise", "all", "--late", "all"]
    assert simulated("--matches", "2", *wrong, *SHORT)["late_signals"] == 0


def test_the_text_says_what_was_played() -> None:
    output = run("simulate", "--matches", "3", *SHORT).stdout
    assert output.startswith("3 matches of dice, 3 rounds, ")
    assert "seats are even" in output


@pytest.mark.parametrize(("name", "start"), [("p.svg", b"<?xml"), ("p.png", b"\x89PNG")])
def test_the_plot_is_drawn(tmp_path: Path, name: str, start: bytes) -> None:
    path = tmp_path / name
    assert run("simulate", "--matches", "2", "--plot", str(path), *SHORT).exit_code == 0
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("p.gif", "must end in .svg or .png"),
        ("no/where/p.svg", "there is no folder"),
        ("/proc/p.svg", "No such file"),
    ],
)
def test_a_plot_that_can_not_be_is_refused_before_the_matches(path: str, message: str) -> None:
    result = run("simulate", "--matches", "100000", "--plot", path)
    assert result.exit_code == 2
    assert message in result.stderr


def test_what_to_install_for_a_plot_fits_the_python_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a checkout and behind a wheel alike; the name of this package is no help where no index has it."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(sys, "executable", "/opt/ligretto table/bin/python")
    result = run("simulate", "--matches", "100000", "--plot", str(tmp_path / "p.svg"))
    assert result.exit_code == 2
    assert result.stderr == (
        "ligretto-table: --plot needs matplotlib; install it with: "
        "'/opt/ligretto table/bin/python' -m pip install matplotlib\n"
    )


def test_matches_of_cards_add_up() -> None:
    facts = simulated("--game", "cards", "--matches", "3", "--seats", "5", "--rounds", "2", "--seed", "2")
    finished = sum(seat["rounds_finished_first"] for seat in facts["seats"].values())
    assert facts["game"] == "cards" and len(facts["seats"]) == 5
    assert facts["rounds"] == 6 == finished + facts["stuck_rounds"]
    assert facts["verdicts"]["accepted"] > 6 * 20


@pytest.mark.parametrize("columns", [80, 200])
def test_the_text_fits_and_no_word_is_broken(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    asked = ["--game", "cards", "--seats", "12", "--expert", "--matches", "1", "--rounds", "1"]
    monkeypatch.setenv("COLUMNS", str(columns))
    output = run("simulate", *asked, "--seed", "123456789").stdout
    assert max(map(len, output.splitlines())) <= 80
    for words in ("dead-heat-lost", "corrected leftovers", "stop calls taken back", "(seed 123456789)"):
        assert words in " ".join(output.split())


def test_the_help_fits() -> None:
    for command in ("demo", "simulate", "status"):
        assert max(map(len, run(command, "--help").stdout.splitlines())) <= 80
