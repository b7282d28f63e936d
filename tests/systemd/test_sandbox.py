"""The daemon's parts under the system calls that the unit leaves them: none asks for more."""

from __future__ import annotations

import ctypes
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.feed.addresses import UNIT_FILE
from tests.systemd.sandbox import LIBRARY, allowed_calls
from tests.systemd.tools import needs_analyze, put, rendered

ROOT = Path(__file__).parent.parent.parent

PARTS = """
import logging, os, sqlite3, sys
from pathlib import Path
import gpiod, smbus2
from firmware_host.run.system import logging_to
from firmware_host.run.system import Notifier
from hw.clock import MonotonicClock
from hw.serial_port import PyserialPort

folder = Path(sys.argv[1])
with logging_to():
    clock = MonotonicClock()                      # ctypes
    clock.wait(clock.now_ns() + 1_000_000, [])
    notifier = Notifier({"NOTIFY_SOCKET": str(folder / "nobody")})
    notifier.ready()                              # fails, and is logged
    store = sqlite3.connect(folder / "table.db")
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("CREATE TABLE inputs (text)")
    store.commit()
    other, own = os.openpty()
    port = PyserialPort(os.ttyname(own), 9600)
    port.write(b"so")
    assert os.read(other, 10) == b"so"
    port.close()
print("all parts work")
"""


def why_not() -> str:
    """Why the filter can't be made here; empty if it can."""
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        return f"no {LIBRARY} here: sudo apt install libseccomp2"
    return ""


pytestmark = [needs_analyze, pytest.mark.skipif(bool(why_not()), reason=why_not() or "it is there")]


def confined(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python under the unit's filter."""
    unit = put(rendered(UNIT_FILE), folder)
    sandbox = [sys.executable, "-m", "tests.systemd.sandbox", str(unit), sys.executable]
    return subprocess.run([*sandbox, *command], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_parts_of_the_daemon_work(tmp_path: Path) -> None:
    done = confined(tmp_path, "-c", PARTS, str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert done.stdout == "all parts work\n"
    assert "systemd could not be notified of 'READY=1'" in done.stderr


def test_a_match_is_played(tmp_path: Path) -> None:
    done = confined(
        tmp_path, "-m", "firmware_host.cli", "simulate", "--matches", "1", "--rounds", "1", "--seed", "1"
    )
    assert done.returncode == 0, done.stderr
    assert "1 matches of dice, 1 rounds" in done.stdout


@pytest.mark.parametrize(
    "script",
    [
        "import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)",
        "import os; os.nice(1)",
        "import os; os.chroot('/')",
        "import time; time.clock_settime(time.CLOCK_REALTIME, time.time())",
    ],
    ids=["code that is written", "another priority", "another root", "another time"],
)
def test_what_is_not_allowed_ends_it(script: str, tmp_path: Path) -> None:
    assert confined(tmp_path, "-c", script).returncode == -signal.SIGSYS


def test_the_filter_is_the_one_of_the_unit() -> None:
    unit = rendered(UNIT_FILE).text
    allowed = allowed_calls(unit)
    assert {"read", "futex", "ioctl", "pselect6", "sendto"} <= allowed
    assert not {"setuid", "mount", "bpf", "init_module", "sched_setscheduler"} & allowed
    assert allowed_calls("SystemCallFilter=read") == {"read"} | allowed_calls("")
