"""What is said of a store that can't be had: each change once, again on request, and what to do about it."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from firmware_host.store import raw_file, store_health
from firmware_host.store.raw_file import ForeignFile
from firmware_host.store.schema import NewerFile
from firmware_host.store.store_health import REMOVED, StoreHealth, to_write
from firmware_host.store.store_lock import StoreTaken
from firmware_host.store.store_reader import NoStore, reading, to_read
from hw.ports import Condition, Health
from tests.another_user import needs_root
from tests.store.shelves import NOBODY, error_named, open_folder, without_rights

REFUSED = sqlite3.OperationalError("unable to open database file")
ME = raw_file.user_name(os.geteuid())


def name_users(monkeypatch: pytest.MonkeyPatch, names: Callable[[int], str]) -> None:
    for module in (raw_file, store_health):
        monkeypatch.setattr(module, "user_name", names)


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    wanted = f"such as {tmp_path}/table.db"
    assert to_write(str(tmp_path), REFUSED) == f"it is a folder: name a file in [store] file, {wanted}"
    with (
        pytest.raises(NoStore, match=f"it is a folder: the store is a file in it, {wanted}"),
        reading(str(tmp_path)),
    ):
        pass


def test_a_file_can_have_nothing_in_it(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    path = str(tmp_path / "file" / "lib" / "table.db")
    assert to_write(path, REFUSED) == f"{tmp_path}/file is no folder: name another one in [store] file"


@needs_root
@pytest.mark.parametrize("there", ["", "table.db", "table.db-wal"])
def test_what_is_somebody_elses_is_told_with_its_owner(there: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_folder() as folder:
        if there:
            (folder / there).touch()
            folder.chmod(0o777)
        names = {folder.stat().st_uid: "ligretto"}
        name_users(monkeypatch, lambda number: names.get(number, "pi"))
        with without_rights(folder):
            told = to_write(str(folder / "table.db"), REFUSED)
    assert told.startswith(f"{folder / there} belongs to ligretto, and this is ")
    assert told.endswith(
        ": run it as its owner (sudo -u ligretto ligretto-table ...), or name another one in [store] file"
    )


@needs_root
def test_nobody_is_told_to_run_it_as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    name_users(monkeypatch, lambda number: "root")
    with open_folder() as folder, without_rights(folder):
        told = to_write(str(folder / "lib" / "table.db"), REFUSED)
    assert told == f"{folder} belongs to root, and this is root: name another one in [store] file"


@needs_root
def test_an_owner_is_not_sent_to_the_owner() -> None:
    with open_folder() as folder:
        path = folder / "table.db"
        path.touch(0o400)
        for each in (folder, path):
            os.chown(each, NOBODY, NOBODY)
        with without_rights(folder):
            told = to_write(str(path), REFUSED)
    wanted = f"not even nobody may write to {path}: chmod u+w {path}, or name another one in [store] file"
    assert told == wanted


def test_what_even_root_may_not_change_has_an_attribute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after `chattr +i`."""
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert to_write(str(tmp_path / "table.db"), REFUSED) == (
        f"not even root may write to {tmp_path}: see its attributes (lsattr -d {tmp_path}), "
        "or name another one in [store] file"
    )


def test_whose_it_is_decides_what_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same as root's tests with real rights, for those who run the tests as somebody else."""
    path = tmp_path / "table.db"
    path.touch()
    names = {os.geteuid(): "ligretto"}
    name_users(monkeypatch, lambda number: names.get(number, "pi"))
    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    assert to_read(str(path), REFUSED) == f"nobody may read it, not even its owner: chmod u+r {path}"
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000_000)
    assert to_read(str(path), REFUSED) == "it belongs to ligretto: sudo -u ligretto ligretto-table ..."
    assert to_write(str(path), REFUSED) == (
        f"{tmp_path} belongs to ligretto, and this is pi: run it as its owner "
        "(sudo -u ligretto ligretto-table ...), or name another one in [store] file"
    )


def test_a_user_without_a_name() -> None:
    assert raw_file.user_name(4_000_000_000) == "user 4000000000"


def test_a_disk_that_can_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class ReadOnly:
        f_flag = os.ST_RDONLY

    def refuse(path: Any, mode: int, **_: object) -> bool:
        return False

    monkeypatch.setattr(os, "access", refuse)
    monkeypatch.setattr(os, "statvfs", lambda path: ReadOnly)
    assert to_write(str(tmp_path / "t.db"), REFUSED) == (
        f"the disk under {tmp_path} can only be read: name another one in [store] file"
    )


def test_a_folder_that_may_not_be_looked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def looks(path: object, mode: int, **_: object) -> bool:
        return not mode & os.X_OK

    monkeypatch.setattr(os, "access", looks)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    told = to_write(str(tmp_path / "t.db"), REFUSED)
    assert told.startswith(f"{tmp_path} belongs to ") and told.endswith("name another one in [store] file")


