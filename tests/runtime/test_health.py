"""The health page: what it says, and how it gets into its file."""

from __future__ import annotations

import errno
import json
import logging
import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from firmware_host import __version__
from firmware_host.events import DeviceChanged
from firmware_host.places import Button
from firmware_host.runtime.assembly.profiles import load_profile
from firmware_host.runtime.health import HEALTH_FILE, Health, HealthFile, health_of, since_boot_ns
from firmware_host.stamps import exactly
from firmware_host.table.phases import Phase
from tests.runtime.evenings import config_for
from tests.table.driver import Driver, reach
from tests.table.mishaps import R1

STARTED = "2026-11-18T19:00:00"
NOW = "2026-11-18T20:00:00"


def device(name: str, condition: str, words: str = "") -> DeviceChanged:
    return DeviceChanged(name, condition, True, words, exactly(0))


def health(driver: Driver, *devices: DeviceChanged, phase: str = "") -> Health:
    known = {each.device: each for each in devices}
    counts = {"rounds": 3, "lost edges": 1}
    return health_of(driver.session, phase or driver.phase().value, known, counts, STARTED)


def test_a_table_that_nobody_plays_at() -> None:
    assert health(reach(Phase.ATTRACT)).page(NOW) == {
        "version": __version__,
        "written": NOW,
        "started": STARTED,
        "pid": os.getpid(),
        "phase": "attract",
        "game": "dice",
        "seats": 4,
        "seated": [],
        "round": None,
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
    page = health(driver, device("sign", "ok"), device("left", "lost", "no answer; check it")).page(NOW)
    assert (page["phase"], page["seated"], page["round"]) == ("paused", [1, 2], {"number": 1, "of": 6})
    assert page["devices"] == {
        "left": {"condition": "lost", "words": "no answer; check it"},
        "sign": {"condition": "ok", "words": ""},
    }
    assert page["masked"] == {"red 1": "chatters", "seat 2": "stuck"}


@pytest.mark.parametrize("phase", Phase, ids=lambda phase: phase.name)
def test_every_phase_can_be_written_as_json(phase: Phase) -> None:
    page = health(reach(phase)).page(NOW)
    assert json.loads(json.dumps(page)) == page
    assert page["phase"] == phase.value


def test_a_table_that_was_away_is_neither_a_device_nor_masked() -> None:
    driver = reach(Phase.PLAY)
    driver.interrupt()
    page = health(driver).page(NOW)
    assert (page["devices"], page["masked"]) == ({}, {})


@pytest.mark.parametrize(
    ("phase", "devices", "line"),
    [
        (Phase.ATTRACT, (), "attract, 0 seated; all is well"),
        (Phase.PLAY, (), "play, round 1/6, 2 seated; all is well"),
        (Phase.ATTRACT, (device("sign", "ok"),), "attract, 0 seated; all is well"),
        (
            Phase.PLAY,
            (device("sign", "degraded"), device("left", "lost"), device("right", "ok")),
            "play, round 1/6, 2 seated; check left, sign",
        ),
    ],
)
def test_one_line_for_the_system(phase: Phase, devices: tuple[DeviceChanged, ...], line: str) -> None:
    assert health(reach(phase), *devices).status == line


def test_masked_sources_are_in_that_line_too() -> None:
    driver = reach(Phase.ATTRACT)
    driver.mask(Button(3), "stuck")
    driver.wait(driver.known_after_ns)
    assert health(driver, phase="service").status == "service, 0 seated; check seat 3"


# -- the file


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

    def full(path: Path, *arguments: object, **named: object) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        file.write({"n": 2})
        assert list(tmp_path.iterdir()) == []
    file.write({"n": 3})
    assert read(file.path)["n"] == 3


def test_a_file_that_could_never_be_written_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    file = kept_in(tmp_path / "file" / "folder")
    file.write({"n": 1})
    file.remove()
    assert (tmp_path / "file").read_text() == "no folder"
