"""The demo: real processes with a store, told line by line or drawn, and always resumed."""

from __future__ import annotations

import os
import re
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from urllib.request import urlopen

import pytest

from firmware_host.cli.table_view import LEAST_COLUMNS, LEAST_LINES
from firmware_host.cli.terminal import can_draw
from firmware_host.lab.cli.demo import DemoProcesses
from tests.cli.commands import run
from tests.cli.terminals import CTRL_C, TerminalProcess
from tests.hw.sound.alsa import CARD, FileCard, needs_aplay
from tests.lab.cli.started import PATIENCE_S, Started, wait_until_gone
from tests.left_out import needs

CHECKOUT = Path(__file__).parents[3]
DEMO = [sys.executable, "-m", "firmware_host.cli", "demo"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the demo keeps what happens."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for name in ("RUNTIME_DIRECTORY", "NOTIFY_SOCKET", "LIGRETTO_TABLE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "ligretto-table"


class Demo(Started):
    """A demo without a terminal."""

    def __init__(self, file: Path, *options: str) -> None:
        super().__init__(file, "demo", *options)

    def child(self, word: str) -> int:
        """The child that runs that command."""
        lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") for pid in self.children}
        return next(pid for pid, words in lines.items() if word.encode() in words)

    def end(self, number: int = signal.SIGINT) -> int:
        """Its exit code after that signal, by default Ctrl-C."""
        return super().end(number)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Demo]]:
    demos: list[Demo] = []

    def started(*options: str) -> Demo:
        demos.append(Demo(tmp_path / f"demo{len(demos)}.txt", *options))
        return demos[-1]

    yield started
    for each in demos:
        each.clear()


def test_without_a_terminal_a_match_is_told_to_its_standings(start: Callable[..., Demo]) -> None:
    demo = start("--speed", "100", "--rounds", "1", "--no-web", "--seats", "2")
    demo.until(lambda said: "rank  seat  points" in said)
    children = demo.children
    assert demo.process.wait(PATIENCE_S) == 0
    wait_until_gone(children)
    said = demo.said
    assert "round 1 starts" in said and "the match is won by" in said and "http" not in said
    seats = re.findall(r"^ +\d+ +(\d+) +[+-]\d+$", said, re.MULTILINE)
    assert sorted(seats) == ["1", "2"]


def test_it_prints_the_link_of_a_page_on_which_one_can_play_match_after_match(
    start: Callable[..., Demo],
) -> None:
    """Somebody may sit there: the table does not go away with the end of a match."""
    port = _free_port()
    demo = start("--speed", "100", "--rounds", "1", "--port", str(port))
    link = demo.until(lambda said: re.search(r"^play at (\S+)$", said, re.MULTILINE))[1]
    assert link == f"http://localhost:{port}/play"
    with urlopen(link.replace("localhost", "127.0.0.1"), timeout=PATIENCE_S) as page:
        assert b"play.js" in page.read()
    demo.until(lambda said: "rank  seat  points" in said)
    demo.until(lambda said: "round 1 starts" in said.partition("rank  seat  points")[2])
    seats = re.findall(r"^ +\d+ +(\d+) +[+-]\d+$", demo.said, re.MULTILINE)
    assert sorted(seats) == ["1", "2", "3", "4"]
    children = demo.children
    assert len(children) == 2
    assert demo.end(signal.SIGTERM) == 130
    wait_until_gone(children)
    assert "the same command resumes the match" in demo.said


