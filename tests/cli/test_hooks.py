"""The example programs of docs/hooks, on the feed of a real daemon at a simulated table."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from firmware_host.store.store_reader import reading
from tests.cli.commands import run
from tests.lab.cli.started import PATIENCE_S
from tests.lab.cli.test_run_simulated import Run, folder, start
from tests.left_out import needs
from tests.systemd.test_unit import complaints
from tests.systemd.tools import needs_analyze

__all__ = ["folder", "start"]

HOOKS = Path(__file__).parents[2] / "docs" / "hooks"
SHORT = 'wiring = "dice4"\nrounds = 1\nhandicap = [3, 3, 3, 3]\n'


class Lights(HTTPServer):
    """A WLED controller, as far as a program can see."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []
        super().__init__(("127.0.0.1", 0), _Request)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/json/state"


class _Request(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Lights)
        self.server.told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """It has nothing to say."""


@pytest.fixture
def lights() -> Iterator[Lights]:
    with Lights() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def end(process: subprocess.Popen[str]) -> None:
    """End a program with all that it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)


@pytest.fixture
def hooked(folder: Path, tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts programs on the feed, and ends them."""
    with ExitStack() as closing:

        def started(*command: str) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                command,
                env={**os.environ, "FEED": str(folder / "feed.sock")},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
            closing.callback(process.communicate)
            closing.callback(end, process)
            return process

        yield started


@needs("socat", "jq")
def test_each_win_runs_a_command_and_lights_the_lamps(
    start: Callable[..., Run],
    folder: Path,
    tmp_path: Path,
    hooked: Callable[..., subprocess.Popen[str]],
    lights: Lights,
) -> None:
    (tmp_path / "table.toml").write_text(SHORT)
    table = start("--speed", "50", "--config", "table.toml")
    table.until(lambda _: table.page["phase"] not in ("", "starting"))
    for seat, name in enumerate(("Ada", "Bo", "Cy", "Di"), start=1):
        assert run("tell", "name", str(seat), name).exit_code == 0
    seats = tmp_path / "seats"
    shell = hooked(str(HOOKS / "on-win.sh"), "sh", "-c", f'echo "$SEATS" >> {seats}; exit 3')
    python = hooked(sys.executable, str(HOOKS / "win_lights.py"), lights.address, str(folder / "feed.sock"))
    table.until(lambda _: seats.exists() and seats.read_text().count("\n") >= 2)
    table.until(lambda _: sum("ps" in state for state in lights.told) >= 2)
    assert table.end() == 0
    assert shell.wait(PATIENCE_S) == 0 and python.poll() is None
    with reading(str(folder / "simulated.db")) as book:
        won = [match.winners for match in book.matches() if match.state == "finished"]
    told = [tuple(map(int, line.split())) for line in seats.read_text().splitlines()]
    assert told == won[-len(told) :]
    presets = [state["ps"] for state in lights.told if "ps" in state]
    assert presets == [winners[0] for winners in won][-len(presets) :]
    assert {"on": False} in lights.told
    end(python)
    names = ("", "Ada", "Bo", "Cy", "Di")
    assert python.stdout is not None and shell.stdout is not None
    said = python.stdout.read()
    for winners in won[-len(presets) :]:
        assert f"won by {' and '.join(names[seat] for seat in winners)}\n" in said
    assert "on-win.sh: exit code 3: sh -c" in shell.stdout.read()


def test_lights_go_on_where_they_were_when_the_table_comes_back(
    start: Callable[..., Run],
    folder: Path,
    tmp_path: Path,
    hooked: Callable[..., subprocess.Popen[str]],
    lights: Lights,
) -> None:
    (tmp_path / "table.toml").write_text(SHORT)
    hooked(sys.executable, str(HOOKS / "win_lights.py"), lights.address, str(folder / "feed.sock"))
    for _ in range(2):
        lights.told.clear()
        table = start("--speed", "50", "--config", "table.toml")
        table.until(lambda _: any("ps" in state for state in lights.told))
        table.process.kill()
        table.process.wait()


@needs_analyze
def test_the_unit_of_the_example_is_sound(tmp_path: Path) -> None:
    unit = tmp_path / "ligretto-on-win.service"
    text = (HOOKS / unit.name).read_text()
    unit.write_text(text.replace("/usr/local/bin/on-win.sh", str(HOOKS / "on-win.sh")))
    assert complaints(unit) == ""


def test_the_guide_shows_the_examples_as_they_are() -> None:
    guide = (HOOKS.parent / "hooks.md").read_text()
    for name in ("on-win.sh", "ligretto-on-win.service"):
        assert (HOOKS / name).read_text().rstrip() in guide
    assert "hooks/win_lights.py" in guide
