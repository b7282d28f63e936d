"""Exhibition matches of the demo, in a pipe and in a terminal, and which options can be combined."""

from __future__ import annotations

import re
import signal
import sys
from io import StringIO
from pathlib import Path

import pytest

from firmware_host.cli.table_view import LEAST_COLUMNS, LEAST_LINES
from firmware_host.cli.terminal import can_draw
from tests.cli.commands import run
from tests.cli.terminals import CTRL_C, TerminalProcess
from tests.hw.sound.alsa import CARD, FileCard, needs_aplay
from tests.left_out import needs
from tests.thoroughness import some

CHECKOUT = Path(__file__).parents[3]
DEMO = [sys.executable, "-m", "firmware_host.cli", "demo"]


def test_a_match_is_told_line_by_line_to_its_standings() -> None:
    result = run("demo", "--speed", "max", "--rounds", "2", "--seed", "3")
    assert result.exit_code == 0
    assert "round 2 starts" in result.output
    assert "the match is won by" in result.output
    standings = re.findall(r"^ +\d +(\d) +[+-]\d+ ", result.output, flags=re.MULTILINE)
    assert sorted(standings) == ["1", "2", "3", "4"]
    assert "see it again with --seed 3" in result.output


def test_one_seed_tells_one_story() -> None:
    one, other = (run("demo", "--speed", "max", "--rounds", "1", "--seed", "8").output for _ in range(2))
    assert one == other
    assert run("demo", "--speed", "max", "--rounds", "1", "--seed", "9").output != one


MATCH = ["demo", "--speed", "max", "--rounds", "1", "--seats", "2", "--seed", "8"]


@needs_aplay
def test_its_sounds_are_played_and_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = FileCard(tmp_path, monkeypatch)
    result = run(*MATCH, "--sound", CARD)
    assert result.output == run(*MATCH).output
    assert len(card.heard) > 0


def test_without_a_card_it_says_so_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FileCard(tmp_path, monkeypatch).unplug()
    result = run(*MATCH, "--sound", "plughw:CARD=NotThere")
    assert result.exit_code == 0
    assert "the match is won by" in result.output
    assert re.search("^no sound: .+; the demo goes on without$", result.output, re.MULTILINE)
    silent = run(*MATCH, "--sound", "none")
    assert silent.exit_code == 0
    assert "no sound: there is no card that plays; the demo goes on without" in silent.output


@pytest.mark.parametrize("fault", ["unplug left 14s", "nack i2c 5s 30s", "storm red 3 10s"])
def test_a_match_with_a_fault_can_be_recorded_and_replayed(fault: str, tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    shown = run(
        "demo", "--speed", "max", "--rounds", "1", "--seed", "7", "--fault", fault, "--record", str(record)
    )
    assert shown.exit_code == 0
    assert any(word in shown.output for word in ("left is lost", "left is degraded", "red 3 chatters"))
    replayed = run("replay", str(record))
    assert replayed.exit_code == 0, replayed.output


def test_pace_changes_nothing_but_the_pace() -> None:
    asked = ["--rounds", "1", "--seats", "2", "--seed", "8"]
    assert run("demo", "--speed", "1000", *asked).output == run("demo", "--speed", "max", *asked).output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--speed", "fast"], "'fast' is not a speed; give a number from 0.1 to 1000, or max"),
        (["--speed", "0"], "'0' is not a speed"),
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
        (
            ["--record", "/no/such/folder/match.txt"],
            "/no/such/folder/match.txt can't be written: No such file",
        ),
        (["--fault", "unplug"], "--fault: 'unplug' is not a fault; it looks like 'unplug scoreboard 10s 5s'"),
        (
            ["--fault", "unplug it"],
            "fault 'unplug': 'it' can't have it; allowed: scoreboard, left, right, rows",
        ),
        (["--fault", "unplug left", "--late", "all"], "--fault and --late can't be combined"),
        (["--lang", "xx"], "'xx' is not one of"),
        (["--seats", "5"], "--seats 5: this table has 4"),
        (["--seats", "13"], "13 is not in the range 2<=x<=12"),
        (["--expert"], "--expert is a variant of the game with cards; add --game cards"),
        (
            ["--game", "cards", "--profile", "dice4"],
            "on --profile dice4: that table is for dice",
        ),
        (["--game", "cards", "--noise", "slots"], "--noise: there is no 'slots' at this table"),
        (["--profile", "dice4-direct", "--fault", "unplug scoreboard"], "--fault needs simulated chips"),
        (["--game", "cards", "--deal", "11,10"], "a seat has more than 10 Ligretto cards"),
        (["--game", "cards", "--profile", "cards2-piles", "--seats", "3"], "--seats 3: this table has 2"),
    ],
)
def test_what_can_not_be_is_refused_with_the_reason(arguments: list[str], message: str) -> None:
    result = run("demo", "--speed", "max", "--rounds", "1", *arguments)
    assert result.exit_code == (2 if message else 0)
    assert message in result.stderr


