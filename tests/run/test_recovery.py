"""A store at a start: whatever state it is in, the table plays, and a match that can be read goes on."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from firmware_host.model.states import Phase
from firmware_host.run import daemon_store
from firmware_host.run.daemon_store import recover
from firmware_host.store import store_lock
from firmware_host.store.open_file import open_store
from firmware_host.store.store_lock import StoreLock, StoreTaken
from hw.ports import Condition, Health, Tell
from tests.run.evenings import TODAY, Evening
from tests.store.shelves import WRITES, another_program, execute, lock


def now_text() -> str:
    return TODAY


def cut_off(table: Evening, *statements: str) -> None:
    """A match is played, the power goes, and something happens to the file."""
    table.start()
    table.play()
    table.stop()
    for statement in statements:
        execute(table.file, statement)


# -- values that make no sense


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE effects SET text = replace(text, '\"PLAY\"', '\"PLAI\"')",
        "UPDATE effects SET text = x'ff' WHERE n = 1",
        "UPDATE inputs SET text = x'ff' WHERE n = 1",
        "UPDATE inputs SET advanced_ns = 9000000000000000000 WHERE n = (SELECT max(n) FROM inputs)",
        "UPDATE inputs SET arrived_ns = 9000000000000000000 WHERE n = (SELECT max(n) FROM inputs)",
        "UPDATE inputs SET advanced_ns = 'soon' WHERE n = 1",
        "UPDATE effects SET t_ns = 9000000000000000000 WHERE n = (SELECT max(n) FROM effects)",
        "UPDATE sessions SET head = replace(hex(zeroblob(50000)), '0', '[')",
        "UPDATE sessions SET head = x'ff'",
        "UPDATE sessions SET head = '{}'",
        "UPDATE sessions SET head = replace(head, 'dice', 'chess')",
        "UPDATE inputs SET text = replace(text, 'on seat 1', 'on seat 9')",
        "DELETE FROM inputs WHERE n = 1",
        "DELETE FROM inputs",
    ],
)
def test_a_damaged_value_keeps_no_table_from_starting(table: Evening, statement: str) -> None:
    cut_off(table, statement)
    for _ in range(2):
        table.start()
        table.play()
        assert table.phase is Phase.PLAY
        table.stop()
        execute(table.file, "DELETE FROM sessions; DELETE FROM inputs; DELETE FROM effects")
    said = table.log("resume")
    assert len(said) == 1
    assert "can't be resumed" in said[0] or "can't be read" in said[0]


def test_standings_that_make_no_sense_are_not_shown(table: Evening) -> None:
    table.start()
    table.wait(1_000_000_000)
    table.stop()
    ended = r'"last_match": "{\"is\":\"MatchEnded\",\"seats\":[1,9],\"totals\":[1],\"winners\":[7]}"'
    execute(table.file, f"UPDATE sessions SET head = replace(head, '\"last_match\": null', '{ended}')")
    with sqlite3.connect(table.file) as connection:
        (head,) = connection.execute("SELECT head FROM sessions").fetchone()
    connection.close()
    assert "winners" in head
    table.start()
    table.wait(20_000_000_000)
    assert table.host.news.last_match is None


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO choices VALUES ('language', x'ff')",
        "INSERT INTO choices VALUES ('seats', x'ff')",
        "INSERT INTO choices VALUES ('brightness', 'very')",
        "INSERT INTO audits VALUES ('table', 'matches', 'many', 'now', 0)",
    ],
)
def test_choices_and_counts_that_make_no_sense_are_passed_over(table: Evening, statement: str) -> None:
    cut_off(table, statement)
    table.start()
    table.until_phase(Phase.PLAY)
    assert table.log("resume") == ["the match is resumed: play"]


@pytest.mark.parametrize("seed", range(3))
def test_a_bit_that_is_wrong_anywhere_keeps_no_table_from_starting(table: Evening, seed: int) -> None:
    cut_off(table)
    data, chance = table.file.read_bytes(), Random(seed)
    for most in (100, 4096, 8192, len(data), len(data)):
        changed = bytearray(data)
        changed[chance.randrange(most)] ^= 1 << chance.choice([7, chance.randrange(7)])
        table.file.write_bytes(changed)
        table.told.clear()
        table.start()
        table.wait(1_000_000_000)
        table.written()
        assert [each.condition for each in table.told] in ([], [Condition.DEGRADED])
        table.stop()


# -- the power was cut while the log was merged


def test_a_match_goes_on_though_the_first_page_is_torn_in_the_file(table: Evening, tmp_path: Path) -> None:
    cut_off(table)
    place = tmp_path / "after"
    place.mkdir()
    path = as_after_a_kill(table.file, place, "CREATE INDEX days ON matches (day)")  # changes page 1
    with path.open("r+b") as file:
        file.write(bytes(512))
    told: list[Health] = []
    was = recover(StoreLock(str(path)), told.append, now_text)
    assert was.session_log is not None and was.trouble == "" and told == []
    assert [each.name for each in place.iterdir() if "broken" in each.name] == []


def test_a_match_goes_on_though_its_log_is_damaged_and_that_is_told(table: Evening, tmp_path: Path) -> None:
    cut_off(table)
    place = tmp_path / "after"
    place.mkdir()
    path = as_after_a_kill(table.file, place)
    os.truncate(f"{path}-wal", 20)
    told: list[Health] = []
    was = recover(StoreLock(str(path)), told.append, now_text)
    assert was.session_log is not None and was.trouble == ""
    (aside,) = place.glob("table.db-wal.broken-*")
    assert [each.condition for each in told] == [Condition.DEGRADED] and str(aside) in told[0].seen


# -- a file that can't be written


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def as_after_a_kill(file: Path, place: Path, *statements: str) -> Path:
    """The store as it is when nobody had the time to close it: with all in its log."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("INSERT INTO log (at, kind, text) VALUES ('now', 'test', 'in the log only')")
    for statement in statements:
        connection.execute(statement)
    for companion in ("", "-wal", "-shm"):
        shutil.copy(f"{file}{companion}", place / f"table.db{companion}")
    connection.close()
    return place / "table.db"


