"""The health page: what it says, and how it gets into its file."""

from __future__ import annotations

import errno
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host import __version__
from firmware_host.feed.addresses import HEALTH_FILE
from firmware_host.files import Draft
from firmware_host.model.places import Button
from firmware_host.model.states import Condition, DeviceCondition, Phase
from firmware_host.model.times import S
from firmware_host.run.daemon import PAGE_NS, STEP_NS
from firmware_host.run.health import (
    SILENT_NS,
    HealthFile,
    health_page,
    running_in,
    running_spare,
    since_boot_ns,
    status_line,
    trusted_spare_folders,
)
from firmware_host.run.table_files import load_profile
from tests.another_user import NOBODY, needs_root
from tests.games.driver import Driver, reach
from tests.games.mishaps import R1
from tests.run.evenings import config_for
from tests.store.shelves import lock, open_folder, without_rights

STARTED = "2026-11-18T19:00:00"
NOW = "2026-11-18T20:00:00"


def health(driver: Driver, *devices: DeviceCondition, phase: str = "") -> dict[str, Any]:
    known = {each.name: each for each in devices}
    counts = {"rounds": 3, "lost edges": 1}
    phase = phase or driver.phase().value
    return health_page(driver.session, phase, driver.now_ns, known, counts, STARTED, NOW)


def test_a_table_that_nobody_plays_at() -> None:
    assert health(reach(Phase.ATTRACT)) == {
        "version": __version__,
        "written": NOW,
        "started": STARTED,
        "pid": os.getpid(),
        "phase": "attract",
        "game": "dice",
        "seats": 4,
        "seated": [],
        "round": None,
        "match": None,
        "devices": {},
        "masked": {},
        "counts": {"lost edges": 1, "rounds": 3},
    }


def test_a_round_with_devices_that_fail() -> None:
    driver = reach(Phase.PLAY)
    driver.mask(R1)
    driver.mask(Button(2), "stuck")
    driver.device("left", "lost")
    driver.wait(driver.known_after_ns)
    left = DeviceCondition("left", Condition.LOST, "no answer", "look at its cable")
    page = health(driver, DeviceCondition("sign", Condition.OK), left)
    assert (page["phase"], page["seated"]) == ("paused", [1, 2])
    assert (page["round"]["number"], page["round"]["of"]) == (1, 6)
    assert page["devices"] == {
        "left": {"condition": "lost", "seen": "no answer", "advice": "look at its cable"},
        "sign": {"condition": "ok", "seen": "", "advice": ""},
    }
    assert page["masked"] == {"red 1": "chatters", "seat 2": "stuck"}


def test_a_round_under_way_tells_what_each_seat_has_left_and_for_how_long() -> None:
    driver = reach(Phase.PLAY)
    driver.play(1, R1)
    driver.wait(90 * S)
    page = health(driver)
    round_s, match_s = page["round"].pop("seconds"), page["match"].pop("seconds")
    assert 90 <= round_s <= match_s <= 100
    assert page["round"] == {"number": 1, "of": 6, "dice_left": {"1": 11, "2": 12}}
    assert page["match"] == {"totals": {"1": 0, "2": 0}, "leaders": []}


def test_after_a_round_there_are_totals_and_somebody_leads() -> None:
    driver = reach(Phase.SCORES)
    page = health(driver)
    totals = page["match"]["totals"]
    assert totals["1"] > 0 > totals["2"] and page["match"]["leaders"] == [1]
    assert page["round"] == {"number": 1, "of": 1}


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.name)
def test_every_phase_can_be_written_as_json(phase: Phase) -> None:
    page = health(reach(phase))
    assert json.loads(json.dumps(page)) == page
    assert page["phase"] == phase.value


def test_a_table_that_was_away_is_neither_a_device_nor_masked() -> None:
    driver = reach(Phase.PLAY)
    driver.interrupt()
    page = health(driver)
    assert (page["devices"], page["masked"]) == ({}, {})


