"""The demo: a match to watch, in a pipe and in a terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from firmware_host.cli.demo import LEAST_COLUMNS, LEAST_LINES
from firmware_host.cli.view import View
from firmware_host.durations import S
from firmware_host.runtime.assembly.profiles import load_profile
from firmware_host.simulation.party import Invitation, even_deal, hold_party
from tests.cli.commands import run

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
        (["--speed", "fast"], "'fast' is no speed; give a number from 0.1 to 1000, or max"),
        (["--speed", "0"], "'0' is no speed"),
        (["--deal", "6,6"], ""),
        (["--deal", "20,20"], "40 dice in all, there are only 24"),
        (["--deal", "24"], "1 playing"),
        (["--deal", "6,6,4,4,0"], "this table has 4 seats"),
        (["--deal", "6,6,6", "--seats", "2"], "does not fit --seats 2"),
        (["--deal", "six"], "'six' is no deal"),
        (["--skill", "wizard"], "--skill wizard is unknown; known: novice, regular, expert"),
        (["--profile", "dice9"], "profile 'dice9' is unknown; known: cards12, cards2-piles, cards4, dice4"),
        (["--bounce", "buttons,rd-3"], "--bounce: there is no 'rd-3' at this table; did you mean 'red-3'?"),
        (["--rate", "clumsy=1"], "--rate clumsy=1: there is no rate 'clumsy'; known: early, late, twice"),
        (["--rate", "twice=2"], "a rate is a number from 0 to 1, as in twice=0.1"),
        (["--rate", "twice"], "a rate is a number from 0 to 1, as in twice=0.1"),
        (
            ["--record", "/no/such/folder/match.txt"],
            "/no/such/folder/match.txt can't be written: No such file",
        ),
        (["--fault", "unplug"], "--fault: 'unplug' is no fault; it looks like 'unplug scoreboard 10s 5s'"),
        (
            ["--fault", "unplug it"],
            "fault 'unplug': 'it' can't have it; allowed: scoreboard, left, right, rows",
        ),
        (["--fault", "unplug left", "--late", "all"], "--fault and --late can't go together"),
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
        return run("demo", "--speed", "max", "--rounds", "3", "--seed", "1", "--rate", rate).output

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
    assert run("demo", "--speed", "max", "--rounds", "1", "--lang", language).exit_code == 0


def test_in_a_terminal_it_draws_and_ctrl_c_leaves_cleanly() -> None:
    screen, child = _in_terminal(["--speed", "4", "--seed", "1"], until="PLAY")
    child.send_signal(signal.SIGINT)
    screen += _read_all(child)
    assert child.wait(timeout=10) == 130
    assert "scoreboard" in screen
    assert "next place" in screen
    # The alternate screen and the hidden cursor are given back, and nothing is dumped.
    assert screen.rindex("\x1b[?1049l") > screen.rindex("\x1b[?1049h")
    assert screen.rindex("\x1b[?25h") > screen.rindex("\x1b[?25l")
    assert "stopped; see the same match again with --seed 1" in screen
    assert "Traceback" not in screen


class _Terminal(subprocess.Popen[bytes]):
    """A process on a terminal of its own."""

    master: int


def _in_terminal(arguments: list[str], until: str) -> tuple[str, _Terminal]:
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    child = _Terminal(
        [*DEMO, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment,
        # A test run in the background ignores Ctrl-C, and hands that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(slave)
    child.master = master
    screen, give_up = "", time.monotonic() + 30
    while until not in screen:
        assert time.monotonic() < give_up, screen
        if select.select([master], [], [], 0.1)[0]:
            screen += os.read(master, 65536).decode("utf-8", "replace")
    return screen, child


def _read_all(child: _Terminal) -> str:
    text = ""
    while True:
        try:
            piece = os.read(child.master, 65536)
        except OSError:
            piece = b""
        if not piece:
            os.close(child.master)
            return text
        text += piece.decode("utf-8", "replace")


@pytest.mark.parametrize(
    ("asked", "seats"),
    [
        (["--game", "cards"], 4),
        (["--game", "cards", "--seats", "2", "--expert"], 2),
        (["--game", "cards", "--seats", "7"], 7),
        (["--game", "cards", "--seats", "12", "--expert"], 12),
        (["--profile", "cards2-piles", "--seats", "2"], 2),
    ],
)
def test_a_match_of_cards_is_told_to_its_standings(asked: list[str], seats: int) -> None:
    result = run("demo", "--speed", "max", "--rounds", "1", "--seed", "4", *asked)
    assert result.exit_code == 0, result.stderr
    assert "goes onto pile" in result.output
    standings = re.findall(r"^ +\d+ +(\d+) +[+-]\d+ ", result.output, flags=re.MULTILINE)
    assert sorted(map(int, standings)) == list(range(1, seats + 1))


def test_a_match_of_cards_can_be_recorded_and_replayed(tmp_path: Path) -> None:
    record = tmp_path / "match.txt"
    asked = ["--game", "cards", "--seats", "3", "--rounds", "1", "--seed", "7", "--record", str(record)]
    assert run("demo", "--speed", "max", *asked).exit_code == 0
    replayed = run("replay", str(record))
    assert replayed.exit_code == 0, replayed.output


@pytest.mark.parametrize(("profile", "seats"), [("dice4", 4), ("cards4", 4), ("cards12", 12)])
def test_the_picture_fits_into_a_terminal_at_every_moment(profile: str, seats: int) -> None:
    table = load_profile(profile)
    view = View(table.game)
    asked = Invitation(profile=table, deal=even_deal(table, seats), rounds=1)
    party = hold_party(asked, 3, observers=[view.observe])
    console = Console(width=LEAST_COLUMNS, file=io.StringIO(), force_terminal=True)
    seen: set[str] = set()
    while party.table.pipeline.session.phase.name != "RESULT":
        party.table.loop.run(party.world.now_ns + S // 2)
        lines = console.render_lines(view.render(party), pad=False)
        assert len(lines) <= LEAST_LINES, party.table.pipeline.session.phase
        seen.add(party.table.pipeline.session.phase.name)
    assert {"PLAY", "SETTLE", "SCORES"} <= seen
