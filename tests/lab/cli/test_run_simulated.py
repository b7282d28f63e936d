"""`run --simulated`: one command, one table, and people who play on whatever becomes of it."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.lab.world.companion import Orders
from firmware_host.run import health, table_files
from firmware_host.store.store_reader import reading
from tests.cli.commands import run
from tests.cli.test_run import ask_again_and_again, wait_until_it_heeds
from tests.lab.cli.started import PATIENCE_S, Started

PROMPT_S = 5.0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where this user's simulated table keeps what happens."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for name in ("RUNTIME_DIRECTORY", "NOTIFY_SOCKET", "LIGRETTO_TABLE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "ligretto-table"


class Run(Started):
    """A daemon with its world."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        super().__init__(folder.parent / "said.txt", "run", "--simulated", "--seed", "1", *options)

    @property
    def page(self) -> dict[str, Any]:
        try:
            page: dict[str, Any] = json.loads((self.folder / "health.json").read_text())
        except (FileNotFoundError, json.JSONDecodeError):
            return {"phase": "", "pid": 0}
        return page

    def until_played(self) -> None:
        """Until this daemon has a round at work in which something lies."""
        self.until(lambda _: self.page["pid"] == self.process.pid and self.page["phase"] == "play")
        self.until(lambda said: "counts" in said.rpartition("ready:")[2])


@pytest.fixture
def start(folder: Path) -> Iterator[Callable[..., Run]]:
    runs: list[Run] = []

    def started(*options: str) -> Run:
        runs.append(Run(folder, *options))
        return runs[-1]

    yield started
    for each in runs:
        each.clear()


def gone(pids: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in pids)


def log_of(folder: Path) -> list[str]:
    with reading(str(folder / "simulated.db")) as book:
        return [text for _, _, text in book.log()]


def test_one_command_plays_and_ends_with_its_world(start: Callable[..., Run], folder: Path) -> None:
    table = start("--speed", "20", "--game", "cards", "--lang", "fr")
    table.until(lambda _: table.page["phase"] == "play")
    worlds = table.children
    assert len(worlds) == 1
    second = run("run", "--simulated")
    assert second.exit_code == 4
    assert table.end(signal.SIGINT) == 0
    assert gone(worlds)
    assert "ERROR" not in table.said and "WARNING" not in table.said and "Traceback" not in table.said
    assert f"recall --store {folder / 'simulated.db'}" in table.said
    assert "/var/lib" not in table.said


@pytest.mark.parametrize(("game", "before", "now"), [("dice", "3", "4"), ("cards", "4", "2")])
def test_after_a_kill_people_go_on_with_the_round_but_not_with_that_of_others(
    start: Callable[..., Run], folder: Path, game: str, before: str, now: str
) -> None:
    first = start("--game", game, "--seats", before, "--speed", "20")
    first.until_played()
    worlds = first.children
    first.process.kill()
    first.process.wait()
    second = start("--game", game, "--seats", before, "--speed", "20")
    second.until_played()
    second.until(lambda _: gone(worlds))
    second.process.kill()
    second.process.wait()
    log = log_of(folder)
    assert "the match is resumed: play" in log
    third = start("--game", game, "--seats", now, "--speed", "50")
    third.until(lambda _: "is scored" in third.said.rpartition("ready:")[2])
    assert third.end() == 0
    log = log_of(folder)
    began = "the last match can't be resumed: it began with seats 1, 2"
    assert [line for line in log if line.startswith(began)]
    assert not [line for line in log if "is void" in line]


def test_after_an_end_on_request_they_go_on_as_well_but_not_with_a_match_of_others(
    start: Callable[..., Run], folder: Path
) -> None:
    first = start("--speed", "20")
    first.until_played()
    assert first.end() == 0
    second = start("--speed", "20")
    second.until_played()
    assert second.end() == 0
    log = log_of(folder)
    assert "the match is resumed: play" in log and not [line for line in log if "void" in line]
    (folder / "dice4.things.json").write_text("{")
    third = start("--speed", "50")
    third.until(lambda _: "is scored" in third.said.partition(" agreed that nobody could play")[2])
    assert third.end() == 0


def test_signals_are_heeded_and_the_store_of_a_table_toml_is_left_alone(
    start: Callable[..., Run], folder: Path
) -> None:
    """A hangup while the world starts is not the end, and an end that is asked for often is clean."""
    config = folder.parent / "mine.toml"
    config.write_text('wiring = "dice4"\nlanguage = "nl"\nseats = [1, 3, 4]\n[store]\nfile = "mine.db"\n')
    table = start("--config", str(config), "--speed", "10")
    wait_until_it_heeds(table.process, signal.SIGHUP)
    table.process.send_signal(signal.SIGHUP)
    table.until(lambda _: table.page["phase"] == "play")
    assert "reloaded" in table.said
    assert table.page["seated"] == [1, 3, 4]
    ask_again_and_again(table.process)
    assert table.process.returncode == 0, table.said
    assert (folder / "simulated.db").exists() and not (folder.parent / "mine.db").exists()


