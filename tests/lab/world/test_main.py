"""The world as a person meets it: a program that a daemon plays in, is killed in, and plays on in."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE_S = 30.0


def start(*command: str, folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "RUNTIME_DIRECTORY": str(folder), "PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    words = [sys.executable, "-m", *command]
    return subprocess.Popen(words, stdout=pipe, stderr=subprocess.STDOUT, text=True, env=environment)


def wait_for(happens: Callable[[], bool]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not happens():
        assert time.monotonic() < end_s
        time.sleep(0.05)


def health(folder: Path) -> dict[str, Any]:
    try:
        page: dict[str, Any] = json.loads((folder / "health.json").read_text())
    except (FileNotFoundError, json.JSONDecodeError):
        return {"phase": "", "pid": 0}
    return page


def test_a_daemon_plays_is_killed_and_plays_on(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text(f'wiring = "dice4"\n[store]\nfile = "{tmp_path / "table.db"}"\n')
    socket = tmp_path / "world"
    world = start("firmware_host.lab.world", str(socket), "--speed", "10", folder=tmp_path)
    try:
        wait_for(socket.exists)
        run = ("firmware_host.cli", "run", "--config", str(config), "--simulated", str(socket))
        first = start(*run, folder=tmp_path)
        wait_for(lambda: health(tmp_path)["phase"] == "play")
        first.kill()
        first.communicate()
        second = start(*run, folder=tmp_path)
        wait_for(lambda: health(tmp_path)["pid"] == second.pid)
        second.send_signal(signal.SIGTERM)
        log, _ = second.communicate(timeout=PATIENCE_S)
        assert second.returncode == 0
        assert "the match is resumed: play" in log
    finally:
        world.send_signal(signal.SIGINT)
        told, _ = world.communicate(timeout=PATIENCE_S)
    assert world.returncode == 0
    assert told.splitlines() == [
        f"a table of dice4 listens at {socket}",
        f"daemon {first.pid} plays",
        f"daemon {first.pid} has gone",
        f"daemon {second.pid} plays",
        f"daemon {second.pid} has gone",
    ]
    assert not socket.exists()


def test_it_says_how_it_is_used() -> None:
    command = [sys.executable, "-m", "firmware_host.lab.world", "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "Examples:" in told and "run --config table.toml --simulated" in told


def refused(*arguments: str) -> str:
    """The one line that it says before it ends."""
    command = [sys.executable, "-m", "firmware_host.lab.world", *arguments]
    told = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert (told.returncode, told.stdout) == (2, "")
    (line,) = told.stderr.splitlines()
    return line


def test_what_is_wrong_is_told_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "table"
    assert refused(str(path), "--profile", "nope").startswith("world: profile 'nope' is unknown; known: ")
    gone = tmp_path / "gone" / "table"
    assert refused(str(gone)) == f"world: {gone}: nothing can listen there: No such file or directory"
    path.write_text("mine")
    assert refused(str(path)) == f"world: {path} is a file, not a socket; name another one"
    assert path.read_text() == "mine"
