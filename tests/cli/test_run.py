"""`run`: what keeps a table from being run, and a daemon that others ask for."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from firmware_host.cli.run import BUG, _run
from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.run import health
from firmware_host.run.system import UnixSignals
from firmware_host.run.table_files import VARIABLE
from tests.browser.tables import PATIENCE_S, wait_for
from tests.cli.commands import run
from tests.cli.services import daemon, empty_world
from tests.cli.stores import config_for
from tests.store.shelves import lock


@pytest.fixture(autouse=True)
def _by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody but the test says which table it is, or where its page is."""
    for name in (VARIABLE, "RUNTIME_DIRECTORY", "NOTIFY_SOCKET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(health, "SERVICE_FOLDER", tmp_path / "run")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return config_for(tmp_path / "table.db", tmp_path)


# -- a simulated table


def test_without_a_world_it_says_how_to_start_one(config: Path, tmp_path: Path) -> None:
    result = run("run", "--config", str(config), "--simulated", str(tmp_path / "world"))
    assert result.exit_code == 2
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("ligretto-table:")]
    assert line == (
        f"ligretto-table: {tmp_path}/world: no simulated world listens there (No such file or directory); "
        "start one in another terminal: python -m firmware_host.lab.world "
        f"{tmp_path}/world --profile dice4"
    )
    assert "Traceback" not in result.output and "internal error" not in result.output


def test_a_path_that_no_socket_can_have_is_told(config: Path) -> None:
    result = run("run", "--config", str(config), "--simulated", "/tmp/" + "x" * 200)
    assert result.exit_code == 2 and "listens there (AF_UNIX path too long)" in result.stderr


def test_in_a_world_of_another_table_it_says_how_to_start_the_right_one(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text(f'wiring = "cards4"\ntags = "gone.csv"\n[store]\nfile = "{tmp_path}/cards.db"\n')
    result = run("run", "--config", str(path), "--simulated", str(world))
    assert result.exit_code == 2
    assert "this world has another table: lines, lamps, readers differ; start one" in result.stderr
    assert result.stderr.endswith(f"firmware_host.lab.world {world} --profile cards4\n")


def test_a_socket_of_somebody_else_is_no_world(config: Path, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "other"))
        listening.listen()
        with daemon(config, tmp_path / "other") as process:
            connected, _ = listening.accept()
            connected.sendall(b"220 mail.example.org\n")
            _, told = process.communicate(timeout=PATIENCE_S)
            connected.close()
    assert process.returncode == 2, told
    assert "what listens there is not a simulated world" in told and "Traceback" not in told


def test_the_help_says_how_to_run_without_hardware() -> None:
    told = run("run", "--help").stdout
    assert "ligretto-table run --simulated\n" in told
    assert VARIABLE in told


# -- other refusals


def test_a_machine_without_gpio_says_where_the_simulated_table_is(config: Path) -> None:
    result = run("run", "--config", str(config))
    if "this machine has none" not in result.stderr:
        pytest.skip("this machine has GPIO chips")
    assert result.exit_code == 3 and "`ligretto-table run --help` says how" in result.stderr


@pytest.mark.parametrize("there", ["", "var", "var/lib"])
def test_a_table_that_can_not_be_run_leaves_no_folder(there: str, tmp_path: Path) -> None:
    """Of root's: the service's own user could not write in it later."""
    (tmp_path / there).mkdir(parents=True, exist_ok=True)
    config = config_for(tmp_path / "var/lib/ligretto/table.db", tmp_path)
    before = sorted(tmp_path.rglob("*"))
    result = run("run", "--config", str(config), "--simulated", str(tmp_path / "world"))
    assert result.exit_code == 2
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_was_there_keeps_its_store(config: Path, tmp_path: Path) -> None:
    (tmp_path / "other.txt").write_text("mine")
    assert run("run", "--config", str(config), "--simulated", str(tmp_path / "world")).exit_code == 2
    assert (tmp_path / "table.db").exists() and (tmp_path / "other.txt").read_text() == "mine"


def test_a_table_that_runs_already(config: Path, tmp_path: Path) -> None:
    let_go = lock(str(tmp_path / "table.db"))
    result = run("run", "--config", str(config))
    let_go()
    assert result.exit_code == 4 and "stop that one first" in result.stderr


def test_nothing_stays_open(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The warnings of this test run are errors: a socket that is not closed would be one."""
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "nobody"))
    before = set(os.listdir("/proc/self/fd"))
    assert run("run", "--config", str(config), "--simulated", str(tmp_path / "world")).exit_code == 2
    assert set(os.listdir("/proc/self/fd")) <= before


# -- seen by others


def test_others_see_what_is_the_matter_with_it_whether_it_hangs_and_that_it_was_killed(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "lib"
    page = folder / HEALTH_FILE
    config = config_for(folder / "table.db", tmp_path)

    def told(exit_code: int) -> str:
        """What `status` says as soon as it ends with that code."""

        def asked() -> str:
            result = run("status", "--config", str(config))
            return result.output if result.exit_code == exit_code else ""

        return str(wait_for(f"a status of {exit_code}", asked))

    with daemon(config, world) as process:
        wait_for("its page", page.exists)
        assert "all devices are ok\nsince then: nothing\n" in told(0)
        shutil.rmtree(folder)
        lost = told(1)
        assert "dice for 4: attract" in lost
        assert f"check disk: {page} can't be written: No such file or directory" in lost
        folder.mkdir()
        wait_for("its page in the new folder", page.exists)
        process.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(health, "SILENT_NS", 0)
        assert f"restart it: kill -KILL {process.pid}," in told(1)
        process.kill()
        process.wait()
        assert page.exists()
        assert "start it with: ligretto-table run" in told(2)


def test_a_world_that_goes_away_is_told(config: Path, tmp_path: Path) -> None:
    with empty_world(tmp_path / "world") as world, daemon(config, tmp_path / "world") as process:
        wait_for("its page", (tmp_path / HEALTH_FILE).exists)
        world.kill()
        world.wait()
        _, told = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 2, told
        assert "the simulated world has gone" in told and "Traceback" not in told


# -- limits of the process


@pytest.mark.parametrize(
    ("which", "limit", "told"),
    [
        (resource.RLIMIT_NOFILE, 15, "only 15 file descriptors; run needs 24: raise the limit (ulimit -n"),
        (
            resource.RLIMIT_AS,
            60 << 20,
            "only 60 MiB of address space; run needs 64: raise the limit (ulimit -v",
        ),
    ],
)
def test_limits_below_what_it_needs_are_told_in_a_line(which: int, limit: int, told: str) -> None:
    program = (
        "import resource, sys; sys.argv = ['ligretto-table', 'run', '--simulated']\n"
        f"resource.setrlimit({which}, ({limit}, {limit}))\n"
        "from firmware_host.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"ligretto-table: this process may have {told}")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "shortage",
    [MemoryError(), OSError(errno.EMFILE, "Too many open files"), RuntimeError("can't start new thread")],
)
def test_whatever_is_short_at_the_start_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], shortage: Exception
) -> None:
    class Daemon:
        host = None

        def run(self) -> bool:
            try:
                raise shortage
            finally:
                raise ValueError("what is to be closed was never opened")

    with UnixSignals() as signals:
        assert _run(Daemon(), {}, signals) == BUG  # type: ignore[arg-type]
    told = capsys.readouterr().err
    assert told.startswith(f"ligretto-table: it can't start: {shortage!r}; ") and told.count("\n") == 1


# -- signals: asked once or often, in the first moment or in the last


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
