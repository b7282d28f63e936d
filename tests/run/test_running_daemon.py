"""Whether a daemon runs, and whether it answers, as somebody else sees it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.model.times import S
from firmware_host.run.daemon import PAGE_NS, STEP_NS
from firmware_host.run.health import SILENT_NS, HealthFile, running_in, running_spare, since_boot_ns
from firmware_host.run.table_files import load_profile
from tests.run.evenings import config_for
from tests.store.shelves import lock, open_folder, without_rights


def write_page(folder: Path, pid: int | None = None, **changes: Any) -> None:
    """The page of a daemon whose store is beside it."""
    config = replace(config_for(load_profile("dice4"), folder / "table.db"), file=str(folder / "table.toml"))
    HealthFile(folder, config).write({"pid": os.getpid() if pid is None else pid, "phase": "attract"})
    path = folder / HEALTH_FILE
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def long_ago() -> int:
    return since_boot_ns() - SILENT_NS - 1 * S


@pytest.fixture
def ended() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.fixture
def young() -> Iterator[int]:
    """The number of a process that was started just now."""
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    yield process.pid
    process.communicate(b"\n")


@pytest.fixture
def let_go(tmp_path: Path) -> Iterator[Callable[[], None]]:
    """The lock on the store is held until this is called."""
    locks = [lock(str(tmp_path / "table.db"))]

    def let_go() -> None:
        while locks:
            locks.pop()()

    yield let_go
    let_go()


def test_a_page_is_written_often_enough_to_tell_silence() -> None:
    assert PAGE_NS + STEP_NS < SILENT_NS


def test_a_daemon_that_has_its_store_runs(tmp_path: Path, let_go: Callable[[], None]) -> None:
    write_page(tmp_path)
    running = running_in(tmp_path)
    assert running is not None and not running.silent
    assert (running.store, running.config) == (str(tmp_path / "table.db"), str(tmp_path / "table.toml"))
    assert running.page["phase"] == "attract"


def test_one_that_has_stopped_writing_is_silent(tmp_path: Path, let_go: Callable[[], None]) -> None:
    write_page(tmp_path, stamp_ns=long_ago())
    running = running_in(tmp_path)
    assert running is not None and running.silent


def test_a_page_of_before_the_machine_was_started_is_no_answer(
    tmp_path: Path, let_go: Callable[[], None]
) -> None:
    write_page(tmp_path, stamp_ns=since_boot_ns() + 1000 * S)
    running = running_in(tmp_path)
    assert running is not None and running.silent


def test_one_that_was_killed_does_not_run(tmp_path: Path, let_go: Callable[[], None], ended: int) -> None:
    let_go()
    write_page(tmp_path, ended)
    assert running_in(tmp_path) is None


def test_a_number_that_was_given_again_is_another_process(tmp_path: Path, young: int) -> None:
    lock(str(tmp_path / "table.db"))()
    write_page(tmp_path, young, stamp_ns=since_boot_ns() - 10 * S)
    assert running_in(tmp_path) is None
    write_page(tmp_path, 1, stamp_ns=long_ago())
    assert running_in(tmp_path) is None


def test_one_whose_disk_takes_no_lock_runs_as_long_as_its_process(tmp_path: Path, ended: int) -> None:
    write_page(tmp_path)
    running = running_in(tmp_path)
    assert running is not None and not running.silent
    write_page(tmp_path, ended)
    assert running_in(tmp_path) is None
    write_page(tmp_path, 2**40)
    assert running_in(tmp_path) is None


def test_a_process_of_somebody_else_is_there(tmp_path: Path) -> None:
    write_page(tmp_path, 1)
    assert running_in(tmp_path) is not None


def test_where_the_lock_may_not_be_looked_at_the_process_tells(young: int) -> None:
    with open_folder() as folder:
        lock(str(folder / "table.db"))()
        os.chmod(folder / "table.db", 0)
        write_page(folder, young, stamp_ns=long_ago())
        with without_rights(folder):
            assert running_in(folder) is None
        write_page(folder, 1, stamp_ns=long_ago())
        with without_rights(folder):
            running = running_in(folder)
        assert running is not None and running.silent


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "7", "{}", '{"pid": 1}', '{"pid": [], "stamp_ns": 1, "store": ""}'),
        '{"pid": 1, "stamp_ns": Infinity, "store": ""}',
        '{"pid": 1, "stamp_ns": 1, "store": "a\\u0000b"}',
        '{"pid": 1, "stamp_ns": 1, "store": "a\\ud800b"}',
        pytest.param("[" * 99999, id="deep"),
    ],
)
def test_what_is_no_page_is_none(tmp_path: Path, text: str) -> None:
    (tmp_path / HEALTH_FILE).write_text(text)
    assert running_in(tmp_path) is None


def test_one_whose_folder_is_gone_is_found_by_its_spare_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.run.health.ROOTS", (tmp_path,))
    assert running_spare() == []
    folder = tmp_path / "gone"
    config = replace(config_for(load_profile("dice4"), folder / "table.db"), file=str(folder / "table.toml"))
    file = HealthFile(folder, config)
    file.write({"pid": os.getpid(), "phase": "play"})
    (running,) = running_spare()
    assert running.store == str(folder / "table.db") and not running.silent
    assert 0 <= running.age_ns < 60 * S
    file.remove()
    assert running_spare() == []


def test_there_may_be_no_page_and_no_folder(tmp_path: Path) -> None:
    assert running_in(tmp_path) is None
    assert running_in(tmp_path / "nowhere") is None