ANOTHER = "name another one in [store] file"
NOT_THE_DISK = f"the disk is not the cause: please report it, with SQLite's version, {sqlite3.sqlite_version}"


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (sqlite3.OperationalError("database or disk is full"), "free some space"),
        (
            sqlite3.OperationalError("disk I/O error"),
            f"check the disk: the card may be worn out; or {ANOTHER}",
        ),
        (
            sqlite3.OperationalError("Input/output error"),
            f"check the disk: the card may be worn out; or {ANOTHER}",
        ),
        (error_named("SQLITE_ERROR", "no such table: 1"), NOT_THE_DISK),
        (sqlite3.NotSupportedError(), NOT_THE_DISK),
        (REFUSED, f"check the disk and its permissions, or {ANOTHER}"),
    ],
)
def test_what_the_error_says_decides_what_to_do(tmp_path: Path, error: sqlite3.Error, advice: str) -> None:
    assert to_write(str(tmp_path / "lib" / "t.db"), error) == advice


# -- reading


def test_a_text_is_no_store(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('wiring = "dice4"\n' * 50)
    with pytest.raises(NoStore) as caught, reading(str(path)):
        pass
    assert str(caught.value) == (
        f"{path} can't be read: file is not a database; it is no store: --store is for the store itself, "
        "and --config for a table.toml"
    )


@needs_root
def test_a_store_that_its_owner_may_not_read() -> None:
    with open_folder() as folder:
        path = folder / "table.db"
        path.touch(0)
        os.chown(path, NOBODY, NOBODY)
        with without_rights(folder):
            told = to_read(str(path), sqlite3.OperationalError("unable to open database file"))
    assert told == f"nobody may read it, not even its owner: chmod u+r {path}"


@needs_root
def test_a_store_that_others_may_not_read() -> None:
    with open_folder() as folder:
        path = folder / "table.db"
        sqlite3.connect(path).close()
        path.touch()
        path.chmod(0)
        with without_rights(folder):
            told = to_read(str(path), sqlite3.OperationalError("unable to open database file"))
    assert told == f"it belongs to {ME}: sudo -u {ME} ligretto-table ..."


def test_other_troubles(tmp_path: Path) -> None:
    path = tmp_path / "table.db"
    path.touch()
    torn = to_read(str(path), error_named("SQLITE_CORRUPT"))
    assert "sudo systemctl restart ligretto-table" in torn
    assert (
        to_read(str(path), sqlite3.OperationalError("locked")) == "try again; if it stays so, check the disk"
    )


# -- its condition

PATH = "/nowhere/at/all/table.db"
FULL = sqlite3.OperationalError("database or disk is full")


@pytest.fixture
def told() -> list[Health]:
    return []


@pytest.fixture
def health(told: list[Health]) -> StoreHealth:
    return StoreHealth(told.append)


@pytest.mark.parametrize(
    ("error", "seen", "advice"),
    [
        (ForeignFile("it is a mailbox"), f"{PATH}: it is a mailbox", "name another file in [store]"),
        (NewerFile("it is of 2030"), f"{PATH}: it is of 2030", "or name another file in [store]"),
        (StoreTaken("process 7 uses it"), "process 7 uses it", ""),
        (FULL, f"{PATH} can't be written: {FULL}", "free some space"),
        (ZeroDivisionError("0"), "internal error: ZeroDivisionError('0')", "please report it"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else "",
)
def test_each_error_has_its_words(
    health: StoreHealth, told: list[Health], error: Exception, seen: str, advice: str
) -> None:
    health.failed(PATH, error)
    (said,) = told
    assert (said.condition, said.seen, said.advice) == (Condition.LOST, seen, advice)


def test_what_is_lost_is_said_once_until_it_is_written_again(health: StoreHealth, told: list[Health]) -> None:
    for report in (health.written, *[lambda: health.failed(PATH, FULL)] * 2, *[health.written] * 2):
        report()
    assert [(said.condition, said.seen) for said in told] == [
        (Condition.LOST, f"{PATH} can't be written: {FULL}"),
        (Condition.OK, "it is written again"),
    ]


def test_an_error_nobody_thought_of_is_logged_once(
    health: StoreHealth, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(2):
        health.failed(PATH, ZeroDivisionError())
    assert [record.message for record in caplog.records] == ["the store can't be written"]


def test_what_happened_to_the_file_stands_after_a_loss_has_passed(
    health: StoreHealth, told: list[Health]
) -> None:
    health.degraded(REMOVED)
    health.failed(PATH, FULL)
    health.written()
    assert [said.condition for said in told] == [Condition.DEGRADED, Condition.LOST, Condition.DEGRADED]
    assert told[-1] == REMOVED


def test_the_present_condition_is_said_again_unless_it_is_ok(health: StoreHealth, told: list[Health]) -> None:
    health.retell()
    assert told == []
    health.failed(PATH, FULL)
    health.retell()
    assert len(told) == 2 and told[0] == told[1]


def test_a_report_that_fails_keeps_nothing_from_being_written(caplog: pytest.LogCaptureFixture) -> None:
    def deaf(health: Health) -> None:
        raise BrokenPipeError

    caplog.set_level(logging.ERROR)
    StoreHealth(deaf).hangs(PATH)
    assert caplog.records[0].message == f"{PATH} can't be written: the disk does not answer"