@pytest.mark.parametrize("killed", [True, False])
@pytest.mark.parametrize("how", ["full", "read-only", "no index"])
def test_what_can_not_be_written_is_read_all_the_same(
    table: Evening, disk: Path, killed: bool, how: str
) -> None:
    cut_off(table, "INSERT INTO choices VALUES ('language', 'de')")
    path = as_after_a_kill(table.file, disk) if killed else Path(shutil.copy(table.file, disk / "table.db"))
    if how == "full":
        with (disk / "ballast").open("wb", buffering=0) as ballast:
            while _takes(ballast.fileno()):
                pass
    if how == "no index":
        Path(f"{path}-shm").unlink(missing_ok=True)
    if how != "full":
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    told: list[Health] = []
    was = recover(StoreLock(str(path)), told.append, now_text)
    assert was.session_log is not None and was.choices["language"] == "de"
    assert was.trouble == "" and told == []


def _takes(descriptor: int) -> bool:
    try:
        return os.write(descriptor, bytes(4096)) > 0
    except OSError:
        return False


def test_somebody_who_writes_is_waited_for(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_lock, "BUSY_S", 0.1)
    cut_off(table)
    tried: list[str] = []
    real_open = open_store

    def opened(lock: StoreLock, tell: Tell) -> sqlite3.Connection:
        tried.append(lock.path)
        if len(tried) == 2:
            other.close()
        return real_open(lock, tell)

    monkeypatch.setattr("firmware_host.run.daemon_store.open_store", opened)
    with ExitStack() as other:
        other.enter_context(another_program(WRITES, table.file))
        assert recover(StoreLock(str(table.file)), print, now_text).session_log is not None
    assert len(tried) == 2


def test_whoever_never_ends_does_not_keep_the_match_from_going_on(
    table: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_lock, "BUSY_S", 0.1)
    monkeypatch.setattr(daemon_store, "TRIES", 1)
    cut_off(table)
    with another_program(WRITES, table.file):
        assert recover(StoreLock(str(table.file)), print, now_text).session_log is not None


def test_values_that_are_no_text_keep_nothing_else_from_being_read(table: Evening) -> None:
    cut_off(table, "INSERT INTO choices VALUES ('language', CAST(x'ff64' AS TEXT)), ('brightness', '3')")
    was = recover(StoreLock(str(table.file)), print, now_text)
    assert was.session_log is not None and was.choices["brightness"] == "3"


def test_another_daemon_is_not_waited_for(table: Evening) -> None:
    cut_off(table)
    let_go = lock(str(table.file))
    with pytest.raises(StoreTaken):
        recover(StoreLock(str(table.file)), print, now_text)
    let_go()
