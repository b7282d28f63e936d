"""The world as a person meets it: a program that a daemon plays in, is killed in, and plays on in."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.feed.addresses import HEALTH_FILE
from tests.browser.tables import PATIENCE_S, wait_for
from tests.cli.services import daemon
from tests.cli.stores import config_for

WORLD = [sys.executable, "-m", "firmware_host.lab.world"]


def test_a_daemon_plays_is_killed_and_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    config, socket = config_for(tmp_path / "table.db", tmp_path), tmp_path / "world"

    def shows(key: str, value: object) -> bool:
        path = tmp_path / HEALTH_FILE
        return path.exists() and json.loads(path.read_text())[key] == value

    command = [*WORLD, str(socket), "--speed", "10"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as world:
        try:
            wait_for("the socket", socket.exists)
            with daemon(config, socket) as first:
                wait_for("a round", lambda: shows("phase", "play"))
            with daemon(config, socket) as second:
                wait_for("the page of the second", lambda: shows("pid", second.pid))
                second.send_signal(signal.SIGTERM)
                _, log = second.communicate(timeout=PATIENCE_S)
        finally:
            world.send_signal(signal.SIGINT)
            try:
                told, _ = world.communicate(timeout=PATIENCE_S)
            finally:
                world.kill()  # else leaving the block would wait for ever
    assert second.returncode == 0 and "the match is resumed: play" in log
    assert world.returncode == 0
    assert told.splitlines() == [
        f"a table of dice4 listens at {socket}",
        f"daemon {first.pid} plays",
        f"daemon {first.pid} has gone",
        f"daemon {second.pid} plays",
        f"daemon {second.pid} has gone",
    ]
    assert not socket.exists()


def said(code: int, *arguments: str) -> str:
    """What it says before it ends with that exit code."""
    told = subprocess.run(
        [*WORLD, *arguments], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert told.returncode == code and not (told.stdout and told.stderr)
    return told.stdout + told.stderr


def test_it_says_how_it_is_used_and_what_is_wrong_in_a_line(tmp_path: Path) -> None:
    told = said(0, "--help")
    assert "Examples:" in told and "run --config table.toml --simulated" in told
    path, gone = tmp_path / "table", tmp_path / "gone" / "table"
    unknown = said(2, str(path), "--profile", "nope")
    assert unknown.startswith("world: profile 'nope' is unknown; known: ") and unknown.count("\n") == 1
    assert said(2, str(gone)) == f"world: {gone}: nothing can listen there: No such file or directory\n"
    path.write_text("mine")
    assert said(2, str(path)) == f"world: {path} is a file, not a socket; name another one\n"
    assert path.read_text() == "mine"