@pytest.mark.parametrize(
    ("phase", "devices", "line"),
    [
        (Phase.ATTRACT, (), "attract, 0 seated; all is well"),
        (Phase.PLAY, (), "play, round 1/6, 2 seated; all is well"),
        (Phase.ATTRACT, (DeviceCondition("sign", Condition.OK),), "attract, 0 seated; all is well"),
        (
            Phase.PLAY,
            (
                DeviceCondition("sign", Condition.DEGRADED),
                DeviceCondition("left", Condition.LOST),
                DeviceCondition("right", Condition.OK),
            ),
            "play, round 1/6, 2 seated; check left, sign",
        ),
    ],
)
def test_one_line_for_the_system(phase: Phase, devices: tuple[DeviceCondition, ...], line: str) -> None:
    assert status_line(health(reach(phase), *devices)) == line


def test_masked_sources_are_in_that_line_too() -> None:
    driver = reach(Phase.ATTRACT)
    driver.mask(Button(3), "stuck")
    driver.wait(driver.known_after_ns)
    assert status_line(health(driver, phase="service")) == "service, 0 seated; check seat 3"


# -- the file


@pytest.fixture(autouse=True)
def memory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the spare folder is made."""
    root = tmp_path_factory.mktemp("memory")
    monkeypatch.setattr("firmware_host.run.health.ROOTS", (root,))
    return root


def spare_pages(memory: Path) -> list[dict[str, Any]]:
    return [read(path) for path in memory.glob(f"ligretto-table-{os.geteuid()}/*")]


def kept_in(folder: Path) -> HealthFile:
    return HealthFile(folder, config_for(load_profile("dice4"), folder / "table.db"))


def read(path: Path) -> dict[str, Any]:
    page: dict[str, Any] = json.loads(path.read_text())
    return page


def test_the_file_says_whose_page_it_is_and_when_it_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = replace(config_for(load_profile("dice4"), Path("lib/table.db")), file="etc/table.toml")
    file = HealthFile(tmp_path, config)
    monkeypatch.chdir("/")
    before = since_boot_ns()
    file.write({"phase": "play"})
    page = read(tmp_path / HEALTH_FILE)
    assert before <= page.pop("stamp_ns") <= since_boot_ns()
    assert page == {
        "phase": "play",
        "config": str(tmp_path / "etc/table.toml"),
        "store": str(tmp_path / "lib/table.db"),
    }


def test_the_file_is_there_as_long_as_it_is_kept(tmp_path: Path) -> None:
    file = kept_in(tmp_path)
    file.write({"phase": "play"})
    assert read(tmp_path / HEALTH_FILE)["phase"] == "play"
    file.write({"phase": "settle"})
    assert read(file.path)["phase"] == "settle"
    file.remove()
    assert list(tmp_path.iterdir()) == []
    file.remove()


def test_whoever_reads_it_sees_a_whole_page(tmp_path: Path) -> None:
    file = kept_in(tmp_path)
    file.write({"n": 0, "filler": []})
    stop = threading.Event()

    def write() -> None:
        for n in range(300):
            file.write({"n": n, "filler": list(range(n))})
        stop.set()

    writing = threading.Thread(target=write)
    writing.start()
    while not stop.is_set():
        page = read(file.path)
        assert page["filler"] == list(range(page["n"]))
    writing.join()


def test_a_disk_that_takes_nothing_is_told_once_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "gone"
    file = kept_in(folder)
    with caplog.at_level(logging.WARNING):
        file.write({"n": 1})
        file.write({"n": 2})
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert f"{folder / HEALTH_FILE} can't be written: No such file or directory" in caplog.text
        folder.mkdir()
        file.write({"n": 3})
        assert read(file.path)["n"] == 3
        file.remove()
        folder.rmdir()
        file.write({"n": 4})
    assert len(caplog.records) == 2


def test_on_a_full_disk_there_is_no_page_rather_than_an_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old one would say that all is well, and later that nobody answers."""
    file = kept_in(tmp_path)
    file.write({"n": 1})

    def full(draft: Draft, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(Draft, "write", full)
        file.write({"n": 2})
        assert list(tmp_path.iterdir()) == []
    file.write({"n": 3})
    assert read(file.path)["n"] == 3


@needs_root
@pytest.mark.parametrize("name", ["health.json", "health.new"])
def test_no_link_of_somebody_else_is_written_through(tmp_path: Path, memory: Path, name: str) -> None:
    victim, link = tmp_path / "victim", tmp_path / "run" / name
    victim.write_text("precious")
    link.parent.mkdir()
    link.symlink_to(victim)
    os.lchown(link, NOBODY, NOBODY)
    file = kept_in(link.parent)
    file.write({"n": 1})
    file.write({"n": 2})
    assert victim.read_text() == "precious"
    assert read(file.path)["n"] == 2 and not file.path.is_symlink()
    assert list(memory.iterdir()) == []


def test_a_page_costs_the_disk_nothing_that_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def waited(descriptor: int) -> None:
        raise AssertionError("it waits for the disk")

    monkeypatch.setattr(os, "fsync", waited)
    file = kept_in(tmp_path)
    file.write({"n": 1})
    assert read(file.path)["n"] == 1


# -- while its own place can't be written


def test_without_its_folder_the_page_is_in_the_spare_one(
    tmp_path: Path, memory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "lib"
    file = kept_in(folder)
    file.write({"n": 1})
    file.write({"n": 2})
    (page,) = spare_pages(memory)
    assert (page["n"], page["store"]) == (2, str(folder / "table.db"))
    assert page["page_fault"] == f"{folder}/health.json can't be written: No such file or directory"
    assert f"{page['page_fault']}; the health page is {memory}/ligretto-table-" in caplog.text
    folder.mkdir()
    file.write({"n": 3})
    page = read(file.path)
    assert page["n"] == 3 and "page_fault" not in page
    assert list(memory.iterdir()) == []


def test_two_daemons_have_two_spare_pages(tmp_path: Path, memory: Path) -> None:
    one, other = kept_in(tmp_path / "one"), kept_in(tmp_path / "other")
    one.write({"n": 1})
    other.write({"n": 2})
    assert sorted(page["n"] for page in spare_pages(memory)) == [1, 2]
    one.remove()
    assert [page["n"] for page in spare_pages(memory)] == [2]
    other.remove()
    assert list(memory.iterdir()) == []


def test_a_page_that_was_left_by_a_killed_daemon_is_removed_at_the_next_start(
    tmp_path: Path, memory: Path
) -> None:
    kept_in(tmp_path / "lib").write({"n": 1})
    kept_in(tmp_path / "lib").remove()
    assert list(memory.iterdir()) == []


@pytest.mark.parametrize("trap", ["link", "foreign", "open"])
def test_what_somebody_else_has_put_there_is_not_written_into(
    tmp_path: Path, memory: Path, trap: str
) -> None:
    target, place = tmp_path / "target", memory / f"ligretto-table-{os.geteuid()}"
    target.mkdir()
    if trap == "link":
        place.symlink_to(target)
    else:
        place.mkdir()
        place.chmod(0o777 if trap == "open" else 0o755)
    if trap == "foreign":
        if os.geteuid() != 0:
            pytest.skip("only root can give a folder away")
        os.chown(place, 65534, 65534)
    file = kept_in(tmp_path / "gone")
    file.write({"n": 1})
    assert list(target.iterdir()) == [] and list(place.iterdir()) == []
    assert trusted_spare_folders() == []
    file.remove()


def test_where_there_is_no_memory_nothing_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("firmware_host.run.health.ROOTS", (tmp_path / "nowhere",))
    kept_in(tmp_path / "gone").write({"n": 1})
    assert "can't be written: No such file or directory" in caplog.text
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_could_never_be_written_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    file = kept_in(tmp_path / "file" / "folder")
    file.write({"n": 1})
    file.remove()
    assert (tmp_path / "file").read_text() == "no folder"


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
