"""Another program writes into the store while the table plays: what is in memory is saved."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.store import open_file, raw_file
from firmware_host.store.open_file import PageSums
from firmware_host.store.store_lock import is_locked
from hw.ports import Condition
from tests.store.shelves import (
    conditions,
    events,
    logged,
    numbers,
    secured,
    set_aside,
    settled,
    wait_for,
    writing,
)

pytestmark = pytest.mark.usefixtures("impatient")


def put_back(path: Path) -> None:
    """Somebody copies an old store over it: `cp backup.db table.db`."""
    backup = path.with_name("backup.db")
    with writing(backup) as (writer, _):
        writer.put(events(1000, 5))
    shutil.copyfile(backup, path)
    backup.unlink()


def halve(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def scribble(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(5000)
        file.write(Random(1).randbytes(3000))


def zero_the_first_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(4096))


FILE = [put_back, halve, empty, scribble, zero_the_first_page]
LOG = [halve, empty, scribble]


@pytest.mark.parametrize("change", FILE)
def test_a_file_that_is_changed_while_the_log_is_merged_into_it_is_kept_aside(
    path: Path, change: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What lies there then is not taken for what was merged."""
    merge, changed = PageSums.renew, list[bytes]()

    def meanwhile(sums: PageSums, *pages: Any) -> None:
        if sums._path == str(path) and not changed:
            change(path)
            changed.append(path.read_bytes())
        merge(sums, *pages)

    with writing(path) as (writer, told):
        writer.put(events(0, 500))
        secured(writer)
        writer.begin_session(events(500, 500))
        settled(writer)
        monkeypatch.setattr(PageSums, "renew", meanwhile)
        secured(writer)
        wait_for(lambda: bool(told))
        secured(writer)
        (aside,) = set_aside(path)
        assert [aside.read_bytes()] == changed and conditions(told) == [Condition.DEGRADED]
    assert logged(path) == numbers(500, 500)


def test_a_log_that_is_changed_just_before_it_is_merged_is_not_merged(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut = list[str]()

    def log_of(store: str) -> bytes:
        if not cut:
            halve(Path(f"{store}-wal"))
            cut.append(store)
        return raw_file.log_of(store)

    with writing(path) as (writer, told):
        writer.put(events(0, 500))
        secured(writer)
        writer.begin_session(events(500, 500))
        settled(writer)
        monkeypatch.setattr(open_file, "log_of", log_of)
        secured(writer)
        wait_for(lambda: bool(told))
        secured(writer)
        assert conditions(told) == [Condition.DEGRADED] and set_aside(path) == []
    assert logged(path) == numbers(0, 1000)


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("change", FILE)
def test_a_file_that_is_changed_is_kept_aside_and_the_session_is_saved(
    path: Path, change: object, merged: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing is put meanwhile: the table may be idle."""
    with writing(path) as (writer, told):
        writer.put(events(0, 500))
        secured(writer)
        writer.begin_session(events(500, 500))
        secured(writer) if merged else settled(writer)
        change(path)  # type: ignore[operator]
        changed = path.read_bytes()
        wait_for(lambda: bool(told))
        secured(writer)
        (aside,) = set_aside(path)
        assert aside.read_bytes() == changed, "nothing more is written into it"
        assert conditions(told) == [Condition.DEGRADED]
        assert told[0].seen == f"the file was changed by another program and is kept as {aside}"
        assert f"{path} was changed by another program" in caplog.text
        assert logged(path) == numbers(500, 500)
        assert is_locked(str(path)) is True
        writer.put(events(1000, 10))
    assert logged(path) == numbers(500, 510)


@pytest.mark.parametrize("change", LOG)
def test_a_log_of_sqlite_that_is_changed_costs_nothing(
    path: Path, change: object, caplog: pytest.LogCaptureFixture
) -> None:
    log = Path(f"{path}-wal")
    with writing(path) as (writer, told):
        writer.put(events(0, 500))
        secured(writer)
        writer.begin_session([])
        writer.put(events(500, 500))
        settled(writer)
        change(log)  # type: ignore[operator]
        wait_for(lambda: bool(told))
        secured(writer)
        assert conditions(told) == [Condition.DEGRADED] and set_aside(path) == []
        assert told[0].seen.startswith(f"{log} was changed by another program; ")
        assert told[0].seen in caplog.text
        assert logged(path) == numbers(0, 1000), "the file goes on as it was when the log was merged last"
    assert logged(path) == numbers(0, 1000)


@pytest.mark.parametrize("merged", [True, False])
def test_a_file_of_which_only_the_time_was_changed_is_gone_on_with(path: Path, merged: bool) -> None:
    """`touch table.db` does no harm, and a change after it is noticed all the same."""
    with writing(path) as (writer, told):
        writer.put(events(0, 500))
        secured(writer)
        writer.begin_session(events(500, 500), [("DELETE FROM log WHERE n < 300", ())])
        secured(writer) if merged else settled(writer)
        for first in range(1000, 1030, 10):
            os.utime(path)
            writer.put(events(first, 10))
            secured(writer)
        assert told == [] and set_aside(path) == []
        scribble(path)
        os.utime(path, (0, 0))
        wait_for(lambda: bool(told))
        secured(writer)
        assert conditions(told) == [Condition.DEGRADED] and len(set_aside(path)) == 1
    assert logged(path) == numbers(500, 530)


def test_what_is_put_at_once_afterwards_is_not_written_into_what_was_changed(path: Path) -> None:
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)
        scribble_after_end(path)
        changed = path.read_bytes()
        writer.put(events(10, 10))
        secured(writer)
        (aside,) = set_aside(path)
        assert aside.read_bytes() == changed and conditions(told) == [Condition.DEGRADED]
    assert logged(path) == numbers(0, 20)


def scribble_after_end(path: Path) -> None:
    with path.open("ab") as file:
        file.write(bytes(4096))


def test_what_changes_nothing_in_it_is_not_taken_for_a_change(path: Path, tmp_path: Path) -> None:
    """To read it, to have another name for it, or to give it to others."""
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)
        path.read_bytes()
        os.link(path, tmp_path / "other.db")
        path.chmod(0o640)
        assert logged(path) == numbers(0, 10)
        writer.put(events(10, 10))
        secured(writer)
        assert told == [] and set_aside(path) == []


MAPPED_FILES_ARE_CUT = """
import os, sys
from tests.store.shelves import events, logged, numbers, secured, writing
path = sys.argv[1]
with writing(path) as (writer, told):
    for first in range(0, 100, 10):
        writer.put(events(first, 10))
        writer.settle(10)
        for name in os.listdir(os.path.dirname(path)):
            if name.endswith("-shm"):
                os.truncate(os.path.join(os.path.dirname(path), name), 0)
    secured(writer)
assert logged(path) == numbers(0, 100)
maps = open("/proc/self/maps").read()
assert path not in maps, maps
"""


def test_no_file_beside_it_is_mapped_that_somebody_could_cut_off(path: Path) -> None:
    """Whoever reads what is mapped, and not in the file any more, is ended by SIGBUS."""
    Path(f"{path}-shm").write_bytes(bytes(32768))
    done = subprocess.run(
        [sys.executable, "-c", MAPPED_FILES_ARE_CUT, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
