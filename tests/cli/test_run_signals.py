"""`run` and the signals of the system: asked once or often, in the first moment or in the last."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.run.table_files import VARIABLE
from tests.cli.stores import config_for

PATIENCE_S = 30.0


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (VARIABLE, "RUNTIME_DIRECTORY", "NOTIFY_SOCKET"):
        monkeypatch.delenv(name, raising=False)
    return config_for(tmp_path / "table.db", tmp_path)


@contextmanager
def running(config: Path, world: Path) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "firmware_host.cli", "run", "--config", str(config)]
    command += ["--simulated", str(world)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def wait_until_it_runs(process: subprocess.Popen[str], config: Path) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not (config.parent / HEALTH_FILE).exists():
        assert process.poll() is None and time.monotonic() < end_s, "it does not show its page"
        time.sleep(0.01)


def wait_until_it_heeds(process: subprocess.Popen[Any], number: int) -> None:
    """Until such a signal is kept or caught; before that Python itself is starting."""
    end_s = time.monotonic() + PATIENCE_S
    while not _heeds(process.pid, number):
        assert process.poll() is None and time.monotonic() < end_s


def _heeds(pid: int, number: int) -> bool:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines()
    masks = dict(line.split(":\t") for line in lines if line.startswith(("SigBlk", "SigCgt")))
    return any(int(mask, 16) & 1 << (number - 1) for mask in masks.values())


def test_whoever_asks_for_the_end_in_the_first_moments_gets_a_clean_end(config: Path, world: Path) -> None:
    with running(config, world) as process:
        wait_until_it_heeds(process, signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, told
    assert told.splitlines()[-1].endswith("stopped on request")


def test_a_hangup_in_the_first_moments_is_heeded_when_it_runs(config: Path, world: Path) -> None:
    with running(config, world) as process:
        wait_until_it_heeds(process, signal.SIGHUP)
        process.send_signal(signal.SIGHUP)
        wait_until_it_runs(process, config)
        process.send_signal(signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0, told
    assert "reloaded; takes effect as soon as no match is played" in told


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


def test_whoever_asks_for_the_end_again_and_again_gets_a_clean_end(config: Path, world: Path) -> None:
    with running(config, world) as process:
        wait_until_it_runs(process, config)
        end_s = time.monotonic() + PATIENCE_S
        for number in cycle((signal.SIGTERM, signal.SIGINT)):
            if process.poll() is not None:
                break
            process.send_signal(number)
            assert time.monotonic() < end_s, "it was asked to end, and did not"
            time.sleep(0.001)
        _, told = process.communicate()
    assert process.returncode == 0, told
    assert told.splitlines()[-1].endswith("stopped on request")
