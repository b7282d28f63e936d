"""The daemon as the service would run it: real drivers, notify socket, watchdog, kill -9, SIGTERM."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.model.effects import Judged, WasInterrupted
from firmware_host.model.times import format_duration
from firmware_host.store.store_reader import reading
from tests.kernel.guest.gpio_sim import SimChip
from tests.kernel.guest.i2c_stub import stub_bus
from tests.kernel.guest.test_whole_dice import ROUNDS, check_verdicts, plan_of, profile_text, profile_with
from tests.kernel.guest.whole_match import SETTINGS

PATIENCE_S = 80.0
WATCHDOG_S = 4
OUTAGES = (4, 13)
"""After so many moves the daemon is killed: once in each round."""
WINDOWS = ("button_settle", "slot_settle", "count", "stop", "leftover", "scores")


class Service:
    """Runs the daemon and hears what it tells systemd."""

    def __init__(self, folder: Path) -> None:
        self.heard: list[str] = []
        self._folder = folder
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(folder / "notify"))
        self._socket.setblocking(False)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = os.environ | {
            "NOTIFY_SOCKET": str(self._folder / "notify"),
            "WATCHDOG_USEC": str(WATCHDOG_S * 1_000_000),
            "RUNTIME_DIRECTORY": str(self._folder),
            "LIGRETTO_TABLE_CONFIG": str(self._folder / "table.toml"),
        }
        self.heard.clear()
        self._process = subprocess.Popen([sys.executable, "-m", "firmware_host.cli", "run"], env=environment)
        self.wait("READY=1", lambda: "READY=1" in self.heard)

    @property
    def pid(self) -> int:
        """The process of the daemon that runs now."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Ask it to end; its exit code."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(PATIENCE_S)
        self.listen()
        return code

    def wait(self, what: str, happens: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not happens():
            self.listen()
            assert self._process is None or self._process.poll() is None, f"the daemon ended before {what}"
            assert time.monotonic() < deadline, f"no {what}; heard {self.heard}"
            time.sleep(0.05)

    def listen(self) -> None:
        while True:
            try:
                self.heard += self._socket.recv(4096).decode().splitlines()
            except BlockingIOError:
                return

    def phase(self) -> str:
        """What the health page of this very process says."""
        try:
            page = json.loads((self._folder / "health.json").read_text())
        except FileNotFoundError:
            return "none"
        assert self._process is not None and page["pid"] == self._process.pid
        return str(page["phase"])

    def close(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._socket.close()


@contextmanager
def service(folder: Path) -> Iterator[Service]:
    made = Service(folder)
    try:
        yield made
    finally:
        made.close()


def write_config(folder: Path, bus: int, rounds: int = len(ROUNDS)) -> None:
    """A table.toml as an operator writes one."""
    (folder / "wiring.toml").write_text(profile_text(bus, folder))
    times = "\n".join(
        f'{name.replace("_", "-")} = "{format_duration(getattr(SETTINGS, f"{name}_ns"))}"' for name in WINDOWS
    )
    store = f'[store]\nfile = "{folder / "table.db"}"\n'
    (folder / "tags.csv").write_text("uid,tag\n")
    head = f'wiring = "wiring.toml"\nrounds = {rounds}\ntags = "tags.csv"\nvariant = "expert"\n'
    (folder / "table.toml").write_text(f"{head}\n[timing]\n{times}\n\n{store}")


@pytest.mark.parametrize("rounds", [1, pytest.param(len(ROUNDS), marks=pytest.mark.long)])
def test_the_daemon_plays_a_match_through_a_kill_in_each_round(
    chip: SimChip, tmp_path: Path, rounds: int
) -> None:
    with stub_bus([0x20, 0x21, 0x70]) as bus, service(tmp_path) as daemon:
        write_config(tmp_path, bus, rounds)
        outage = tmp_path / "outage"
        plan = plan_of(profile_with(bus, tmp_path), bus, chip, tmp_path, rounds)
        plan |= {"outage": str(outage), "outages": OUTAGES[:rounds]}
        files = [tmp_path / name for name in ("plan", "result")]
        files[0].write_text(json.dumps(plan))
        hands = subprocess.Popen([sys.executable, "-m", "tests.kernel.guest.dice_hands", *map(str, files)])
        try:
            daemon.wait("hands", (tmp_path / "ready").exists)
            daemon.start()
            for _ in range(rounds):
                daemon.wait("a time to be killed", outage.exists)
                assert daemon.phase() == "play"
                daemon.kill()
                daemon.start()
                daemon.wait("the round again", lambda: daemon.phase() == "play")
                outage.unlink()
            daemon.wait("the end of the match", files[1].exists)
            daemon.wait("the watchdog to be fed", lambda: daemon.heard.count("WATCHDOG=1") >= 2)
            assert daemon.stop() == 0
            assert "STOPPING=1" in daemon.heard
            assert hands.wait(20) == 0  # they have seen the table go dark
        finally:
            hands.kill()
            hands.wait()
    assert not (tmp_path / "health.json").exists()
    check_store(tmp_path / "table.db", json.loads(files[1].read_text())["totals"], rounds)


def check_store(file: Path, totals: list[int], count: int) -> None:
    """The store has the standings that the hands have, and every verdict once."""
    with reading(str(file)) as book:
        (match,) = book.matches()
        assert (match.state, list(match.totals)) == ("finished", totals)
        decisions = [decision.effect for decision in book.decisions(match.session)]
        rounds = book.rounds()
    assert [each.state for each in rounds] == ["scored"] * count
    assert len([each for each in decisions if isinstance(each, WasInterrupted)]) == count
    check_verdicts([each for each in decisions if isinstance(each, Judged)], count)