def test_a_silent_world_is_lost_until_it_answers_and_holds_up_nobody(
    start: Callable[..., Run], folder: Path
) -> None:
    table = start("--speed", "10")
    table.until_played()
    (world,) = table.children
    os.kill(world, signal.SIGSTOP)
    table.until(lambda _: table.page["devices"].get("world", {}).get("condition") == "lost")
    status = run("status", "--store", str(folder / "simulated.db"))
    assert status.exit_code == 1
    assert "check world: lost: it does not answer; kill -CONT its process, or end" in status.stdout
    os.kill(world, signal.SIGCONT)
    table.until(lambda _: table.page["devices"]["world"]["condition"] == "ok")
    os.kill(world, signal.SIGSTOP)
    began_s = time.monotonic()
    assert table.end() == 0
    assert time.monotonic() - began_s < PROMPT_S + 5
    assert gone([world])
    assert "stopped on request" in table.said
    told = [line.partition(":")[0] for line in log_of(folder) if line.startswith("world ")]
    assert told[:2] == ["world is lost", "world is ok"]


def test_a_world_that_was_left_behind_and_does_not_end_is_named(start: Callable[..., Run]) -> None:
    first = start()
    first.until(lambda _: first.page["phase"])
    (world,) = first.children
    os.kill(world, signal.SIGSTOP)
    try:
        first.process.kill()
        first.process.wait()
        second = start()
        assert second.process.wait(PATIENCE_S) == 2
    finally:
        os.kill(world, signal.SIGKILL)
    (line,) = [line for line in second.said.splitlines() if line.startswith("ligretto-table: ")]
    assert line.endswith(f"another simulated table uses it and does not stop; stop it: kill -KILL {world}")
    assert "Traceback" not in second.said


def test_a_world_that_dies_is_told_in_a_line(start: Callable[..., Run]) -> None:
    table = start()
    table.until(lambda _: table.page["phase"])
    (world,) = table.children
    os.kill(world, signal.SIGKILL)
    assert table.process.wait(PATIENCE_S) == 2
    line = table.said.splitlines()[-1]
    assert line.startswith("ligretto-table: the simulated table: ")
    assert line.endswith("; the same command starts it again")
    assert "Traceback" not in table.said


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--game", "cards"], "--game: only for a simulated table; add --simulated, without a socket"),
        (["--simulated", "/tmp/x", "--lang", "de"], "--lang: only for a simulated table"),
        (["--simulated", "--seats", "5"], "--seats 5: this table has 4"),
        (["--simulated", "--game", "cards", "--profile", "dice4"], "can't be played on --profile dice4"),
        (["--simulated", "--profile", "dice5"], "profile 'dice5' is unknown"),
        (["--simulated", "--config", "gone.toml"], "gone.toml: No such file"),
    ],
)
def test_what_can_not_be_is_refused(folder: Path, options: list[str], why: str) -> None:
    result = run("run", *options)
    assert result.exit_code == 2 and why in result.stderr
    assert not folder.exists()


def test_others_find_it_without_being_told_where_it_is(
    start: Callable[..., Run], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "SERVICE_FOLDER", folder / "no service")
    monkeypatch.setattr(table_files, "USUAL_FILES", (Path("table.toml"),))
    nothing = run("recall")
    assert nothing.exit_code == 2 and "there is no table.toml" in nothing.stderr
    table = start("--speed", "50")
    table.until(lambda _: "is scored" in table.said)
    status = run("status")
    assert status.exit_code == 0 and "all devices are ok" in status.stdout
    assert "seat" in run("recall").stdout
    (folder.parent / "table.toml").write_text('wiring = "dice4"\n[store]\nfile = "gone.db"\n')
    assert run("status").exit_code == 0, "it runs, and so it is meant"
    assert table.end() == 0
    assert "gone.db" in run("recall").stderr, "a table.toml counts more than what runs no longer"
    (folder.parent / "table.toml").unlink()
    told = run("recall")
    assert told.exit_code == 0 and "seat" in told.stdout
    assert told.stderr == f"ligretto-table: using the simulated table, {folder / 'simulated.db'}\n"


def test_a_world_says_in_a_line_what_is_wrong() -> None:
    orders = Orders(profile="nope", deal=(6, 6), skill="regular", seed=1, speed=1.0, things="x")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        command = [
            sys.executable,
            "-m",
            "firmware_host.lab.world",
            str(ours.fileno()),
            "--orders",
            orders.text,
        ]
        told = subprocess.run(
            command, pass_fds=[ours.fileno()], capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
    assert told.returncode == 2
    assert told.stderr.startswith("ligretto-table: profile 'nope' is unknown")