def test_a_taken_port_is_no_obstacle_and_nothing_is_left_however_it_ends(start: Callable[..., Demo]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        demo = start("--port", str(port))
        link = demo.until(
            lambda said: re.search(r"^play at http://localhost:(\d+)/play$", said, re.MULTILINE)
        )
        assert f"port {port} is taken, so it is port {link[1]}" in demo.said
    demo.until(lambda said: "Ctrl-C ends it" in said)
    children = demo.children
    assert len(children) == 2
    demo.end(signal.SIGKILL)
    wait_until_gone(children)


def test_a_match_goes_on_after_the_table_was_killed_and_after_the_end(
    start: Callable[..., Demo], folder: Path
) -> None:
    demo = start("--speed", "20", "--no-web")
    demo.until(lambda said: "accepted for" in said)
    os.kill(demo.child("run"), signal.SIGKILL)
    demo.until(lambda said: "table: it has died (-9), and is started again" in said)
    demo.until(lambda said: "accepted for" in said.partition("started again")[2])
    assert demo.end() == 130
    again = start("--speed", "20", "--no-web")
    again.until(lambda said: "accepted for" in said)
    log = (folder / "demo-table.log").read_text()
    assert "resumed" in log, log
    second = run("demo", "--no-web")
    assert second.exit_code == 2
    assert "another ligretto-table runs this table already" in second.stderr
    children = again.children
    watch = [*DEMO[:-1], "status", "--watch", "--store", str(folder / "simulated.db")]
    with TerminalProcess(watch, 100, 44) as child:  # it has the same picture
        child.wait_for("all devices are ok")
        child.wait_for("what the referee says")
        child.wait_for("next place")
        assert again.end(signal.SIGHUP) == 130
        child.wait_for_new("no daemon runs this table")
        child.press(CTRL_C)
        assert child.end() == 130
    assert "Traceback" not in child.seen
    wait_until_gone(children)
    told = run("recall", "--store", str(folder / "simulated.db"))
    assert told.exit_code in (0, 1) and "Traceback" not in told.output


def test_a_store_that_is_lost_is_said_while_it_plays_and_at_the_end(
    start: Callable[..., Demo], folder: Path
) -> None:
    folder.mkdir()
    (folder / "simulated.db").write_text("of somebody else")
    demo = start("--plain", "--no-web", "--speed", "2")
    lost = f"{folder}/simulated.db: it is not a store of ligretto-table; name another file in [store]"
    demo.until(lambda said: f"nothing of this is kept: {lost}" in said)
    demo.process.send_signal(signal.SIGINT)
    demo.process.wait(PATIENCE_S)
    assert demo.said.splitlines()[-1] == f"stopped; what was played last is not kept: {lost}"
    assert demo.said.count("nothing of this is kept") == 1


def test_without_the_extra_it_says_so_and_plays_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find = "firmware_host.lab.cli.demo.find_spec"
    monkeypatch.setattr(find, lambda name: None if name == "uvicorn" else object())
    with DemoProcesses(folder) as processes:
        trouble = processes.start_web("x.db", "127.0.0.1", 8080)
        assert trouble == "no page in a browser: uvicorn is missing; pip install 'ligretto-table[web]'"
        assert processes.link == ""


def test_an_address_that_this_machine_has_not_is_refused() -> None:
    told = run("demo", "--host", "192.0.2.1", "--plain", "--rounds", "1", "--speed", "100")
    assert "192.0.2.1" in told.output + told.stderr


def test_in_a_terminal_of_any_size_it_draws_what_the_feed_tells_and_ctrl_c_leaves_cleanly() -> None:
    with TerminalProcess([*DEMO, "--speed", "20", "--port", str(_free_port())], 160, 40) as child:
        child.wait_for("PLAY")
        child.wait_for(" accepted for ")
        for columns, lines in ((200, 50), (80, 24), (60, 20), (100, 40)):
            child.resize(columns, lines)
            child.wait_for_picture(columns, lines)
            shown = child.picture()
            fits = columns >= LEAST_COLUMNS and lines >= LEAST_LINES
            assert any("what the referee says" in line for line in shown) is fits
            assert any(f"the terminal has {columns} x {lines}" in line for line in shown) is not fits
        child.press(CTRL_C)
        assert child.end() == 130
    assert "play at http://localhost:" in child.seen
    assert "scoreboard" in child.seen and "next place" in child.seen
    _assert_given_back(child.seen)
    assert "stopped; the same command resumes the match" in child.seen


def _assert_given_back(seen: str) -> None:
    """The alternate screen and the cursor are as they were, and nothing is dumped."""
    assert seen.rindex("\x1b[?1049l") > seen.rindex("\x1b[?1049h")
    assert seen.rindex("\x1b[?25h") > seen.rindex("\x1b[?25l")
    assert "Traceback" not in seen


@needs("make")
def test_ctrl_c_in_make_demo_is_no_error() -> None:
    """Ctrl-C reaches make, its shell and the demo at once, as in any terminal."""
    made = ["-C", str(CHECKOUT), f"VENV={sys.prefix}", "-o", f"{sys.prefix}/.ready"]
    with TerminalProcess(["make", *made, "demo", "ARGS=--speed 50 --no-web"]) as child:
        child.wait_for("PLAY")
        child.press(CTRL_C)
        assert child.end() in (0, -signal.SIGINT)  # make ends as a program ends that was interrupted
    _assert_given_back(child.seen)
    told = child.seen.rpartition("\x1b[?1049l")[2]
    assert "stopped; the same command resumes the match" in told and "***" not in told


def test_a_terminal_that_can_not_be_drawn_on_is_told_line_by_line() -> None:
    asked = ["--speed", "100", "--rounds", "1", "--seats", "2", "--no-web"]
    with TerminalProcess([*DEMO, *asked], 60, 24, term="dumb") as child:
        child.wait_for("rank  seat  points")
        assert child.end() == 0
    assert "\x1b" not in child.seen
    assert max(map(len, child.seen.splitlines())) <= 60


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


@needs_aplay
def test_its_sounds_are_played(
    start: Callable[..., Demo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = FileCard(tmp_path, monkeypatch)
    demo = start("--no-web", "--speed", "20", "--rounds", "1", "--seats", "2", "--sound", CARD)
    demo.until(lambda said: "rank  seat  points" in said)
    assert demo.process.wait(PATIENCE_S) == 0
    assert len(card.heard) > 0
    assert "speaker" not in demo.said


def test_dead_heats_are_shown_with_their_reasons_and_a_card_that_does_not_play_is_said(
    start: Callable[..., Demo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    FileCard(tmp_path, monkeypatch).unplug()
    asked = ("--dead-heat", "--lang", "de", "--skill", "regular", "--sound", "plughw:CARD=NotThere")
    demo = start("--no-web", "--speed", "20", *asked)
    demo.until(lambda said: "no sound: " in said)
    demo.until(lambda said: "Zielfoto: " in said and "Nach der Reihenfolge des Eingangs" in said)
    assert demo.end() == 130


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (
            "--no-web --open --port 99",
            [
                "--open can't be combined with --no-web: then there are no pages",
                "--port can't be combined with --no-web: then there are no pages",
            ],
        ),
        ("--dead-heat --game cards", ["--dead-heat is simulated with dice; leave --game cards out"]),
        ("--dead-heat --profile cards4", ["--dead-heat is simulated with dice"]),
        ("--seats 5", ["--seats 5: this table has 4"]),
        ("--game cards --profile dice4", ["on --profile dice4: that table is for dice"]),
    ],
)
def test_what_can_not_be_is_refused(arguments: str, messages: list[str]) -> None:
    result = run("demo", *arguments.split())
    assert (result.exit_code, result.stdout) == (2, "")
    said = result.stderr.splitlines()
    assert len(said) == len(messages)
    assert all(message in line for message, line in zip(messages, said, strict=True))


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
