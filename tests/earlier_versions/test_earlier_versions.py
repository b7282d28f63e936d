"""Stores, table.toml and profiles that earlier versions have made: they open, and tell what they told then.

More may be told of them now, but nothing else.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.store.backups import examine, restore
from firmware_host.store.open_file import open_store
from firmware_host.store.store_lock import StoreLock
from hw.ports import Health
from tests.cli.commands import run

HERE = Path(__file__).parent
VERSIONS = sorted(each.parent.name for each in HERE.glob("*/table.db"))


@pytest.fixture(params=VERSIONS)
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The folder with the table of an earlier version, which a test may change."""
    return Path(shutil.copytree(HERE / request.param, tmp_path / "table"))


@pytest.fixture
def told(table: Path) -> dict[str, Any]:
    """What that version has said of it."""
    answers: dict[str, Any] = json.loads((table / "answers.json").read_text())
    return answers


def test_its_rounds_and_standings_are_the_same(table: Path, told: dict[str, Any]) -> None:
    for number, answer in told["recall"].items():
        assert _as_told(_said(table, "recall", "--round", number), answer) == answer
    assert _as_told(_said(table, "players"), told["players"]) == told["players"]


def test_its_settings_and_profiles_are_the_same(table: Path, told: dict[str, Any]) -> None:
    said = run("check", "--config", str(table / "table.toml"), "--print").output
    settings = tomllib.loads(said.replace(f"{table}/", ""))
    assert _as_told(settings, told["check"]) == told["check"]
    assert run("check", "--config", str(table / "table.toml")).exit_code == 0


def test_the_daemon_opens_its_store_and_keeps_it(table: Path) -> None:
    path, lock, reports = str(table / "table.db"), StoreLock(str(table / "table.db")), list[Health]()
    before, rows = examine(path), _rows(path)
    assert before.is_sound and _rows(path) == rows, "whoever reads it leaves it as it is"
    try:
        open_store(lock, reports.append).close()
    finally:
        lock.release()
    after = examine(path)
    assert (after.sessions, after.matches, after.rounds) == (before.sessions, before.matches, before.rounds)
    assert after.is_sound and reports == [] and not list(table.glob("*.broken*"))
    numbers = [(_NOW.get(str(name), name), last) for name, last in rows.pop("sqlite_sequence")]
    now = {_NOW.get(name, name): each for name, each in rows.items()} | {"sqlite_sequence": numbers}
    assert now == _rows(path)


def test_a_backup_of_it_can_be_put_back(table: Path) -> None:
    contents, aside = restore(str(table / "table.db"), str(table / "other.db"), "now")
    assert contents.is_sound and not aside
    assert _rows(str(table / "other.db")) == _rows(str(table / "table.db"))


_NOW = {"chapters": "sessions"}
"""The present names of tables."""


def _rows(path: str) -> dict[str, list[tuple[object, ...]]]:
    """All that is in its tables."""
    with closing(sqlite3.connect(path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {name: connection.execute(f"SELECT * FROM {name}").fetchall() for (name,) in names}


def _said(table: Path, *command: str) -> Any:
    return json.loads(run(*command, "--store", str(table / "table.db"), "--json").output)


def _as_told(now: Any, then: Any) -> Any:
    """What is said now, of that which was said then."""
    if isinstance(then, dict) and isinstance(now, dict):
        return {key: _as_told(now[key], then[key]) for key in then if key in now}
    if isinstance(then, list) and isinstance(now, list) and len(now) == len(then):
        return [_as_told(*pair) for pair in zip(now, then, strict=True)]
    return now
