"""A file that is taken away, spoilt or changed while it is written: the present session is saved."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.store import open_file, raw_file
from firmware_host.store.open_file import PageSums, Row
from firmware_host.store.raw_file import opened_to_read
from firmware_host.store.store_lock import is_locked
from firmware_host.store.writer import Writer
from hw.ports import Condition, Health
from tests.store.shelves import (
    conditions,
    event,
    events,
    execute,
    logged,
    now_text,
    numbers,
    open_folder,
    secured,
    set_aside,
    settled,
    wait_for,
    without_rights,
    writing,
)

pytestmark = pytest.mark.usefixtures("impatient")

COMPANIONS = ("", "-wal")


def spoil(path: Path) -> None:
    """Make a store of which nothing is left that SQLite could read."""
    with writing(path) as (writer, _):
        writer.put([event("before")])
        settled(writer)
    path.write_bytes(path.read_bytes()[:100] + b"\0rubbish" * 1000)


# -- it is taken away


@pytest.mark.parametrize("gone", [COMPANIONS, ("",)])
def test_a_file_that_is_removed_is_noticed_and_begun_anew(path: Path, gone: tuple[str, ...]) -> None:
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)
        writer.begin_session(events(10, 10))
        secured(writer)
        for companion in gone:
            os.unlink(f"{path}{companion}")
        writer.put(events(20, 10))
        writer.secure()
        wait_for(lambda: bool(told))
        settled(writer)
        assert conditions(told) == [Condition.DEGRADED]
        assert told[0].seen == "the file was removed; a new one begins"
        writer.put(events(30, 10))
    assert logged(path) == numbers(10, 30)
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_that_is_removed_is_noticed_at_the_end_too(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
        secured(writer)
        for companion in COMPANIONS:
            os.unlink(f"{path}{companion}")
        writer.put(events(10, 10))
        assert writer.close()
    assert logged(path) == numbers(0, 20)


def test_a_file_that_is_moved_is_whole_where_it_is_now(path: Path) -> None:
    moved = path.with_name("moved.db")
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        settled(writer)
        path.rename(moved)
        writer.put(events(10, 10))
        secured(writer)
        assert conditions(told) == [Condition.DEGRADED]
    assert logged(path) == numbers(0, 20)
    assert logged(moved) == numbers(0, 10), "nothing that was written is taken from it"


def test_another_store_in_its_place_is_gone_on_with(path: Path, tmp_path: Path) -> None:
    """Somebody puts a copy back: what stood beside the old one must not get into it."""
    copy = tmp_path / "copy" / "table.db"
    copy.parent.mkdir()
    with writing(copy) as (writer, _):
        writer.put([event("before")])
    with writing(path) as (writer, _):
        writer.put(events(0, 2000))
        settled(writer)
        os.replace(copy, path)
        writer.put(events(2000, 10))
        secured(writer)
    assert logged(path) == ["before", *numbers(0, 2010)]
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


def test_a_log_of_sqlite_that_is_removed_is_begun_anew(path: Path) -> None:
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        settled(writer)
        os.unlink(f"{path}-wal")
        writer.put(events(10, 10))
        secured(writer)
        writer.put(events(20, 10))
        settled(writer)
        assert logged(path) == numbers(0, 30), "others read what is written"
        assert told == []
    assert logged(path) == numbers(0, 30)


def test_a_folder_that_is_taken_away_is_waited_for(path: Path, tmp_path: Path) -> None:
    file = tmp_path / "card" / "table.db"
    file.parent.mkdir()
    with writing(file) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)
        shutil.rmtree(file.parent)
        writer.put(events(10, 10))
        writer.secure()
        wait_for(lambda: Condition.LOST in conditions(told))
        file.parent.mkdir()
        settled(writer)
        assert conditions(told) == [Condition.DEGRADED, Condition.LOST, Condition.DEGRADED]
        assert told[2] == told[0]
    assert logged(file) == numbers(0, 20)


def test_a_link_to_itself_in_its_place_has_words_and_is_waited_for(path: Path) -> None:
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)
        path.unlink()
        path.symlink_to(path)
        wait_for(lambda: bool(told))
        assert (told[0].condition, told[0].seen, told[0].advice) == (
            Condition.LOST,
            f"{path} can't be written: Too many levels of symbolic links",
            f"remove the link {path}, which leads to itself",
        )
        writer.put(events(10, 10))
        path.unlink()
        secured(writer)
        assert conditions(told) == [Condition.LOST, Condition.DEGRADED]
    assert logged(path) == numbers(0, 20)


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES])
def test_a_place_that_can_not_be_looked_at_has_words_and_is_waited_for(
    path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = os.stat

    def refuse(name: str, **how: Any) -> os.stat_result:
        if name == str(path):
            raise OSError(number, os.strerror(number), name)
        return look(name, **how)

    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        secured(writer)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(os, "stat", refuse)
            wait_for(lambda: bool(told))
        assert told[0].seen == f"{path} can't be written: {os.strerror(number)}"
        writer.put(events(10, 10))
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK] and set_aside(path) == []
    assert logged(path) == numbers(0, 20)


def test_a_link_may_name_the_file(path: Path, tmp_path: Path) -> None:
    """It is written, read while it is written, and missed like any other."""
    file = tmp_path / "card" / "table.db"
    file.parent.mkdir()
    path.symlink_to(file)
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        settled(writer)
        assert logged(path) == numbers(0, 10)
        secured(writer)
        assert told == []
        file.unlink()
        writer.put(events(10, 10))
        secured(writer)
        assert conditions(told) == [Condition.DEGRADED]
    assert logged(file) == logged(path) == numbers(0, 20)


# -- what belongs to the beginning of a new file


def choice(name: str, value: str) -> Row:
    return ("INSERT OR REPLACE INTO choices (name, value) VALUES (?, ?)", (name, value))


def choices(path: Path) -> dict[str, str]:
    with opened_to_read(str(path)) as connection:
        return dict(connection.execute("SELECT name, value FROM choices"))


Begun = tuple[Writer, list[Health], dict[str, str]]


@pytest.fixture
def begun(path: Path) -> Iterator[Begun]:
    """A writer whose new files begin with what is chosen, and with what was told before that."""
    told: list[Health] = []
    chosen = {"language": "de"}

    def anew() -> list[Row]:
        return [*(choice(name, value) for name, value in chosen.items()), event(told[-1].seen)]

    writer = Writer(str(path), told.append, now_text, False, first_rows=anew)
    writer.put([choice("language", "de")])
    secured(writer)
    writer.begin_session(events(0, 10))
    secured(writer)
    yield writer, told, chosen
    writer.close()


def test_what_is_chosen_later_stands_in_the_second_new_file(path: Path, begun: Begun) -> None:
    writer, told, chosen = begun
    for language in ("fr", "nl"):
        told.clear()
        for companion in COMPANIONS:
            os.unlink(f"{path}{companion}")
        secured_after(writer, told)
        chosen["language"] = language
        writer.put([choice("language", language)])
        secured(writer)
        assert choices(path) == {"language": language}
    assert logged(path) == ["the file was removed; a new one begins", *numbers(0, 10), "10", "10"]


def secured_after(writer: Writer, told: list[Health]) -> None:
    writer.put(events(10, 1))
    writer.secure()
    wait_for(lambda: bool(told))
    secured(writer)


def test_what_is_still_to_be_written_into_a_new_file_is_written_when_that_can_be(
    path: Path, begun: Begun
) -> None:
    """The disk is full when the new file begins."""
    writer, told, _ = begun
    os.unlink(path)
    path.mkdir()
    writer.put(events(10, 1))
    writer.secure()
    wait_for(lambda: Condition.LOST in conditions(told))
    path.rmdir()
    settled(writer)
    assert choices(path) == {"language": "de"} and logged(path)[1:] == numbers(0, 11)


def test_a_list_that_can_not_be_had_does_not_keep_the_session_from_the_file(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def failing() -> list[Row]:
        raise KeyError("language")

    writer = Writer(str(path), lambda health: None, now_text, False, first_rows=failing)
    writer.put(events(0, 10))
    secured(writer)
    os.unlink(path)
    writer.put(events(10, 10))
    secured(writer)
    assert writer.close()
    assert logged(path) == numbers(0, 20)
    assert "KeyError" in caplog.text


# -- what is told of it


def test_a_broken_file_that_can_be_moved_later_stands_as_such() -> None:
    with open_folder() as folder:
        path = folder / "table.db"
        spoil(path)
        path.chmod(0o666)
        with writing(path) as (writer, told):
            with without_rights(folder):
                writer.put(events(0, 10))
                wait_for(lambda: Condition.LOST in conditions(told))
            settled(writer)
            assert conditions(told) == [Condition.LOST, Condition.DEGRADED]
        assert logged(path) == numbers(0, 10)


def test_what_was_told_before_the_writer_began_is_told_again(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "table.db"
    told: list[Health] = []
    standing = Health("store", Condition.DEGRADED, "the file was broken and is kept as that")
    writer = Writer(str(path), told.append, now_text, False, standing=standing)
    writer.put(events(0, 10))
    wait_for(lambda: bool(told))
    path.parent.mkdir()
    settled(writer)
    assert conditions(told) == [Condition.LOST, Condition.DEGRADED] and told[1] == standing
    writer.retell()
    assert told[2:] == [standing], "and on demand"
    writer.close()


# -- a store that has lost a part of it


def test_a_store_that_has_lost_a_table_is_kept_aside(path: Path) -> None:
    with writing(path) as (writer, _):
        writer.put(events(0, 10))
    execute(path, "DROP TABLE audits")
    with writing(path) as (writer, told):
        writer.put(events(10, 10))
        secured(writer)
        assert conditions(told) == [Condition.DEGRADED] and len(set_aside(path)) == 1
    assert logged(path) == numbers(10, 10)


# -- what belongs to somebody else


def test_a_file_of_somebody_else_is_left_alone_and_the_table_plays(path: Path) -> None:
    execute(path, "CREATE TABLE log (id INTEGER, msg TEXT); INSERT INTO log VALUES (1, 'mine')")
    before = path.read_bytes()
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        wait_for(lambda: bool(told))
        assert conditions(told) == [Condition.LOST] and not writer.settle(0.1)
        assert "belongs to another program" in told[0].seen
        assert told[0].advice == "name another file in [store]"
        assert path.read_bytes() == before
        assert [each.name for each in path.parent.iterdir()] == [path.name]
        path.rename(path.with_name("theirs.db"))
        settled(writer)
        assert conditions(told) == [Condition.LOST, Condition.OK]
    assert logged(path) == numbers(0, 10)


def test_a_text_of_somebody_is_left_alone(path: Path) -> None:
    path.write_text('wiring = "dice4"\n[store]\nfile = "table.db"\n')
    with writing(path) as (writer, told):
        writer.put(events(0, 10))
        wait_for(lambda: bool(told))
        assert conditions(told) == [Condition.LOST]
        assert writer.close() is False
    assert path.read_text().startswith("wiring")
    assert [each.name for each in path.parent.iterdir()] == [path.name]


# -- another program writes into it


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
