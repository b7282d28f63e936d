"""What depends on SQLite, with a newer SQLite than that of this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
STORE = (
    *("tests/earlier_versions", "tests/store/test_raw_file.py", "tests/store/test_changed_by_others.py"),
    *(
        "tests/store/test_open_file.py",
        "tests/store/test_writer.py",
        "tests/workshop/doctor/test_disk_look.py",
    ),
)
DAMAGE = (
    "tests/store/test_damage.py",
    "tests/store/test_identity.py",
    "tests/damage",
    "-k",
    "not each_bit and not whatever_stands and not commands_say",
)
CRASH = ("tests/crash/test_crash.py", "-k", "2-starting or 6-scribbled or 9-cut or 1-killed")
VERSION = "3.51.1"
LONGEST_S = 600

pytestmark = pytest.mark.skipif(
    find_spec("pysqlite3") is None, reason="pysqlite3-binary has a newer SQLite, for x86_64 only"
)


def test_it_is_the_one_that_is_meant() -> None:
    """In started processes, too."""
    said = subprocess.run(
        [sys.executable, "-c", "import sqlite3; print(sqlite3.sqlite_version)"],
        env=_environment(),
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout == f"{VERSION}\n"


@pytest.mark.parametrize("tests", [STORE, DAMAGE, CRASH], ids=["store", "damage", "crash"])
def test_with_it_the_same_tests_pass(tests: tuple[str, ...], tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--basetemp",
        str(tmp_path),
        *tests,
    ]
    done = subprocess.run(
        command, cwd=ROOT, env=_environment(), capture_output=True, text=True, timeout=LONGEST_S, check=False
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]


_OPEN = """
import sys
from firmware_host.store.open_file import open_store
from firmware_host.store.store_lock import StoreLock
connection = open_store(StoreLock(sys.argv[1]), print)
connection.execute("INSERT INTO log (at, kind, text) VALUES ('', '', '')")
print(connection.execute("SELECT count(*) FROM log").fetchone()[0])
connection.close()
"""


@pytest.mark.parametrize("newer_first", [True, False])
def test_each_opens_the_stores_of_the_other(newer_first: bool, tmp_path: Path) -> None:
    """A statement that SQLite has written itself must not differ."""
    for n, newer in enumerate((newer_first, not newer_first), start=1):
        command = [sys.executable, "-c", _OPEN, str(tmp_path / "table.db")]
        environment = _environment() if newer else None
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
        assert done.stdout == f"{n}\n"


def _environment() -> dict[str, str]:
    """That of this process, without what makes a part of this test run of the other one."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    return kept | {"PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])}
