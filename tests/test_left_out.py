"""A run of tests says at its end what it was made on, and what it left out."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hw.gpio.gpio_chips import LibraryMissing
from tests import left_out
from tests.left_out import told, unless_lgpio_is_missing

ROOT = Path(__file__).parent.parent
TESTS = """
import pytest
from tests.left_out import needs

@needs("socat", "jq")
@pytest.mark.parametrize("number", range(3))
def test_of_a_program(number): pass

def test_of_the_day(): pytest.skip("it is Monday")

def test_of_nothing(): pass
"""
COUNTED = 'import pytest\n@pytest.mark.counted\ndef test_of_rights(): pytest.skip("only root can")\n'


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., list[str]]:
    """Runs pytest on a machine without programs; what it says after its heading, with its closing line."""
    (tmp_path / "conftest.py").write_text("from tests.left_out import pytest_terminal_summary\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = counted\n")
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_counted.py").write_text(COUNTED)
    environment = {"PYTHONPATH": str(ROOT), "PATH": str(tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}

    def run(*arguments: str) -> list[str]:
        command = [sys.executable, "-m", "pytest", *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        _, heading, section = done.stdout.partition(" what it ran on ")
        assert heading, done.stdout
        return [line for line in section.splitlines()[1:] if line]

    return run


def test_a_missing_program_is_one_line_with_its_package(run: Callable[..., list[str]]) -> None:
    ran_on, *left_out, closing = run("test_some.py")
    assert ran_on.startswith(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, ")
    assert f" {platform.release()}, as {'an ordinary user' if os.geteuid() else 'root'}" in ran_on
    assert left_out == [
        "1 left out: it is Monday",
        "3 left out: no socat and no jq here: sudo apt install jq socat",
    ]
    assert "1 passed, 4 skipped" in closing


def test_what_was_left_out_in_the_run_before_is_told_with_the_rest(run: Callable[..., list[str]]) -> None:
    before = "1 left out: only root can"
    assert run("-m", "counted")[1] == before
    assert before in run("-m", "not counted")


def test_where_nothing_is_left_out_it_says_so() -> None:
    assert told({})[1:] == ["no test was left out"]


@pytest.mark.parametrize(
    ("there", "missing", "ending"),
    [
        (None, "the pins 'rpigpio' can't be had", pytest.skip.Exception),
        (None, "the Python package gpiod can't be imported", LibraryMissing),
        ("lgpio", "the pins 'lgpio' can't be had", LibraryMissing),
    ],
)
def test_what_needs_lgpio_is_left_out_where_there_is_none(
    there: str | None, missing: str, ending: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(left_out, "find_spec", lambda name: there)
    running = unless_lgpio_is_missing()
    next(running)
    with pytest.raises(ending):
        running.throw(LibraryMissing(missing, "install it"))
