"""What an operator does, rehearsed at simulated tables: each with one command."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest

from firmware_host.run.table_files import load_profile
from hw.sim.agenda import PacedClock
from tests.cli.commands import run
from wiring import profile_names

PATIENCE_S = 60.0


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    # Signals are the test run's.
    monkeypatch.setattr("firmware_host.workshop.cli.tag_readers._end_politely", lambda: None)
    for name in ("RUNTIME_DIRECTORY", "NOTIFY_SOCKET", "LIGRETTO_TABLE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "ligretto-table"


# -- tags enrol


def test_enrolling_is_rehearsed_with_a_tags_file_of_its_own(folder: Path) -> None:
    words = ["tags", "enrol", "--simulated", "--speed", "100"]
    words += ["--only", "card 3 red 1", "--only", "card 3 red 2"]
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("2 enrolled now, none left\n")
    file = folder / "simulated-tags.csv"
    assert len(file.read_text().splitlines()) == 3
    again = run(*words)
    assert "2 of 2 tags; 0 to go through" in again.stdout


def test_dice_are_enrolled_at_a_reader_that_is_named(folder: Path) -> None:
    words = ["--profile", "dice4-rfid", "--only", "die 5 face 2", "--reader", "red 3"]
    result = run("tags", "enrol", "--simulated", "--speed", "100", *words)
    assert result.exit_code == 0 and "1 enrolled now, none left" in result.stdout, result.output


@pytest.mark.parametrize("name", [name for name in profile_names() if load_profile(name).readers])
def test_without_a_reader_named_a_tag_comes_to_one_that_counts(name: str) -> None:
    item = "die 5 face 2" if load_profile(name).game == "dice" else "card 1 red 1"
    words = ["--profile", name, "--only", item]
    result = run("tags", "enrol", "--simulated", "--speed", "100", *words)
    assert result.exit_code == 0 and result.stdout.endswith("1 enrolled now, none left\n"), result.output
    assert "does not count" not in result.output


def test_the_tags_of_a_table_toml_are_left_alone(tmp_path: Path, folder: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text('wiring = "cards4"\ntags = "tags.csv"\n')
    words = ["--config", str(config), "--only", "card 1 red 1"]
    assert run("tags", "enrol", "--simulated", "--speed", "100", *words).exit_code == 0
    assert not (tmp_path / "tags.csv").exists() and (folder / "simulated-tags.csv").exists()


def test_a_speed_needs_a_rehearsal() -> None:
    result = run("tags", "enrol", "--speed", "2", "--profile", "cards4", "--file", "tags.csv")
    assert result.exit_code == 2 and "add --simulated" in result.stderr


# -- doctor --walk


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        (["--walk", "buttons"], "4 of 4: all have come"),
        (["--walk", "readers", "--profile", "cards2"], "2 of 2: all have seen a tag"),
        (["--walk", "leds", "--step", "0.1", "--profile", "dice4-direct"], None),
    ],
)
def test_a_walk_is_rehearsed(words: list[str], ends: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "firmware_host.workshop.cli.rehearsal.PacedClock", lambda speed: PacedClock(10 * speed)
    )
    result = run("doctor", "--simulated", *words)
    assert result.exit_code == 0, result.output
    assert "this machine is not checked" in result.stdout
    assert "0 fail" in result.stdout and "preemption" not in result.stdout
    assert ends is None or ends in result.stdout


def test_only_walks_are_rehearsed() -> None:
    for words in ([], ["--walk", "buttons", "--jitter", "1"]):
        result = run("doctor", "--simulated", *words)
        assert result.exit_code == 2 and "add --walk buttons" in result.stderr


# -- service mode


class Terminal:
    """A table in a terminal, at which keys are pressed."""

    def __init__(self, *options: str) -> None:
        self.said = ""
        self.pid, self._descriptor = pty.fork()
        if self.pid == 0:
            command = [
                sys.executable,
                "-m",
                "firmware_host.cli",
                "run",
                "--simulated",
                "--seed",
                "1",
                *options,
            ]
            os.execv(sys.executable, command)

    def until(self, text: str) -> None:
        """Read on until somewhere in what is new that stands."""
        end_s = time.monotonic() + PATIENCE_S
        while not re.search(text, self.said):
            assert time.monotonic() < end_s, self.said
            if select.select([self._descriptor], (), (), 0.5)[0]:
                self.said += os.read(self._descriptor, 65536).decode()
        self.said = self.said[re.search(text, self.said).end() :]  # type: ignore[union-attr]

    def type(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def close(self) -> int:
        """End it as people do; its exit code."""
        self.type("\x03")
        end_s = time.monotonic() + PATIENCE_S
        while not (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            if time.monotonic() > end_s:
                os.kill(self.pid, signal.SIGKILL)
            if select.select([self._descriptor], (), (), 0.1)[0]:
                try:
                    os.read(self._descriptor, 65536)
                except OSError:
                    time.sleep(0.05)
        os.close(self._descriptor)
        return os.waitstatus_to_exitcode(ended[1])


def test_service_mode_is_rehearsed_with_keys() -> None:
    terminal = Terminal("--speed", "20")
    try:
        terminal.until("keys: s service mode")
        terminal.until("counts")
        terminal.type("s")
        terminal.until(r"Tests +\|")
        terminal.type("1")
        terminal.until(r"Counters +\|")
        terminal.type("b")
        terminal.until("counts")  # hands are back, and the round goes on
    finally:
        assert terminal.close() == 0
