"""Many matches: the sums, the picture, and that neither depends on how they were computed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import run
from tests.thoroughness import some

SHORT = ["--rounds", "1", "--seed", "5"]


def simulated(*arguments: str) -> dict[str, Any]:
    result = run("simulate", "--json", *arguments)
    assert result.exit_code == 0, result.stderr
    facts: dict[str, Any] = json.loads(result.stdout)
    return facts


def test_the_sums_add_up_and_do_not_depend_on_the_number_of_processes() -> None:
    asked = ["--matches", "8", "--seats", "3", "--skill", "novice", *SHORT]
    facts = simulated("--workers", "1", *asked)
    assert facts == simulated("--workers", "3", *asked)
    seats, truth = facts["seats"].values(), facts["truth"]
    assert facts["matches"] == facts["rounds"] == sum(seat["rounds_finished_first"] for seat in seats) == 8
    assert abs(sum(seat["mean_score"] for seat in seats)) < 0.01
    assert sum(seat["wins"] for seat in seats) >= 8
    assert facts["verdicts"]["accepted"] > 8 * 8
    assert facts["round_seconds"]["min"] <= facts["round_seconds"]["p50"] <= facts["round_seconds"]["max"]
    shares = ("points_wrong", "wrong_winner", "stop_taken_back", "corrected", "locked", "play_share")
    assert all(0 <= truth[share] <= 1 for share in shares) and truth["play_share"] > 0.3
    assert sum(truth["causes"].values()) == truth["points_wrong"] * 8


def test_wrong_rounds_are_explained() -> None:
    nervous = ["--matches", "6", "--skill", "novice", "--rate", "twice=0.9", "--rate", "early=0.5"]
    output = run("simulate", "--explain", "1", *nervous, "--rounds", "1", "--seed", "7").stdout
    assert "rounds whose points fit no reading of the sheets" in output
    story = output.split("simulate --record FILE --seed ", 1)[1]
    assert story.startswith("70000") and "--record" not in story
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


# -- one match, recorded

CARDS = ["--profile", "cards2-piles", "--seats", "2", "--deal", "4,4"]


def recorded(folder: Path, *asked: str, name: str = "match.txt") -> tuple[Path, str]:
    """The recording of a match, and what was printed; it replays to the same verdicts."""
    path = folder / name
    result = run("simulate", "--rounds", "1", "--record", str(path), *asked)
    assert result.exit_code == 0, result.stderr
    replayed = run("replay", "-v", str(path))
    assert replayed.exit_code == 0 and "ok," in replayed.output, replayed.output
    return path, replayed.output


@pytest.mark.parametrize(
    "asked",
    [["--noise", "all", "--late", "all", "--bounce", "all", "--rate", "reflex=1", "--seed", "6"], CARDS],
)
def test_a_recorded_match_replays_to_the_same_verdicts(asked: list[str], tmp_path: Path) -> None:
    path, told = recorded(tmp_path, *asked)
    verdicts = [line for line in path.read_text().splitlines() if line.startswith("expect verdict")]
    assert len(verdicts) > 10
    assert "the match is won by" in told


def test_one_seed_plays_one_match(tmp_path: Path) -> None:
    texts = [
        recorded(tmp_path, "--seed", seed, name=f"{n}.txt")[0].read_text() for n, seed in enumerate("889")
    ]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("fault", ["unplug left 14s", "nack i2c 5s 30s", "storm red 3 10s"])
def test_a_match_with_a_fault_can_be_recorded_and_replayed(fault: str, tmp_path: Path) -> None:
    _, told = recorded(tmp_path, "--seed", "7", "--bounce", "all", "--fault", fault)
    assert any(word in told for word in ("left is lost", "left is degraded", "red 3 chatters"))


def test_a_record_that_was_tampered_with_is_found_out(tmp_path: Path) -> None:
    path, _ = recorded(tmp_path, "--seed", "6")
    path.write_text(path.read_text().replace(" accepted ", " too-late ", 1))
    result = run("replay", str(path))
    assert result.exit_code == 1
    assert "too-late" in result.stderr


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl"])
def test_it_plays_in_every_language(language: str) -> None:
    asked = [
        "--matches",
        "1",
        "--rounds",
        "1",
        "--deal",
        "2,2",
        "--seats",
        "2",
        "--lang",
        language,
        "--seed",
        "1",
    ]
    assert run("simulate", *asked).exit_code == 0


def test_hands_err_as_often_as_they_are_told_to(tmp_path: Path) -> None:
    def slaps(rate: str) -> int:
        asked = ["--profile", "dice4-direct", "--rounds", "3", "--seed", "1", "--matches", "1"]
        return int(simulated(*asked, "--rate", rate)["verdicts"]["false-claim"])

    assert slaps("wrong=0.5") > slaps("wrong=0") + 5


@pytest.mark.parametrize(
    ("asked", "seats"),
    some(
        2,
        [
            (["--game", "cards"], 4),
            (["--game", "cards", "--expert"], 2),
            (["--game", "cards"], 7),
            (["--game", "cards", "--expert"], 12),
            (["--profile", "cards2"], 2),
            (["--profile", "cards2-piles"], 2),
        ],
    ),
)
def test_matches_of_cards_come_to_their_standings(asked: list[str], seats: int) -> None:
    dealt = ["--seats", str(seats), "--deal", ",".join(["2"] * seats)]
    facts = simulated("--matches", "1", "--rounds", "1", "--seed", "4", *asked, *dealt)
    assert facts["rounds"] == 1 and len(facts["seats"]) == seats and facts["verdicts"]["accepted"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fault", "unplug"], "--fault: 'unplug' is not a fault; it looks like 'unplug scoreboard 10s 5s'"),
        (
            ["--fault", "unplug it"],
            "fault 'unplug': 'it' can't have it; allowed: scoreboard, left, right, rows",
        ),
        (["--fault", "unplug left", "--late", "all"], "--fault and --late can't be combined"),
        (["--profile", "dice4-direct", "--fault", "unplug scoreboard"], "--fault needs simulated chips"),
    ],
)
def test_a_fault_that_can_not_be_is_refused(arguments: list[str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "match.txt"
    result = run("simulate", "--record", str(path), *arguments)
    assert result.exit_code == 2 and message in result.stderr
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--deal", "6,6"], ""),
        (["--deal", "20,20"], "40 dice in all, there are only 24"),
        (["--deal", "24"], "1 playing"),
        (["--deal", "6,6,4,4,0"], "this table has 4 seats"),
        (["--deal", "6,6,6", "--seats", "2"], "does not fit --seats 2"),
        (["--deal", "six"], "'six' is no deal"),
        (["--skill", "wizard"], "--skill wizard is unknown; known: novice, regular, expert"),
        (
            ["--profile", "dice9"],
            "profile 'dice9' is unknown; known: cards12, cards2, cards2-piles, cards4, dice4",
        ),
        (["--bounce", "buttons,rd-3"], "--bounce: there is no 'rd-3' at this table; did you mean 'red-3'?"),
        (["--rate", "clumsy=1"], "--rate clumsy=1: there is no rate 'clumsy'; known: early, late, twice"),
        (["--rate", "twice=2"], "a rate is a number from 0 to 1, as in twice=0.1"),
        (["--rate", "twice"], "a rate is a number from 0 to 1, as in twice=0.1"),
        (["--lang", "xx"], "'xx' is not one of"),
        (["--seats", "5"], "--seats 5: this table has 4"),
        (["--seats", "13"], "13 is not in the range 2<=x<=12"),
        (["--expert"], "--expert is a variant of the game with cards; add --game cards"),
        (
            ["--game", "cards", "--profile", "dice4"],
            "on --profile dice4: that table is for dice",
        ),
        (["--game", "cards", "--noise", "slots"], "--noise: there is no 'slots' at this table"),
        (["--fault", "unplug left"], "--fault needs --record: it is for one match"),
        (["--record", "x.txt"], "--matches can't be combined with --record"),
        (["--game", "cards", "--deal", "11,10"], "a seat has more than 10 Ligretto cards"),
        (["--game", "cards", "--profile", "cards2-piles", "--seats", "3"], "--seats 3: this table has 2"),
    ],
)
def test_what_can_not_be_is_refused_with_the_reason(arguments: list[str], message: str) -> None:
    result = run("simulate", "--matches", "1", "--rounds", "1", *arguments)
    assert result.exit_code == (2 if message else 0)
    assert message in result.stderr


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