def test_hands_err_as_often_as_they_are_told_to() -> None:
    def slaps(rate: str) -> str:
        asked = ["--profile", "dice4-direct", "--rounds", "3", "--seed", "1"]
        return run("demo", "--speed", "max", *asked, "--rate", rate).output

    assert slaps("wrong=0.5").count("false claim") > slaps("wrong=0").count("false claim") + 5


def test_a_recorded_match_replays_to_the_same_verdicts(tmp_path: Path) -> None:
    book = str(tmp_path / "match.txt")
    wrong = ["--noise", "all", "--late", "all", "--rate", "reflex=1"]
    told = run("demo", "--speed", "max", "--rounds", "2", "--seed", "6", "--record", book, *wrong)
    assert told.exit_code == 0
    assert "ok," in run("replay", book).output
    verdicts = [line for line in Path(book).read_text().splitlines() if line.startswith("expect verdict")]
    assert len(verdicts) > 30


def test_a_record_that_was_tampered_with_is_found_out(tmp_path: Path) -> None:
    book = tmp_path / "match.txt"
    run("demo", "--speed", "max", "--rounds", "1", "--seed", "6", "--record", str(book))
    book.write_text(book.read_text().replace(" accepted ", " too-late ", 1))
    result = run("replay", str(book))
    assert result.exit_code == 1
    assert "too-late" in result.stderr


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "nl"])
def test_it_plays_in_every_language(language: str) -> None:
    asked = ["--rounds", "1", "--deal", "2,2", "--seats", "2", "--lang", language]
    assert run("demo", "--speed", "max", *asked).exit_code == 0


def test_in_a_terminal_it_draws_and_ctrl_c_leaves_cleanly() -> None:
    with TerminalProcess([*DEMO, "--speed", "50", "--seed", "1"]) as child:
        child.wait_for("PLAY")
        child.press(CTRL_C)
        assert child.end() == 130
    assert "scoreboard" in child.seen and "next place" in child.seen
    _assert_given_back(child.seen)
    assert "stopped; see the same match again with --seed 1" in child.seen


def _assert_given_back(seen: str) -> None:
    """The alternate screen and the cursor are as they were, and nothing is dumped."""
    assert seen.rindex("\x1b[?1049l") > seen.rindex("\x1b[?1049h")
    assert seen.rindex("\x1b[?25h") > seen.rindex("\x1b[?25l")
    assert "Traceback" not in seen


@needs("make")
def test_ctrl_c_in_make_demo_is_no_error() -> None:
    """Ctrl-C reaches make, its shell and the demo at once, as in any terminal."""
    made = ["-C", str(CHECKOUT), f"VENV={sys.prefix}", "-o", f"{sys.prefix}/.ready"]
    with TerminalProcess(["make", *made, "demo", "ARGS=--speed 50 --seed 1"]) as child:
        child.wait_for("PLAY")
        child.press(CTRL_C)
        assert child.end() in (0, -signal.SIGINT)  # make ends as a program ends that was interrupted
    _assert_given_back(child.seen)
    told = child.seen.rpartition("\x1b[?1049l")[2]
    assert "stopped; see the same match again with --seed 1" in told and "***" not in told


def test_it_takes_the_size_that_the_terminal_has_and_gets() -> None:
    with TerminalProcess([*DEMO, "--game", "cards", "--speed", "50", "--seed", "3"], 80, 24) as child:
        child.wait_for("PLAY")
        for columns, lines in ((200, 50), (80, 24), (60, 20), (100, 40)):
            child.resize(columns, lines)
            child.wait_for_picture(columns, lines)
            shown = child.picture()
            fits = columns >= LEAST_COLUMNS and lines >= LEAST_LINES
            assert any("what the referee says" in line for line in shown) is fits
            assert any(f"the terminal has {columns} x {lines}" in line for line in shown) is not fits
        child.press(CTRL_C)
        assert child.end() == 130


