"""`run` and the signals of the system: asked once or often, in the first moment or in the last."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.run.table_files import VARIABLE
from tests.browser.tables import PATIENCE_S, wait_for
from tests.cli.services import daemon
from tests.cli.stores import config_for


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (VARIABLE, "RUNTIME_DIRECTORY", "NOTIFY_SOCKET"):
        monkeypatch.delenv(name, raising=False)
    return config_for(tmp_path / "table.db", tmp_path)


def wait_until_it_heeds(process: subprocess.Popen[Any], number: int) -> None:
    """Until such a signal is kept or caught; before that Python itself is starting."""
    wait_for(
        f"its heed of signal {number}", lambda: process.poll() is not None or _heeds(process.pid, number)
    )
    assert process.poll() is None


def ask_again_and_again(process: subprocess.Popen[Any]) -> None:
    """Ask for the end until it has come."""
    end_s = time.monotonic() + PATIENCE_S
    for number in cycle((signal.SIGTERM, signal.SIGINT)):
        if process.poll() is not None:
            return
        process.send_signal(number)
        assert time.monotonic() < end_s, "it was asked to end, and did not"
        time.sleep(0.001)


def _heeds(pid: int, number: int) -> bool:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    masks = dict(line.split(":\t") for line in lines if line.startswith(("SigBlk", "SigCgt")))
    return any(int(mask, 16) & 1 << (number - 1) for mask in masks.values())


def test_whoever_asks_for_the_end_in_the_first_moments_gets_a_clean_end(config: Path, world: Path) -> None:
    with daemon(config, world) as process:
        wait_until_it_heeds(process, signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, told
    assert told.splitlines()[-1].endswith("stopped on request")


def test_a_hangup_in_the_first_moments_is_heeded_when_it_runs_and_an_end_asked_for_often_is_clean(
    config: Path, world: Path
) -> None:
    with daemon(config, world) as process:
        wait_until_it_heeds(process, signal.SIGHUP)
        process.send_signal(signal.SIGHUP)
        wait_for("its page", (config.parent / HEALTH_FILE).exists)
        ask_again_and_again(process)
        _, told = process.communicate()
    assert process.returncode == 0, told
    assert "reloaded; takes effect as soon as no match is played" in told
    assert told.splitlines()[-1].endswith("stopped on request")


def test_before_anything_takes_long_to_import_signals_are_kept() -> None:
    program = (
        "import os, signal, sys; sys.argv = ['ligretto-table', 'run', '--help']\n"
        "class Import:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT):\n"
        "            if name == 'click': os.kill(os.getpid(), number)\n"
        "sys.meta_path.insert(0, Import())\n"
        "from firmware_host.cli import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.returncode
    assert "Run the table until it is stopped" in done.stdout