def test_a_terminal_that_can_not_be_drawn_on_is_told_line_by_line() -> None:
    asked = ["--speed", "max", "--rounds", "1", "--deal", "2,2,2,2", "--seed", "3"]
    with TerminalProcess([*DEMO, *asked], 60, 24, term="dumb") as child:
        assert child.end() == 0
    assert "\x1b" not in child.seen
    piped = run("demo", *asked).output
    assert max(map(len, child.seen.splitlines())) <= 60 < max(map(len, piped.splitlines()))
    assert child.seen.split() == piped.split()  # all the same words, and none of them broken


@pytest.mark.parametrize(
    ("term", "drawn_on"), [("xterm-256color", True), ("dumb", False), ("unknown", False), ("", False)]
)
def test_which_terminals_can_be_drawn_on(term: str, drawn_on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", term)
    assert can_draw(Terminal()) is drawn_on
    assert not can_draw(StringIO())


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
def test_a_match_of_cards_is_told_to_its_standings(asked: list[str], seats: int) -> None:
    dealt = ["--seats", str(seats), "--deal", ",".join(["2"] * seats)]
    result = run("demo", "--speed", "max", "--rounds", "1", "--seed", "4", *asked, *dealt)
    assert result.exit_code == 0, result.stderr
    assert "goes onto pile" in result.output
    standings = re.findall(r"^ +\d+ +(\d+) +[+-]\d+ ", result.output, flags=re.MULTILINE)
    assert sorted(map(int, standings)) == list(range(1, seats + 1))


def test_a_match_of_cards_can_be_recorded_and_replayed(tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    asked = ["--profile", "cards2-piles", "--seats", "2", "--rounds", "1", "--seed", "7"]
    asked += ["--deal", "4,4", "--record", str(record)]
    assert run("demo", "--speed", "max", *asked).exit_code == 0
    replayed = run("replay", str(record))
    assert replayed.exit_code == 0, replayed.output


def test_a_dead_heat_is_shown_at_once_with_its_reasons() -> None:
    shown = run("demo", "--dead-heat", "--seed", "7", "--lang", "de")
    assert shown.exit_code == 0
    assert "Zielfoto: " in shown.stdout
    assert "entschied das Los" in shown.stdout
    assert "Nach der Reihenfolge des Eingangs" in shown.stdout


EXHIBITION = "that makes it an exhibition match, which has no pages"


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        ("--seed 3 --open", [f"--open can't be combined with --seed: {EXHIBITION}"]),
        ("--web --sound", [f"--web can't be combined with --sound: {EXHIBITION}"]),
        ("--speed max --port 99", [f"--port can't be combined with --speed max: {EXHIBITION}"]),
        ("--speed 500 --port 99", [f"--port can't be combined with --speed 500: {EXHIBITION}"]),
        (
            "--skill novice,expert --seats 2 --host 0.0.0.0",
            [f"--host can't be combined with --skill novice,expert: {EXHIBITION}"],
        ),
        (
            "--no-web --open --port 99",
            [
                "--open can't be combined with --no-web: then there are no pages",
                "--port can't be combined with --no-web: then there are no pages",
            ],
        ),
        (
            "--dead-heat --seed 4 --sound --speed 4",
            [
                "--sound can't be combined with --dead-heat",
                "--speed can't be combined with --dead-heat",
            ],
        ),
        ("--dead-heat --game cards", ["--dead-heat is simulated with dice; leave --game cards out"]),
        ("--dead-heat --profile cards4 --seed 1", ["--dead-heat is simulated with dice"]),
    ],
)
def test_options_that_make_no_sense_together_are_refused(arguments: str, messages: list[str]) -> None:
    result = run("demo", *arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    said = result.stderr.splitlines()
    assert len(said) == len(messages)
    assert all(message in line for message, line in zip(messages, said, strict=True))


def test_it_says_that_it_is_an_exhibition_match_and_why() -> None:
    shown = run("demo", "--speed", "max", "--rounds", "1", "--no-web")
    assert shown.exit_code == 0
    assert shown.stderr == "an exhibition match, because of --speed max: to watch only\n"


def test_the_help_says_which_options_are_for_which_kind_of_demo() -> None:
    *_, both, live, exhibition = run("demo", "--help").stdout.split("\n\n")
    assert both.startswith("For both kinds of demo:") and "--dead-heat" in both and "--help" in both
    assert live.startswith("Only for the live demo:")
    assert re.findall(r"^  (--\w+)", live, re.MULTILINE) == ["--open", "--web", "--host", "--port"]
    assert exhibition.startswith("Each of these makes it an exhibition match:")
    assert "--seed" in exhibition and "--seed" not in both + live
